/** Possible current directories of a shell; undefined if unknown. */
export type Folders = readonly string[] | undefined;

/** Maximum number of directories that are distinguished; more count as unknown. */
const maxFolders = 4;

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
