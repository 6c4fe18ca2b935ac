import type { HostEntry } from "../../../core/index.ts";
import type { TrackedFiles } from "./tracked-files.ts";
import type { Visibility } from "./visibility.ts";
import { childPath, type VisibleFiles } from "./visible-files.ts";

/** Tracked files of one directory that ignore files or the default list exclude from a search. */
export interface HiddenTracked {
  readonly directory: string;
  /** Paths relative to the directory. */
  readonly files: readonly string[];
}

/** A directory of an index. */
interface Folder {
  readonly entries: Map<string, HostEntry>;
}

/**
 * Finds the files below a root that git tracks in spite of an ignore file or the default list. It uses the index and
 * the ignore files listed there and does not walk the disk. Yields each topmost ignored directory once, and undefined
 * from time to time.
 */
export async function* hiddenTracked(
  visible: VisibleFiles,
  root: string,
  above: Visibility,
): AsyncGenerator<HiddenTracked | undefined> {
  const { tracked } = above;
  if (tracked === undefined) return;
  const folders = foldersOf(tracked, root) ?? new Map<string, Folder>();
  const open = [{ path: root, rules: above }];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const { path } = folder;
    const names = [...(folders.get(path)?.entries.values() ?? [])];
    const seen = await visible.judge(path, folder.rules, [
      ...names,
      ...(path === root ? possibleIgnoreFiles : []),
      ...(path === tracked.top ? gitEntry : []),
    ]);
    const files: string[] = [];
    for (const entry of seen.entries) {
      const { name, kind, isVisible, rules } = entry;
      if (!isVisible || folders.get(path)?.entries.has(name) !== true) continue;
      const isDirectory = kind === "directory";
      if (seen.rules.isUnquestioned(entry.path, name, isDirectory)) {
        if (isDirectory) open.push({ path: entry.path, rules });
      } else if (!isDirectory) files.push(name);
      else yield { directory: entry.path, files: await within(entry.path, rules) };
    }
    // Yields even without a result, so that the caller can end the loop.
    yield files.length > 0 ? { directory: path, files } : undefined;
  }

  /** The tracked files of a directory that is ignored as a whole. */
  async function within(directory: string, rules: Visibility): Promise<readonly string[]> {
    const files: string[] = [];
    const inside = [{ path: directory, rules }];
    for (let folder = inside.pop(); folder !== undefined; folder = inside.pop()) {
      const names = [...(folders.get(folder.path)?.entries.values() ?? [])];
      const { entries } = await visible.judge(folder.path, folder.rules, names);
      for (const entry of entries) {
        if (!entry.isVisible) continue;
        if (entry.kind === "directory") inside.push(entry);
        else files.push(entry.path.slice(directory.length + 1));
      }
    }
    return files;
  }
}

/** Ignore files that git does not track also apply, but are looked up only at the root. */
const possibleIgnoreFiles: readonly HostEntry[] = [".rgignore", ".ignore", ".gitignore"].map(
  (name) => ({ name, kind: "file" }),
);
const gitEntry: readonly HostEntry[] = [{ name: ".git", kind: "directory" }];

/** Maximum number of directories, above that of any repository; an index that names more counts as empty. */
const maxFolders = 500_000;

function foldersOf(tracked: TrackedFiles, root: string): ReadonlyMap<string, Folder> | undefined {
  const folders = new Map<string, Folder>();
  for (const path of tracked.index.below(tracked.belowTop(root))) {
    // Most parents of a path are also parents of the previous path.
    let child = childPath(tracked.top, path);
    let kind: HostEntry["kind"] = "file";
    for (;;) {
      const slash = child.lastIndexOf("/");
      const parent = slash === 0 ? "/" : child.slice(0, slash);
      const name = child.slice(slash + 1);
      const known = folders.get(parent);
      if (known === undefined) folders.set(parent, { entries: new Map([[name, { name, kind }]]) });
      else if (!known.entries.has(name)) known.entries.set(name, { name, kind });
      if (known !== undefined || parent === root) break;
      child = parent;
      kind = "directory";
    }
    if (folders.size > maxFolders) return undefined;
  }
  return folders;
}
