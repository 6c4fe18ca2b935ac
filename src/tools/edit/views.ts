/** Views of a file: its lines in the forms in which the matchers compare them, and the way back to its text. */
import { foldLookAlikes, hasSpecial, isSeenAsBlank, unfoldedOffset } from "./look-alikes.ts";
import {
  isBlank,
  lineIndexAt,
  lineStarts,
  occurrences,
  withPlainEndings,
  type Place,
} from "./text.ts";

/** Differences that a view hides, besides the kind of line ending. */
export interface Hidden {
  /** Blanks at line ends; with look-alikes, also characters that are not seen there. */
  readonly trailingSpace: boolean;
  readonly lookAlikes: boolean;
  /** Blanks at the start of a line. In such a view, only whole lines are found. */
  readonly indentation: boolean;
}

/** A text in the form in which a view compares it: every line stays a line. */
export function asViewed(text: string, hidden: Hidden): string {
  const plain = withPlainEndings(text);
  return withoutBlanks(hidden.lookAlikes ? foldLookAlikes(plain) : plain, hidden);
}

function withoutBlanks(text: string, { trailingSpace, lookAlikes, indentation }: Hidden): string {
  const kept = trailingSpace ? withoutTrailing(text, lookAlikes ? isSeenAsBlank : isBlank) : text;
  return indentation ? kept.replace(/^[ \t]+/u, "").replaceAll(/\n[ \t]+/gu, "\n") : kept;
}

/** A line break after a blank, or after a character that looks like one and is not folded to one. */
const trailing = /(?<=[ \t\u1680\u2028\u2029])\n/u;

function withoutTrailing(text: string, isUnseen: (character: string) => boolean): string {
  if (!isUnseen(text.at(-1) ?? "") && !trailing.test(text)) return text;
  const lines = text.split("\n").map((line) => {
    let end = line.length;
    while (isUnseen(line[end - 1] ?? "")) end--;
    return line.slice(0, end);
  });
  return lines.join("\n");
}

/** The text to edit, with its views, each computed once. */
export class ViewedText {
  readonly text: string;
  readonly hasSpecial: boolean;
  readonly hasReturns: boolean;
  /** Text as it is. */
  readonly literal: View;
  readonly #views: Record<string, View> = {};
  #plain: string | undefined;
  #folded: string | undefined;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
    this.hasSpecial = hasSpecial(text);
    this.hasReturns = text.includes("\r\n");
    this.literal = new View(this, text);
  }

  view(hidden: Hidden): View {
    const { trailingSpace, lookAlikes, indentation } = hidden;
    return (this.#views[`${trailingSpace} ${lookAlikes} ${indentation}`] ??= this.#make(hidden));
  }

  #make(hidden: Hidden): View {
    const text = withoutBlanks(hidden.lookAlikes ? this.#foldedText : this.#plainText, hidden);
    // Views that hide nothing in this text share what was found in one of them.
    const isLiteral = text === this.text && !hidden.indentation;
    return isLiteral ? this.literal : new View(this, text, hidden);
  }

  get #plainText(): string {
    return (this.#plain ??= withPlainEndings(this.text));
  }

  get #foldedText(): string {
    return (this.#folded ??= foldLookAlikes(this.#plainText));
  }

  /** Range of a line without its ending. */
  lineAt(index: number): Place {
    const starts = (this.#starts ??= lineStarts(this.text));
    const next = starts[index + 1];
    const start = starts[index] ?? this.text.length;
    if (next === undefined) return { start, end: this.text.length };
    return { start, end: this.text[next - 2] === "\r" ? next - 2 : next - 1 };
  }
}

/** Lines of a text in the form in which they are compared. */
export class View {
  readonly #file: ViewedText;
  readonly #text: string;
  readonly #hidden: Hidden | undefined;
  readonly #found = new Map<string, readonly Place[]>();
  #starts: readonly number[] | undefined;

  constructor(file: ViewedText, text: string, hidden?: Hidden) {
    this.#file = file;
    this.#text = text;
    this.#hidden = hidden;
  }

  includes(wanted: string): boolean {
    return this.#text.includes(wanted);
  }

  /** Matches, as ranges of the file whose edges are between whole characters. */
  find(wanted: string): readonly Place[] {
    const known = this.#found.get(wanted);
    if (known !== undefined) return known;
    const places = occurrences(this.#text, wanted).flatMap((place) => this.#inFile(place) ?? []);
    this.#found.set(wanted, places);
    return places;
  }

  #inFile(place: Place): Place | undefined {
    if (this.#hidden === undefined) return place;
    const start = this.#offset(place.start, "start", this.#hidden);
    const end = this.#offset(place.end, "end", this.#hidden);
    return start === undefined || end === undefined ? undefined : { start, end };
  }

  #offset(
    at: number,
    edge: "start" | "end",
    { lookAlikes, indentation }: Hidden,
  ): number | undefined {
    const starts = (this.#starts ??= lineStarts(this.#text));
    const line = lineIndexAt(starts, at);
    const column = at - (starts[line] ?? 0);
    const { start, end } = this.#file.lineAt(line);
    // A match that begins or ends with a line break includes no more of the line before or after it.
    if (edge === "end" && column === 0) return start;
    const isAtEnd = at === this.#text.length || this.#text[at] === "\n";
    if (edge === "start" && isAtEnd) return end;
    if (indentation) return column === 0 ? start : isAtEnd ? end : undefined;
    if (!lookAlikes) return start + column;
    const inside = unfoldedOffset(this.#file.text.slice(start, end), column, edge);
    return inside === undefined ? undefined : start + inside;
  }
}
