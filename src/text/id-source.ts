/** Creates ids that are unique on this machine: a random part created once, and a counter. */
export class IdSource {
  #base: string | undefined;
  #count = 0;

  next(prefix: string): string {
    this.#count += 1;
    this.#base ??= crypto.randomUUID().slice(0, 8);
    return `${prefix}-${this.#base}-${this.#count}`;
  }
}
