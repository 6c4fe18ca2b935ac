/** Runs one question at a time, in the order of arrival. */
export class QuestionQueue {
  #tail: Promise<void> = Promise.resolve();

  async run<T>(ask: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    await before;
    try {
      return await ask();
    } finally {
      resolve();
    }
  }
}

/** Counts identical failures in a row, per tool. */
export class FailureStreaks {
  readonly #last = new Map<string, { readonly key: string; readonly count: number }>();

  /** Records a failure and returns how often in a row this tool has failed in exactly this way. */
  failed(tool: string, key: string): number {
    const last = this.#last.get(tool);
    const count = last?.key === key ? last.count + 1 : 1;
    this.#last.set(tool, { key, count });
    return count;
  }

  succeeded(tool: string): void {
    if (this.#last.size > 0) this.#last.delete(tool);
  }
}
