/** The latest bytes of an output that grows, within a bound, found by their place in the whole. */
export class RecentOutput {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  /** Where the first chunk stands. */
  #start: number;
  #total: number;

  /** `start` bytes came before and are not held. */
  constructor(limit: number, start = 0) {
    this.#limit = limit;
    this.#start = start;
    this.#total = start;
  }

  /** Bytes there were in all. */
  get total(): number {
    return this.#total;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#total += bytes.length;
    let dropped = 0;
    for (const chunk of this.#chunks) {
      if (this.#total - this.#start - chunk.length < this.#limit) break;
      this.#start += chunk.length;
      dropped += 1;
    }
    if (dropped > 0) this.#chunks = this.#chunks.slice(dropped);
  }

  /** The bytes from one place up to another; undefined where they are no longer all held. */
  slice(from: number, to: number): Uint8Array | undefined {
    if (from < this.#start) return undefined;
    const end = Math.min(to, this.#total);
    const out = new Uint8Array(Math.max(0, end - from));
    let at = this.#start;
    for (const chunk of this.#chunks) {
      const first = Math.max(from, at);
      const last = Math.min(end, at + chunk.length);
      if (first < last) out.set(chunk.subarray(first - at, last - at), first - from);
      at += chunk.length;
    }
    return out;
  }
}
