import { isBlank, occurrences, type Place } from "./match.ts";
import { hasSpecial, isPlain, readsAs, tokenFinder, type Token } from "./look-alikes.ts";

/** Differences that a fold ignores, besides the kind of line ending. */
export interface FoldOptions {
  readonly trailingSpace: boolean;
  readonly lookAlikes: boolean;
}

/** Properties of a text that determine what needs folding, each computed at most once. */
export class Traits {
  readonly #text: string;
  #hasSpecial: boolean | undefined;
  #isPlain: boolean | undefined;
  #hasReturns: boolean | undefined;
  #hasBlanksAtEnds: boolean | undefined;
  #hasUnseenAtEnds: boolean | undefined;
  #unfolded: Folded | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether it has a character that may be treated as another one. */
  get hasSpecial(): boolean {
    return (this.#hasSpecial ??= hasSpecial(this.#text));
  }

  /** Whether no character is compared in another form than its own. */
  get isPlain(): boolean {
    return (this.#isPlain ??= isPlain(this.#text));
  }

  get hasReturns(): boolean {
    return (this.#hasReturns ??= this.#text.includes("\r\n"));
  }

  get hasBlanksAtEnds(): boolean {
    return (this.#hasBlanksAtEnds ??=
      isBlank(this.#text.at(-1)) || /(?<=[ \t]\r?)\n/.test(this.#text));
  }

  /** Whether lines end with blanks, or with characters that look like a blank or are invisible. */
  get hasUnseenAtEnds(): boolean {
    return (this.#hasUnseenAtEnds ??=
      isSeenAsBlank(this.#text.at(-1) ?? "") || unseenAtEnd.test(this.#text));
  }

  /** The unfolded text, shared by all ways of comparing that have nothing to fold in it. */
  get unfolded(): Folded {
    return (this.#unfolded ??= unfolded(this.#text));
  }
}

/** A text in the form in which it is compared, with a map of its offsets to the original. */
export interface Folded {
  readonly text: string;
  /** Finds matches, as ranges of the original whose edges are between whole characters. */
  readonly find: (wanted: string) => readonly Place[];
  /** Maps one range of the folded text to the original; undefined if an edge splits a replaced piece. */
  readonly toOriginal: (place: Place) => Place | undefined;
}

/**
 * Folds a text without losing its offsets: `\r\n` becomes `\n`; on request, blanks at line ends are removed and
 * characters that look alike are replaced by the plain one.
 */
export function fold(text: string, options: FoldOptions, traits = new Traits(text)): Folded {
  const lookAlikes = options.lookAlikes && traits.hasSpecial;
  const trailingSpace =
    options.trailingSpace && (lookAlikes ? traits.hasUnseenAtEnds : traits.hasBlanksAtEnds);
  const hasTokens = lookAlikes && !traits.isPlain;
  if (!hasTokens && !trailingSpace && !traits.hasReturns) return traits.unfolded;
  const plan = { trailingSpace, lookAlikes, hasTokens };
  if (hasTokens || (trailingSpace && lookAlikes)) return piecesOf(text, plan).finish();
  const folded = trailingSpace ? text.replaceAll(blanksAtEnd, "") : text.replaceAll("\r\n", "\n");
  return new LateFolded(folded, () => piecesOf(text, plan).finish());
}

const blanksAtEnd = /(?<![ \t])[ \t]+(?=\r?\n|$)|\r(?=\n)/g;

interface Plan {
  readonly trailingSpace: boolean;
  readonly lookAlikes: boolean;
  readonly hasTokens: boolean;
}

function piecesOf(text: string, { trailingSpace, lookAlikes, hasTokens }: Plan): Pieces {
  const pieces = new Pieces(text);
  const plain = hasTokens ? new PlainTokens(pieces) : undefined;
  let feed = trailingSpace || text.includes("\r\n") ? 0 : -1;
  for (let line = 0; feed !== -1; line = feed + 1) {
    feed = text.indexOf("\n", line);
    const end = feed === -1 ? text.length : feed;
    const contentEnd = text[feed - 1] === "\r" ? feed - 1 : end;
    const kept = trailingSpace
      ? withoutBlanks(text, line, { end: contentEnd, lookAlikes })
      : contentEnd;
    plain?.upTo(kept);
    // Consecutive unchanged lines are one piece.
    if (kept < contentEnd) pieces.replace(kept, { end: contentEnd, by: "" });
    if (contentEnd < end) pieces.replace(contentEnd, { end: feed + 1, by: "\n" });
  }
  plain?.upTo(text.length);
  return pieces;
}

/** A folded text whose offset map is built only when something is found in it. */
class LateFolded implements Folded {
  readonly text: string;
  readonly #make: () => Folded;
  #made: Folded | undefined;

  constructor(text: string, make: () => Folded) {
    this.text = text;
    this.#make = make;
  }

  find(wanted: string): readonly Place[] {
    return this.text.includes(wanted) ? this.#parts.find(wanted) : [];
  }

  toOriginal(place: Place): Place | undefined {
    return this.#parts.toOriginal(place);
  }

  get #parts(): Folded {
    return (this.#made ??= this.#make());
  }
}

function unfolded(text: string): Folded {
  // Each way of comparing searches for the same text only once.
  const found = new Map<string, readonly Place[]>();
  const find = (wanted: string): readonly Place[] => {
    const before = found.get(wanted);
    if (before !== undefined) return before;
    const places = occurrences(text, wanted);
    found.set(wanted, places);
    return places;
  };
  return { text, find, toOriginal: (place) => place };
}

/** Replaces characters that look alike by plain ones, from the start of a text to its end. */
class PlainTokens {
  readonly #pieces: Pieces;
  readonly #tokenFrom: (offset: number) => Token | undefined;
  #next: Token | undefined;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
    this.#tokenFrom = tokenFinder(pieces.text);
    this.#next = this.#tokenFrom(0);
  }

  upTo(end: number): void {
    const { settled } = this.#pieces;
    if (this.#next !== undefined && this.#next.at < settled) this.#next = this.#tokenFrom(settled);
    while (this.#next !== undefined && this.#next.at < end) {
      const { at, end: tokenEnd, folded } = this.#next;
      this.#pieces.replace(at, { end: tokenEnd, by: folded });
      this.#next = this.#tokenFrom(tokenEnd);
    }
  }
}

interface LineEnd {
  readonly end: number;
  readonly lookAlikes: boolean;
}

function withoutBlanks(text: string, start: number, { end, lookAlikes }: LineEnd): number {
  let kept = end;
  while (kept > start) {
    const character = text[kept - 1] ?? "";
    if (!isBlank(character) && !(lookAlikes && isSeenAsBlank(character))) break;
    kept--;
  }
  return kept;
}

/** A line break after a character that looks like a blank or is invisible. */
const unseenAtEnd =
  /(?<=[ \t\u00A0\u00AD\u1680\u2000-\u200D\u2028\u2029\u202F\u205F\u2060\u3000\uFEFF]\r?)\n/;

/** Whether a character looks like a blank or is invisible. */
export function isSeenAsBlank(character: string): boolean {
  // A form feed or a lone carriage return does not count: it has another effect.
  if (character <= "~") return isBlank(character);
  return (readsAs(character) ?? character).trim() === "";
}

/** Blanks at the end of a line, including characters that look like one. */
export function blanksAfter(line: string): string {
  let start = line.length;
  while (isSeenAsBlank(line[start - 1] ?? "")) start--;
  return line.slice(start);
}

/** Collects the replacement of each piece of a text, in order; parts that are not mentioned stay unchanged. */
class Pieces {
  readonly text: string;
  readonly #parts: string[] = [];
  // One entry for each piece: its offset in the folded and in the original text, and both lengths.
  readonly #folded: number[] = [];
  readonly #original: number[] = [];
  readonly #foldedLength: number[] = [];
  readonly #originalLength: number[] = [];
  #length = 0;
  #settled = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Offset up to which the pieces are known. */
  get settled(): number {
    return this.#settled;
  }

  /** Replaces a range. The text between the previous piece and this one stays unchanged. */
  replace(start: number, { end, by }: { readonly end: number; readonly by: string }): void {
    this.#add(this.#settled, { end: start, by: this.text.slice(this.#settled, start) });
    this.#add(start, { end, by });
    this.#settled = end;
  }

  #add(start: number, { end, by }: { readonly end: number; readonly by: string }): void {
    if (by === "") return;
    this.#parts.push(by);
    this.#folded.push(this.#length);
    this.#original.push(start);
    this.#foldedLength.push(by.length);
    this.#originalLength.push(end - start);
    this.#length += by.length;
  }

  finish(): Folded {
    const { length } = this.text;
    this.replace(length, { end: length, by: "" });
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

  /** Offset in the original of an edge of the piece that contains a folded character. */
  #offset(character: number, edge: number): number | undefined {
    let low = 0;
    let high = this.#folded.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#folded[middle] ?? 0) <= character) low = middle;
      else high = middle - 1;
    }
    const inside = edge - (this.#folded[low] ?? 0);
    const original = this.#original[low] ?? 0;
    const foldedLength = this.#foldedLength[low] ?? 0;
    const originalLength = this.#originalLength[low] ?? 0;
    if (inside === 0) return original;
    if (inside === foldedLength) return original + originalLength;
    // A piece of the same length may be a copy, in which every offset has a counterpart.
    return foldedLength === originalLength ? original + inside : undefined;
  }
}
