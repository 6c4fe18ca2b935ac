import { joinPath } from "../text/index.ts";
import { ToolError, type Host } from "../core/index.ts";
import { isSessionDirectory } from "./artifact-directory.ts";

export interface SweepOptions {
  readonly host: Pick<Host, "fs" | "clock">;
  readonly directory: string;
  /** Maximum number of bytes that stay. */
  readonly totalBytes: number;
  /** Files without additions for this number of days are removed. */
  readonly days: number;
  /** Report what would be removed, without removing it. */
  readonly dryRun?: boolean;
  /** Maximum number of files checked. Default: all. */
  readonly maxFiles?: number;
  /** Files that stay, however old they are. */
  readonly inUse?: ReadonlySet<string>;
}

export interface Swept {
  readonly files: number;
  readonly bytes: number;
  /** Bytes that stay. */
  readonly left: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Files changed within this time may belong to a call in progress, in this or another process. */
const graceMs = 60 * 60 * 1000;

interface Kept {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Removes files that are too old, then the oldest until the rest fits. Files in use stay, so the rest may not fit. */
export async function sweepArtifacts(options: SweepOptions): Promise<Swept> {
  const { host, totalBytes, days } = options;
  const now = host.clock.now();
  const found = await keptFiles(options);
  let left = found.reduce((sum, { size }) => sum + size, 0);
  let files = 0;
  let bytes = 0;
  for (const { path, size, mtimeMs } of found.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    const age = now - mtimeMs;
    if (options.inUse?.has(path) === true) continue;
    if (age < graceMs || (age <= days * dayMs && left <= totalBytes)) break;
    if (options.dryRun !== true && !(await isRemoved(host, path))) continue;
    files += 1;
    bytes += size;
    left -= size;
  }
  return { files, bytes, left };
}

async function keptFiles(options: SweepOptions): Promise<readonly Kept[]> {
  const { host, directory, maxFiles = Number.POSITIVE_INFINITY } = options;
  const found: Kept[] = [];
  try {
    for await (const { name, kind } of host.fs.list(directory)) {
      if (found.length >= maxFiles) break;
      const path = joinPath(directory, name);
      if (kind === "directory" && isSessionDirectory(name)) {
        const inside = await keptFiles({
          ...options,
          directory: path,
          maxFiles: maxFiles - found.length,
        });
        found.push(...inside);
        if (inside.length === 0) await removeUnused(path, options);
      }
      if (kind !== "file") continue;
      try {
        const { size, mtimeMs } = await host.fs.stat(path);
        found.push({ path, size, mtimeMs });
      } catch {
        // Another process collects too.
      }
    }
  } catch (error) {
    if (!(ToolError.is(error) && error.code === "NOT_FOUND")) throw error;
  }
  return found;
}

/** Removes an empty directory, unless a call in progress may be about to write to it. */
async function removeUnused(path: string, { host, dryRun }: SweepOptions): Promise<void> {
  try {
    const { mtimeMs } = await host.fs.stat(path);
    if (dryRun === true || host.clock.now() - mtimeMs < graceMs) return;
    await host.fs.removeEmpty?.(path);
  } catch {
    // Another process has removed it.
  }
}

async function isRemoved(host: Pick<Host, "fs">, path: string): Promise<boolean> {
  try {
    await host.fs.remove(path);
    return true;
  } catch (error) {
    return ToolError.is(error) && error.code === "NOT_FOUND";
  }
}
