import { isBlank, occurrences, type Place } from "./place.ts";
import { foldToken, hasLookAlikes, specialTokens } from "./look-alikes.ts";

/** What a fold leaves out of account, besides the kind of line ending. */
export interface FoldOptions {
  readonly trailingSpace: boolean;
  readonly lookAlikes: boolean;
}

/** A text as it is compared, which knows where its parts stand in the original. */
export interface Folded {
  readonly text: string;
  /** Places of the original, whose edges fall between whole characters of it. */
  readonly find: (wanted: string) => Place[];
  /** The same for one place of the folded text; undefined where an edge cuts a replaced piece. */
  readonly toOriginal: (place: Place) => Place | undefined;
}

/**
 * Folds a text without losing its offsets: `\r\n` reads as `\n`, and as asked blanks at line ends are left
 * out and characters that look alike are read as the plain one.
 */
export function fold(text: string, options: FoldOptions): Folded {
  const lookAlikes = options.lookAlikes && hasLookAlikes([text]);
  const trailingSpace = options.trailingSpace && (lookAlikes || /[ \t](?:\r?\n|$)/u.test(text));
  if (!lookAlikes && !trailingSpace && !text.includes("\r\n")) return unfolded(text);
  const pieces = new Pieces(text);
  let line = 0;
  let feed: number;
  do {
    feed = text.indexOf("\n", line);
    const end = feed === -1 ? text.length : feed;
    const contentEnd = text[feed - 1] === "\r" ? feed - 1 : end;
    const kept = trailingSpace
      ? withoutBlanks(text, line, { end: contentEnd, lookAlikes })
      : contentEnd;
    if (lookAlikes) foldLine(pieces, line, kept);
    else pieces.copy(line, kept);
    if (feed !== -1) pieces.replace(contentEnd, { end: feed + 1, by: "\n" });
    line = feed + 1;
  } while (feed !== -1);
  return pieces.finish();
}

function unfolded(text: string): Folded {
  return { text, find: (wanted) => occurrences(text, wanted), toOriginal: (place) => place };
}

function foldLine(pieces: Pieces, start: number, end: number): void {
  let copied = start;
  for (const { at, token } of specialTokens(pieces.text.slice(start, end))) {
    const folded = foldToken(token);
    pieces.copy(copied, start + at);
    copied = start + at + token.length;
    pieces.replace(start + at, { end: copied, by: folded });
  }
  pieces.copy(copied, end);
}

interface LineEnd {
  readonly end: number;
  readonly lookAlikes: boolean;
}

function withoutBlanks(text: string, start: number, { end, lookAlikes }: LineEnd): number {
  let kept = end;
  while (kept > start) {
    const character = text[kept - 1] ?? "";
    const isSeenAsBlank = lookAlikes && foldToken(character).trim() === "";
    if (!isBlank(character) && !isSeenAsBlank) break;
    kept--;
  }
  return kept;
}

/** Collects what becomes of each part of a text, in order; parts it is not told of are left out. */
class Pieces {
  readonly text: string;
  readonly #parts: string[] = [];
  // One entry for each piece: where it stands folded and in the original, and its two lengths.
  readonly #folded: number[] = [];
  readonly #original: number[] = [];
  readonly #foldedLength: number[] = [];
  readonly #originalLength: number[] = [];
  #length = 0;

  constructor(text: string) {
    this.text = text;
  }

  copy(start: number, end: number): void {
    this.replace(start, { end, by: this.text.slice(start, end) });
  }

  replace(start: number, { end, by }: { readonly end: number; readonly by: string }): void {
    if (by === "") return;
    this.#parts.push(by);
    this.#folded.push(this.#length);
    this.#original.push(start);
    this.#foldedLength.push(by.length);
    this.#originalLength.push(end - start);
    this.#length += by.length;
  }

  finish(): Folded {
    const folded = this.#parts.join("");
    const toOriginal = (place: Place): Place | undefined => this.#toOriginal(place);
    const find = (wanted: string): Place[] =>
      occurrences(folded, wanted).flatMap((place) => toOriginal(place) ?? []);
    return { text: folded, find, toOriginal };
  }

  #toOriginal({ start, end }: Place): Place | undefined {
    const first = this.#offset(start, start);
    const last = end === start ? first : this.#offset(end - 1, end);
    return first === undefined || last === undefined ? undefined : { start: first, end: last };
  }

  /** An edge of the piece that holds a folded character. */
  #offset(character: number, edge: number): number | undefined {
    let low = 0;
    let high = this.#folded.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#folded[middle] ?? 0) <= character) low = middle;
      else high = middle - 1;
    }
    const inside = edge - (this.#folded[low] ?? 0);
    const original = this.#original[low] ?? 0;
    const foldedLength = this.#foldedLength[low] ?? 0;
    const originalLength = this.#originalLength[low] ?? 0;
    if (inside === 0) return original;
    if (inside === foldedLength) return original + originalLength;
    // A piece of the same length may be a copy, in which every edge has its place.
    return foldedLength === originalLength ? original + inside : undefined;
  }
}
