/** Lets one piece of work at a time happen to a path; the others wait their turn. */
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
