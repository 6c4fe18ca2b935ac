/** Views of a file: its lines in the forms in which the matchers compare them, and the way back to its text. */
import { indentText } from "./indent-maps.ts";
import { foldLookAlikes, isSeenAsBlank, unfoldedOffset } from "./look-alikes.ts";
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
}

/** Nothing is hidden but the kind of line ending. */
export const visible: Hidden = { trailingSpace: false, lookAlikes: false };

/** A text in the form in which a view compares it: every line stays a line. */
export function asViewed(text: string, { trailingSpace, lookAlikes }: Hidden): string {
  const plain = withPlainEndings(text);
  const folded = lookAlikes ? foldLookAlikes(plain) : plain;
  return trailingSpace ? withoutTrailing(folded, lookAlikes) : folded;
}

/** A character that is seen as a blank and is not folded to one. */
const unfoldedBlank = /[\u1680\u2028\u2029]/u;
/** A line break after a blank, or after a character that looks like one and is not folded to one. */
const trailing = /(?<=[ \t\u1680\u2028\u2029])\n/u;

function withoutTrailing(text: string, lookAlikes: boolean): string {
  const isUnseen = lookAlikes ? isSeenAsBlank : isBlank;
  if (!isUnseen(text.at(-1) ?? "") && !trailing.test(text)) return text;
  const lines = text.split("\n").map((line) => {
    let end = line.length;
    while (isUnseen(line[end - 1] ?? "")) end--;
    return line.slice(0, end);
  });
  return lines.join("\n");
}

/** A line without the blanks at its start. */
export function withoutIndentation(line: string): string {
  let start = 0;
  while (isBlank(line[start])) start++;
  return line.slice(start);
}

/** The text to edit, with its views, each computed once. */
export class ViewedText {
  readonly text: string;
  readonly hasReturns: boolean;
  /** Text as it is. */
  readonly literal: View;
  readonly #views: View[] = [];
  #folded: string | undefined;
  #isPlain: boolean | undefined;
  #hasFences: boolean | undefined;

  constructor(text: string) {
    this.text = text;
    this.hasReturns = text.includes("\r\n");
    this.literal = new View(this, text);
  }

  /** Whether no character is compared in another form, so that hiding look-alikes hides nothing. */
  get isPlain(): boolean {
    return (this.#isPlain ??=
      this.#foldedText === this.view(visible).text && !unfoldedBlank.test(this.text));
  }

  /** Whether there are lines that open or close a code block: half of a removed fence may be one of them. */
  get hasFences(): boolean {
    return (this.#hasFences ??= /^[ \t]*(?:`{3,}|~{3,})/mu.test(this.text));
  }

  get #foldedText(): string {
    return (this.#folded ??= foldLookAlikes(this.view(visible).text));
  }

  view({ trailingSpace, lookAlikes }: Hidden): View {
    const hidden = { trailingSpace, lookAlikes: lookAlikes && !this.isPlain };
    const index = Number(hidden.trailingSpace) + Number(hidden.lookAlikes) * 2;
    return (this.#views[index] ??= this.#make(hidden));
  }

  #make(hidden: Hidden): View {
    const text = this.#viewed(hidden);
    // Views that hide nothing in this text share what was found in one of them.
    return text === this.text ? this.literal : new View(this, text, hidden);
  }

  /** Form as by `asViewed`, made from what other views have computed. */
  #viewed({ trailingSpace, lookAlikes }: Hidden): string {
    if (!trailingSpace) return lookAlikes ? this.#foldedText : withPlainEndings(this.text);
    return withoutTrailing(this.view({ trailingSpace: false, lookAlikes }).text, lookAlikes);
  }

  /** Index of the line that contains an offset. */
  lineIndexOf(offset: number): number {
    return lineIndexAt(this.literal.starts, offset);
  }

  /** Range of a line without its ending; undefined if there is no such line. */
  lineAt(index: number): Place | undefined {
    const { starts } = this.literal;
    const start = starts[index];
    if (start === undefined) return undefined;
    const next = starts[index + 1];
    if (next === undefined) return { start, end: this.text.length };
    return { start, end: this.text[next - 2] === "\r" ? next - 2 : next - 1 };
  }
}

/** Lines of a text in the form in which they are compared. */
export class View {
  readonly #file: ViewedText;
  readonly text: string;
  readonly #hidden: Hidden | undefined;
  readonly #found = new Map<string, readonly Place[]>();
  #starts: readonly number[] | undefined;
  #dedented: string | undefined;
  #dedentedStarts: readonly number[] | undefined;
  #indents: readonly string[] | undefined;

  constructor(file: ViewedText, text: string, hidden?: Hidden) {
    this.#file = file;
    this.text = text;
    this.#hidden = hidden;
  }

  /** Offsets at which the lines begin. */
  get starts(): readonly number[] {
    return (this.#starts ??= lineStarts(this.text));
  }

  /** Indices of the lines at which a block of lines begins that are compared without their indentation. */
  blocksOf(lines: readonly string[]): readonly number[] {
    const longest = lines.reduce((one, other) => (other.length > one.length ? other : one), "");
    if (!this.text.includes(longest)) return [];
    // The line break before a line marks its start, so the text has one before its first line as well.
    const text =
      (this.#dedented ??= `\n${this.text.split("\n").map(withoutIndentation).join("\n")}\n`);
    const starts = (this.#dedentedStarts ??= lineStarts(text));
    return occurrences(text, `\n${lines.join("\n")}\n`).map(({ start }) =>
      lineIndexAt(starts, start),
    );
  }

  /** Indentation of each line. */
  get indents(): readonly string[] {
    return (this.#indents ??= this.text.split("\n").map(indentText));
  }

  /** Matches, as ranges of the file whose edges are between whole characters. */
  find(wanted: string): readonly Place[] {
    const known = this.#found.get(wanted);
    if (known !== undefined) return known;
    const places = occurrences(this.text, wanted).flatMap((place) => this.#inFile(place) ?? []);
    this.#found.set(wanted, places);
    return places;
  }

  #inFile(place: Place): Place | undefined {
    if (this.#hidden === undefined) return place;
    const start = this.#offset(place.start, "start");
    const end = this.#offset(place.end, "end");
    return start === undefined || end === undefined ? undefined : { start, end };
  }

  /** Offset in the file of a character that starts here, or of the end of the one before. */
  #offset(at: number, edge: "start" | "end"): number | undefined {
    const line = lineIndexAt(this.starts, at);
    const column = at - (this.starts[line] ?? 0);
    const { start, end } = this.#file.lineAt(line) ?? { start: 0, end: 0 };
    // A match that begins or ends with a line break includes no more of the line before or after it.
    if (edge === "end" && column === 0) return start;
    if (edge === "start" && this.text[at] === "\n") return end;
    if (this.#hidden?.lookAlikes !== true) return start + column;
    const inside = unfoldedOffset(this.#file.text.slice(start, end), column, edge);
    return inside === undefined ? undefined : start + inside;
  }
}
