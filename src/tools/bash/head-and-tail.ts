/** Keeps the beginning and the end of a text that arrives in parts; memory is bounded by its limit. */
export class HeadAndTail {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head = "";
  #tail: string[] = [];
  #tailLength = 0;
  #total = 0;

  /** `limit` counts UTF-16 units, shared evenly between beginning and end. */
  constructor(limit: number) {
    this.#headLimit = Math.floor(limit / 2);
    this.#tailLimit = limit - this.#headLimit;
  }

  /** Everything that was added. */
  get total(): number {
    return this.#total;
  }

  add(text: string): void {
    this.#total += text.length;
    const room = this.#headLimit - this.#head.length;
    const rest = room > 0 ? text.slice(room) : text;
    if (room > 0) this.#head += text.slice(0, room);
    if (rest === "") return;
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    this.#trim();
  }

  /** The text, with a line that counts what is missing where something is. */
  text(): string {
    const tail = this.#tail.join("");
    if (tail.length <= this.#tailLimit) {
      const isWhole = this.#head.length + tail.length === this.#total;
      return isWhole ? this.#head + tail : this.#joined(tail);
    }
    return this.#joined(tail.slice(tail.length - this.#tailLimit));
  }

  #joined(tail: string): string {
    // From the next line on, where there is one near: half a line explains nothing.
    const newline = tail.indexOf("\n");
    const end = newline !== -1 && newline < 1000 ? tail.slice(newline + 1) : tail;
    const missing = this.#total - this.#head.length - end.length;
    const separator = this.#head.endsWith("\n") ? "" : "\n";
    return `${this.#head}${separator}[… ${missing} characters left out here …]\n${end}`;
  }

  /** Drops whole parts from the front while enough stays behind them. */
  #trim(): void {
    let dropped = 0;
    for (const part of this.#tail) {
      if (this.#tailLength - part.length < this.#tailLimit) break;
      this.#tailLength -= part.length;
      dropped++;
    }
    if (dropped > 0) this.#tail = this.#tail.slice(dropped);
  }
}
