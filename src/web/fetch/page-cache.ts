import type { WebPage } from "../../core/index.ts";

/** Time for which a page is not fetched again. */
const keptMs = 15 * 60_000;

/** Characters and bytes of all cached pages together. */
const maxSize = 20_000_000;

interface Entry {
  readonly page: WebPage;
  readonly size: number;
  readonly until: number;
}

/** Pages fetched in the last 15 minutes, by address and form. */
export class PageCache {
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  get(key: string, now: number): WebPage | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until <= now) {
      this.#remove(key, entry);
      return undefined;
    }
    return entry.page;
  }

  add(key: string, page: WebPage, now: number): void {
    const size =
      page.kind === "text" ? page.text.length : page.kind === "bytes" ? page.bytes.length : 100;
    const known = this.#entries.get(key);
    if (known !== undefined) this.#remove(key, known);
    this.#entries.set(key, { page, size, until: now + keptMs });
    this.#size += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= maxSize || oldest === key) break;
      this.#remove(oldest, entry);
    }
  }

  #remove(key: string, { size }: Entry): void {
    this.#entries.delete(key);
    this.#size -= size;
  }
}
