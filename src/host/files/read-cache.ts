import type { BigIntStats } from "node:fs";

/** Minimum bytes of large content; for a smaller file, reading and hashing cost less than remembering it. */
const minLargeBytes = 1_000_000;
/** Maximum length of a kernel clock tick in milliseconds; two changes within one tick may have the same time. */
const tickMs = 20;

/** Content and its hash. */
export interface NamedContent {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/**
 * The large content that was read last, for as long as other code references it. One call reads a file more than once,
 * to capture its state and to change it; reading and hashing it again would give the same result.
 */
export class LargeReadCache {
  #version = "";
  #hash = "";
  #bytes: WeakRef<Uint8Array> | undefined;

  /** The content of this version of a file, if it was the last one read. */
  of(version: string): NamedContent | undefined {
    const bytes = this.#version === version ? this.#bytes?.deref() : undefined;
    return bytes === undefined ? undefined : { bytes, hash: this.#hash };
  }

  /**
   * Remembers content unless it is small, or its file changed so recently that another change might have the same time.
   */
  keep({ bytes, hash }: NamedContent, version: string, { stats, beganMs }: Seen): void {
    if (bytes.length < minLargeBytes || beganMs - Number(stats.ctimeMs) < tickMs) return;
    this.#version = version;
    this.#hash = hash;
    this.#bytes = new WeakRef(bytes);
  }
}

interface Seen {
  readonly stats: Pick<BigIntStats, "ctimeMs">;
  /** Time before the stats were read, in milliseconds since the epoch. */
  readonly beganMs: number;
}

/** Maximum bytes of small content; larger files are not read synchronously. */
const maxSmallBytes = 65_536;

/**
 * The small content that was read last, copied, because the reader may change its own buffer. A call that changes a
 * file reads it again right before, and comparing two contents takes a tenth of the time of hashing one.
 */
export class SmallReadCache {
  #memory: Uint8Array | undefined;
  #length = 0;
  #hash = "";

  keep({ bytes, hash }: NamedContent): void {
    if (bytes.length === 0 || bytes.length >= maxSmallBytes) return;
    this.#memory ??= new Uint8Array(maxSmallBytes);
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
