import { startOfLine } from "./match.ts";

/** Lines to search for: a piece that each contains, and a test for those that contain it. */
export interface WantedLines {
  readonly piece: string;
  readonly isMeant: (line: string) => boolean;
  /** Maximum number of results. Default: all. */
  readonly most?: number;
  /** Maximum number of lines with the piece that are tested. Default: all. */
  readonly looks?: number;
}

/** Finds lines of a text by a piece of them, so that lines without the piece are not tested one by one. */
export class LineSearch {
  readonly #text: string;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Indices of the wanted lines, in order; undefined if that takes more tests than allowed. */
  find(wanted: WantedLines & { readonly looks: number }): readonly number[] | undefined;
  find(wanted: WantedLines): readonly number[];
  find(wanted: WantedLines): readonly number[] | undefined {
    const { piece, isMeant, most = Number.POSITIVE_INFINITY } = wanted;
    let { looks = Number.POSITIVE_INFINITY } = wanted;
    const text = this.#text;
    const found: number[] = [];
    for (let at = text.indexOf(piece); at !== -1 && found.length < most;) {
      if (looks-- === 0) return undefined;
      const start = startOfLine(text, at);
      const end = endOfLine(text, at);
      if (isMeant(text.slice(start, end))) found.push(this.#indexAt(start));
      at = text.indexOf(piece, end);
    }
    return found;
  }

  /** A line without its `\n`; undefined if it does not exist. */
  line(index: number): string | undefined {
    const start = this.#lineStarts[index];
    return start === undefined ? undefined : this.#text.slice(start, endOfLine(this.#text, start));
  }

  /** Index of the line that begins at an offset. */
  #indexAt(start: number): number {
    const starts = this.#lineStarts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? start) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get #lineStarts(): readonly number[] {
    return (this.#starts ??= lineStarts(this.#text));
  }
}

function endOfLine(text: string, at: number): number {
  const feed = text.indexOf("\n", at);
  return feed === -1 ? text.length : feed;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
