import type { NamedContent } from "./last-large-file.ts";

/** Larger ones are not read at once. */
const maxBytes = 65_536;

/**
 * The small content that was read last, in memory of its own: whoever was given it may change it. A call that changes a
 * file reads it once more right before that, and to compare two contents takes a tenth of naming one.
 */
export class LastSmallFile {
  #memory: Uint8Array | undefined;
  #length = 0;
  #hash = "";

  keep({ bytes, hash }: NamedContent): void {
    if (bytes.length === 0 || bytes.length >= maxBytes) return;
    this.#memory ??= new Uint8Array(maxBytes);
    this.#memory.set(bytes);
    this.#length = bytes.length;
    this.#hash = hash;
  }

  /** Whether this is the content of that name; false also where another one was read last. */
  isNamed(content: Uint8Array, hash: string): boolean {
    if (this.#memory === undefined || this.#hash !== hash) return false;
    return Buffer.compare(content, this.#memory.subarray(0, this.#length)) === 0;
  }
}
