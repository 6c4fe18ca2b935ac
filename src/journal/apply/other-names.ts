import { joinPath, parentPath } from "../../text/index.ts";
import { ToolError, type HostFs } from "../../core/index.ts";
import { isContentHash, type FileState } from "../capture/file-state.ts";
import type { NotCaptured, Step } from "../records.ts";
import { snapshotPath } from "../capture/snapshot.ts";

/**
 * Search for other names of files: in the directory of a file, in its parent, and in everything below, within a limit.
 */
export interface NameSearch {
  readonly fs: HostFs;
  /** Number of entries that may still be read, for all files together. */
  left: number;
}

const maxEntries = 20_000;

export function nameSearch(fs: HostFs): NameSearch {
  return { fs, left: maxEntries };
}

type File = FileState & { readonly kind: "file" };

/**
 * Makes a missing path a name of its former file again (hard link), if another name of the file is found near it and
 * the file is unchanged. Otherwise returns false, and the path gets a file of its own.
 */
export async function takeNameBack(
  { path, to }: { readonly path: string; readonly to: File },
  search: NameSearch,
): Promise<boolean> {
  const { node } = to;
  const { fs } = search;
  if (node === undefined || fs.addName === undefined || !isContentHash(to.hash)) return false;
  try {
    for await (const other of candidates(path, to, search)) {
      await fs.mkdir(parentPath(path));
      if (await fs.addName(path, { path: other, node })) return true;
    }
  } catch (error) {
    // An entry that cannot be read or linked must not prevent writing the content.
    if (!ToolError.is(error)) throw error;
  }
  return false;
}

/** Files that have the same content and metadata. */
async function* candidates(path: string, file: File, search: NameSearch): AsyncGenerator<string> {
  const { fs } = search;
  const seen = new Set<string>();
  const own = parentPath(path);
  const waiting = [own, parentPath(own)].filter((each) => each !== "/");
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    for (const { name, kind } of await entriesOf(folder, fs)) {
      search.left -= 1;
      if (search.left < 0) return;
      const each = joinPath(folder, name);
      if (kind === "directory") waiting.push(each);
      else if (kind === "file" && each !== path && (await isSame(each, file, fs))) yield each;
    }
  }
}

async function entriesOf(folder: string, fs: HostFs) {
  const entries = [];
  try {
    for await (const entry of fs.list(folder)) entries.push(entry);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
  return entries;
}

async function isSame(path: string, file: File, fs: HostFs): Promise<boolean> {
  try {
    const { size, mode, mtimeMs } = await fs.stat(path);
    if (size !== file.size || mode !== file.mode || mtimeMs !== file.mtimeMs) return false;
    const { image } = await snapshotPath(fs, path, file.size);
    return image.kind === "file" && image.hash === file.hash;
  } catch (error) {
    if (ToolError.is(error)) return false;
    throw error;
  }
}

/** Paths that were one of several names of a file and have a file of their own now. */
export async function separated(
  steps: readonly Step[],
  fs: HostFs,
): Promise<readonly NotCaptured[]> {
  const apart: NotCaptured[] = [];
  for (const { path, to } of steps) {
    if (to.kind !== "file" || to.node === undefined) continue;
    if ((await nodeAt(path, fs)) === to.node) continue;
    apart.push({ path, because: "it was another name of a file, and is a file of its own now" });
  }
  return apart;
}

async function nodeAt(path: string, fs: HostFs): Promise<string | undefined> {
  try {
    return (await fs.stat(path)).node;
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
