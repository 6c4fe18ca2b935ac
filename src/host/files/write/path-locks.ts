/** Runs one operation at a time per path; others wait for their turn. */
export class PathLocks {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(path);
    const mine = before === undefined ? work() : before.then(work, work);
    this.#last.set(path, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(path) === mine) this.#last.delete(path);
    }
  }
}
