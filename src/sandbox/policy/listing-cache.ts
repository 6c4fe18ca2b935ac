import { statSync } from "node:fs";

/** Milliseconds of one tick of the file system's clock; changes within it have the same time. */
const tickMs = 50;

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
    if (Date.now() - ctimeMs < tickMs) return listing;
    this.#entries.set(key, { dev, ino, ctimeMs, listing });
    if (this.#entries.size > this.#maxEntries) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return listing;
  }
}
