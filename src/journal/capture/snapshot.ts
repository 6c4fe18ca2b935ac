import { ToolError, type HostFs, type HostStat, type WrittenFile } from "../../core/index.ts";
import { absent, imageOfStat, type FileState } from "./file-state.ts";
import { inBatches, isNotFound } from "../../text/index.ts";

/** Present state of a path. */
export interface Snapshot {
  readonly image: FileState;
  /** Content of the file, if it was read. */
  readonly bytes?: Uint8Array;
  readonly stat?: HostStat;
}

/**
 * Reads the state of a canonical path without following a final link. A file of more than `maxBytes` is not read but
 * identified by its version. Errors other than "not found" are passed on from the host.
 */
export async function snapshotPath(fs: HostFs, path: string, maxBytes: number): Promise<Snapshot> {
  try {
    // Most paths are files, and one call returns content, hash and mode together.
    return snapshotOfFile(await fs.readFile(path, { maxBytes }));
  } catch (error) {
    if (isNotFound(error)) return { image: absent };
    if (!ToolError.is(error) || !notAReadableFile.has(error.code)) throw error;
    return lookWithoutReading(fs, path);
  }
}

/** Snapshot of a file that was read or written. */
export function snapshotOfFile({ bytes, hash, stat }: WrittenFile): Snapshot {
  const { mode, mtimeMs, node } = stat;
  const size = bytes?.length ?? stat.size;
  const image = { kind: "file", hash, size, mode, mtimeMs, ...(node && { node }) } as const;
  return { image, ...(bytes && { bytes }), stat };
}

/** Maximum number of content bytes kept in memory; other contents are read again. */
const maxHeldBytes = 64 * 1024 * 1024;

/** Reads the states of many paths, each with its own `maxBytes`. Contents are included up to a common limit. */
export async function snapshotAll(
  fs: HostFs,
  limits: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, Snapshot>> {
  let held = 0;
  const snapshots = await inBatches([...limits], async ([path, maxBytes]) => {
    const { bytes, ...sight } = await snapshotPath(fs, path, maxBytes);
    held += bytes?.length ?? 0;
    const isHeld = bytes !== undefined && held <= maxHeldBytes;
    return [path, isHeld ? { ...sight, bytes } : sight] as const;
  });
  return new Map(snapshots);
}

/** Whether this error means that a link is in the path, or at its end where that counts too. */
export function isBehindLink(error: unknown): boolean {
  return ToolError.is(error) && error.code === "PATH_CHANGED";
}

const notAReadableFile: ReadonlySet<string> = new Set([
  "IS_DIRECTORY",
  "NOT_A_FILE",
  "PATH_CHANGED",
  "TOO_LARGE",
]);

async function lookWithoutReading(fs: HostFs, path: string): Promise<Snapshot> {
  try {
    const stat = await fs.stat(path);
    if (stat.kind !== "symlink") return { image: imageOfStat(stat), stat };
    return { image: { kind: "symlink", target: await fs.readLink(path) }, stat };
  } catch (error) {
    // A path behind a link does not exist: the canonical path has no links.
    if (isNotFound(error) || isBehindLink(error)) return { image: absent };
    throw error;
  }
}
