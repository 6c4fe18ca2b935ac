import { indexedLines } from "./page.ts";

/** Line starts of one content, one for every thousand lines. */
export interface LineIndex {
  /** The closest stored line start at or before a line, with its offset from the first byte. */
  before(line: number): { readonly line: number; readonly offset: number };
  /** Stores a line start. Starts arrive in order; known ones are ignored. */
  add(line: number, offset: number): void;
}

/** Maximum number of files with an index, the most recently used. */
const maxFiles = 16;
/** Maximum number of stored starts for one file, 8 MB of memory. */
const maxStarts = 1_000_000;

/** Line indexes of files that were paged through. A file that changed has another version and starts over. */
export class LineIndexes {
  readonly #kept = new Map<string, { readonly version: string; readonly index: LineIndex }>();

  of(path: string, version: string): LineIndex {
    const known = this.#kept.get(path);
    this.#kept.delete(path);
    const entry = known?.version === version ? known : { version, index: lineIndex() };
    this.#kept.set(path, entry);
    if (this.#kept.size > maxFiles) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    return entry.index;
  }
}

export function lineIndex(): LineIndex {
  let starts = new Float64Array(64);
  let count = 0;
  return {
    before(line) {
      const place = Math.min(Math.floor((line - 1) / indexedLines), count);
      return place === 0
        ? { line: 1, offset: 0 }
        : { line: place * indexedLines + 1, offset: starts[place - 1] ?? 0 };
    },
    add(line, offset) {
      // Without gaps, so that the position of a start determines its line.
      if (line !== (count + 1) * indexedLines + 1 || count >= maxStarts) return;
      if (count === starts.length) {
        const larger = new Float64Array(count * 2);
        larger.set(starts);
        starts = larger;
      }
      starts[count] = offset;
      count++;
    },
  };
}
