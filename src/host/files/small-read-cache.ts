import type { NamedContent } from "./large-read-cache.ts";

/** Maximum size in bytes; larger files are not read synchronously. */
const maxBytes = 65_536;

/**
 * The small content that was read last, copied, because the reader may change its own buffer. A call that changes a
 * file reads it again right before, and comparing two contents takes a tenth of the time of hashing one.
 */
export class SmallReadCache {
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

  /** Whether this content has that hash; false also if another content was read last. */
  isNamed(content: Uint8Array, hash: string): boolean {
    if (this.#memory === undefined || this.#hash !== hash) return false;
    return Buffer.compare(content, this.#memory.subarray(0, this.#length)) === 0;
  }
}
