import { readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { ToolError } from "../core/index.ts";
import { joinPath } from "../text/index.ts";

/**
 * Creates a directory for the lifetime of this process, and removes those of processes that ended without doing so
 * themselves. The name contains the owner: the process id and the namespace it belongs to.
 */
export async function ownedDirectory(base: string, prefix: string): Promise<string> {
  const space = namespaceOf();
  for (const name of namesIn(base)) {
    if (!name.startsWith(`${prefix}-`)) continue;
    const [owner = "", pid = ""] = name.slice(prefix.length + 1).split("-");
    if (owner !== space || isAlive(Number(pid))) continue;
    await rm(joinPath(base, name), { recursive: true }).catch(() => undefined);
  }
  try {
    return await mkdtemp(joinPath(base, `${prefix}-${space ?? "0"}-${process.pid}-`));
  } catch (error) {
    throw temporaryFileError(error, base);
  }
}

/** The error for the caller where a temporary file could not be written: a full disk is not a fault of haft. */
export function temporaryFileError(error: unknown, directory: string): unknown {
  const isFull =
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOSPC" || error.code === "EDQUOT");
  if (!isFull) return error;
  return new ToolError("NO_SPACE", `There is no space left for temporary files in ${directory}.`, {
    hint: "Free some space, or name another directory with TMPDIR.",
    data: { path: directory },
    cause: error,
  });
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function namespaceOf(): string | undefined {
  try {
    return /\d+/u.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive as well (EPERM), and an invalid number proves nothing.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
