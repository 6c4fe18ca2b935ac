import { statSync } from "node:fs";

/** Milliseconds of one tick of the file system's clock; changes within it have the same time. */
const tickMs = 50;

/** The same on a file system that keeps whole seconds, or every second one of them. */
const coarseTickMs = 2100;

interface Entry<T> {
  readonly dev: number;
  readonly ino: number;
  readonly ctimeMs: number;
  readonly listing: T;
}

/**
 * Listings of directories, each valid until a name is added to its directory or removed. The change time of a directory
 * tells, and no program can set that.
 */
export class ListingCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /**
   * Returns the listing of a directory under a key, and calls `list` if it may have changed. Throws what `list` throws,
   * and where there is no directory.
   */
  at(path: string, list: () => T, key = path): T {
    // Of the directory that is listed, also where a link leads to it.
    const { dev, ino, ctimeMs } = statSync(path);
    const known = this.#entries.get(key);
    if (known?.ino === ino && known.dev === dev && known.ctimeMs === ctimeMs) return known.listing;
    const listing = list();
    this.#entries.delete(key);
    if (Date.now() - ctimeMs < tickOf(ctimeMs)) return listing;
    this.#entries.set(key, { dev, ino, ctimeMs, listing });
    if (this.#entries.size > this.#maxEntries) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return listing;
  }
}

/** Milliseconds after a change time in which a further change may have the same one. */
export function tickOf(ctimeMs: number): number {
  return Number.isInteger(ctimeMs / 1000) ? coarseTickMs : tickMs;
}
