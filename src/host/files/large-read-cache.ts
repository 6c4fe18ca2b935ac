import type { BigIntStats } from "node:fs";

/** Minimum size in bytes; for a smaller file, reading and hashing cost less than remembering it. */
const minBytes = 1_000_000;
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
    if (bytes.length < minBytes || beganMs - Number(stats.ctimeMs) < tickMs) return;
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
