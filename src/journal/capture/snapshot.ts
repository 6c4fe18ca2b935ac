import { ToolError, type HostFs, type HostStat, type LeftFile } from "../../core/index.ts";
import { absent, imageOfStat, type Image } from "./file-state.ts";
import { inBatches } from "../../text/index.ts";

/** A path as it is now. */
export interface Sight {
  readonly image: Image;
  /** The content of a file that was read. */
  readonly bytes?: Uint8Array;
  readonly stat?: HostStat;
}

/**
 * Looks at a canonical path without following a link at its end. A file of more than `maxBytes` is not read but
 * known by its version. Errors other than "nothing there" are the host's.
 */
export async function lookAt(fs: HostFs, path: string, maxBytes: number): Promise<Sight> {
  try {
    // Most paths are files, and one door gives content, hash and mode at once.
    return sightOfFile(await fs.readFile(path, { maxBytes }));
  } catch (error) {
    if (isMissing(error)) return { image: absent };
    if (!ToolError.is(error) || !notAReadableFile.has(error.code)) throw error;
    return lookWithoutReading(fs, path);
  }
}

/** A file that was read, or written. */
export function sightOfFile({ bytes, hash, stat }: LeftFile): Sight {
  const { mode, mtimeMs, node } = stat;
  const size = bytes?.length ?? stat.size;
  const image = { kind: "file", hash, size, mode, mtimeMs, ...(node && { node }) } as const;
  return { image, ...(bytes && { bytes }), stat };
}

/** Contents of so many paths at once are held; those of others are read again. */
const maxHeldBytes = 64 * 1024 * 1024;

/** The same for many paths, each with its own `maxBytes`; contents only as far as they may be held together. */
export async function lookAtAll(
  fs: HostFs,
  limits: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, Sight>> {
  let held = 0;
  const sights = await inBatches([...limits], async ([path, maxBytes]) => {
    const { bytes, ...sight } = await lookAt(fs, path, maxBytes);
    held += bytes?.length ?? 0;
    const isHeld = bytes !== undefined && held <= maxHeldBytes;
    return [path, isHeld ? { ...sight, bytes } : sight] as const;
  });
  return new Map(sights);
}

/** Whether this error says that nothing stands at the path. */
export function isMissing(error: unknown): boolean {
  return ToolError.is(error) && (error.code === "NOT_FOUND" || error.code === "NOT_A_DIRECTORY");
}

/** Whether this error says that a link stands on the way, or at the end where that counts as on the way. */
export function isBehindLink(error: unknown): boolean {
  return ToolError.is(error) && error.code === "PATH_CHANGED";
}

const notAReadableFile: ReadonlySet<string> = new Set([
  "IS_DIRECTORY",
  "NOT_A_FILE",
  "PATH_CHANGED",
  "TOO_LARGE",
]);

async function lookWithoutReading(fs: HostFs, path: string): Promise<Sight> {
  try {
    const stat = await fs.stat(path);
    if (stat.kind !== "symlink") return { image: imageOfStat(stat), stat };
    return { image: { kind: "symlink", target: await fs.readLink(path) }, stat };
  } catch (error) {
    // Behind a link there is nothing of this name: the path itself has none on the way.
    if (isMissing(error) || isBehindLink(error)) return { image: absent };
    throw error;
  }
}
