const firstBytes = 4096;

/** The latest bytes of an unbounded stream in memory of a fixed size, addressed by their position in the stream. */
export class ByteRing {
  readonly #limit: number;
  #memory: Uint8Array = new Uint8Array();
  /** Stream position of the first stored byte. */
  #start: number;
  #end: number;

  /** Stores at most `limit` bytes; `start` bytes of the stream came before and are not stored. */
  constructor(limit: number, start = 0) {
    this.#limit = limit;
    this.#start = start;
    this.#end = start;
  }

  /** Stream position of the first stored byte. */
  get start(): number {
    return this.#start;
  }

  /** Total number of bytes of the stream. */
  get end(): number {
    return this.#end;
  }

  add(bytes: Uint8Array): void {
    const from = Math.max(0, bytes.length - this.#limit);
    this.#makeRoom(bytes.length - from);
    // Bytes that would be overwritten at once are only counted.
    this.#end += from;
    const size = this.#memory.length;
    const at = size === 0 ? 0 : this.#end % size;
    const untilEdge = Math.min(bytes.length - from, size - at);
    if (untilEdge === bytes.length) this.#memory.set(bytes, at);
    else {
      this.#memory.set(bytes.subarray(from, from + untilEdge), at);
      this.#memory.set(bytes.subarray(from + untilEdge), 0);
    }
    this.#end += bytes.length - from;
    this.#start = Math.max(this.#start, this.#end - this.#limit);
  }

  /** A copy of the bytes from one position up to another; undefined if some of them are no longer stored. */
  slice(from: number, to: number): Uint8Array | undefined {
    if (from < this.#start) return undefined;
    const length = Math.max(0, Math.min(to, this.#end) - from);
    const out = new Uint8Array(length);
    if (length === 0) return out;
    const at = from % this.#memory.length;
    const first = this.#memory.subarray(at, at + length);
    out.set(first);
    out.set(this.#memory.subarray(0, length - first.length), first.length);
    return out;
  }

  /** Grows on demand, so that a short stream uses little memory; stored bytes keep their positions. */
  #makeRoom(more: number): void {
    const held = this.#end - this.#start;
    const wanted = Math.min(this.#limit, held + more);
    if (wanted <= this.#memory.length) return;
    const size = Math.min(this.#limit, Math.max(firstBytes, wanted, this.#memory.length * 2));
    const bytes = this.slice(this.#start, this.#end) ?? new Uint8Array();
    this.#memory = new Uint8Array(size);
    const at = this.#start % size;
    const untilEdge = Math.min(bytes.length, size - at);
    this.#memory.set(bytes.subarray(0, untilEdge), at);
    this.#memory.set(bytes.subarray(untilEdge), 0);
  }
}
