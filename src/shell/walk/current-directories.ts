/** Possible current directories of a shell; undefined if unknown. */
export type Folders = readonly string[] | undefined;

/** Maximum number of directories that are distinguished; more count as unknown. */
const maxFolders = 4;
/** Maximum characters of a directory that is followed: every path below it repeats them. */
const maxFolderLength = 1024;

/** These directories without duplicates, or unknown if they are too many or too long to be followed. */
export function followed(folders: Iterable<string>): Folders {
  const all = new Set(folders);
  if (all.size > maxFolders) return undefined;
  for (const folder of all) if (folder.length > maxFolderLength) return undefined;
  return [...all];
}

/** Union of the possible directories. */
export function joinFolders(all: readonly Folders[]): Folders {
  const joined = new Set<string>();
  for (const folders of all) {
    if (folders === undefined) return undefined;
    for (const folder of folders) joined.add(folder);
  }
  return joined.size > maxFolders ? undefined : [...joined];
}

/** Whether both list the same directories, in the same order. */
export function sameFolders(one: Folders, other: Folders): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || one.length !== other.length) return false;
  return one.every((folder, index) => folder === other[index]);
}

/** All directories in which the shell of one text may have been: a trap handler may run in any of them. */
export class Whereabouts {
  readonly #folders = new Set<string>();
  #isKnown = true;

  add(folders: Folders): void {
    if (folders === undefined) this.#isKnown = false;
    else for (const folder of folders) this.#folders.add(folder);
  }

  all(): Folders {
    return this.#isKnown && this.#folders.size <= maxFolders ? [...this.#folders] : undefined;
  }

  get hasMoved(): boolean {
    return !this.#isKnown || this.#folders.size > 1;
  }
}
