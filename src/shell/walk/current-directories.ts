/** The folders a shell may be in; undefined where that is not known. */
export type Folders = readonly string[] | undefined;

/** More are as good as not known. */
const maxFolders = 4;

/** Every folder the shell of one text may have been in: what it traps may run in any of them. */
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
