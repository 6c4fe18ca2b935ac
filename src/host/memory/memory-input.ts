/** Data written to the stdin of a scripted program; undefined marks the end. */
export class MemoryInput implements AsyncIterable<Uint8Array> {
  readonly #waiting: (Uint8Array | undefined)[];
  #wake: (() => void) | undefined;

  constructor(waiting: readonly (Uint8Array | undefined)[] = []) {
    this.#waiting = [...waiting];
  }

  push(bytes: Uint8Array | undefined): void {
    this.#waiting.push(bytes);
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#waiting.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const bytes = this.#waiting.shift();
      if (bytes === undefined) return;
      yield bytes;
    }
  }
}
