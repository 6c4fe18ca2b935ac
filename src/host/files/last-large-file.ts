import type { BigIntStats } from "node:fs";

/** Reading and naming less than this costs less than remembering it is worth. */
const minBytes = 1_000_000;
/** Two changes within one tick of the kernel's clock may bear the same time; no kernel's tick is longer. */
const tickMs = 20;

/** Some content and its name. */
export interface NamedContent {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/**
 * The large content that was read last, for as long as someone else holds it. One call reads a file more than
 * once, to keep what it was and to change it; reading and naming it again would give the same.
 */
export class LastLargeFile {
  #version = "";
  #hash = "";
  #bytes: WeakRef<Uint8Array> | undefined;

  /** What was read of this version of a file. */
  of(version: string): NamedContent | undefined {
    const bytes = this.#version === version ? this.#bytes?.deref() : undefined;
    return bytes === undefined ? undefined : { bytes, hash: this.#hash };
  }

  /** Remembers a content, unless it is small or its file changed so lately that one more change might not show. */
  keep({ bytes, hash }: NamedContent, version: string, { stats, beganMs }: Seen): void {
    if (bytes.length < minBytes || beganMs - Number(stats.ctimeMs) < tickMs) return;
    this.#version = version;
    this.#hash = hash;
    this.#bytes = new WeakRef(bytes);
  }
}

interface Seen {
  readonly stats: Pick<BigIntStats, "ctimeMs">;
  /** When the stats were taken. */
  readonly beganMs: number;
}
