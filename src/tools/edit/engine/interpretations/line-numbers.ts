import { indentText } from "../indent-style.ts";
import { withoutShift } from "./shifted-numbers.ts";
import { chooseNewText, waysOf, type Undone } from "../reading.ts";

/** What may stand between a line number and its line. Each is a reading of its own, never an optional character. */
const separators = [
  "\t",
  "\u2192",
  ": ",
  ":",
  " | ",
  "| ",
  "|",
  " \u2502 ",
  "\u2502",
  "  ",
  " ",
  ". ",
  ") ",
] as const;

/** Lines of many texts begin with a number and one of these; one line alone may well. */
const common: ReadonlySet<string> = new Set(["  ", " ", ". ", ") "]);

/** What a search puts before the number of a line. */
const searched = /^[^\s:]+:(?=\d+[:\t])/u;

/**
 * Undoes line numbers that were copied from a listing: every line has one, each greater by one than that
 * before. The numbers of the new text are prefixes only where they continue those of the old one.
 */
export function undoLineNumbers(sentOld: string, sentNew: string): Undone[] {
  const path = searched.exec(sentOld)?.[0] ?? "";
  const oldText = withoutPath(sentOld, path);
  const newText = withoutPath(sentNew, path);
  if (!/^\n?[ \t]*\d/u.test(oldText)) return [];
  const lines = oldText.split("\n");
  return separators.flatMap((separator) => {
    const old = numbered(lines, separator);
    if (old === undefined || (common.has(separator) && old.first === old.last)) return [];
    // Where a longer separator fits every line as well, this one leaves part of it to the text.
    const isShort = separators.some(
      (other) =>
        other !== separator && other.startsWith(separator) && numbered(lines, other) !== undefined,
    );
    const plain = newTextWithout(old, { oldText, newText, separator });
    // Without its path a line of a search is no text of anybody's.
    const isCut = plain === newText && newText !== sentNew;
    const unshifted =
      plain === newText ? withoutShift({ sent: oldText, oldText: old.text, newText }) : undefined;
    // No list sets its numbers in a column by tabs: those of the new text may stand for blanks, too.
    const isTabbed =
      plain === newText &&
      unshifted === undefined &&
      /^ *\t\s*\d/mu.test(oldText) &&
      begins(newText, "\t") &&
      !begins(old.text, "\t");
    return [
      {
        ways: isShort ? waysOf("lineNumbers", "shortSeparator") : waysOf("lineNumbers"),
        oldText: old.text,
        newText:
          isCut || isTabbed || keepsNumbers(old, { oldText, newText, separator, plain })
            ? undefined
            : (unshifted ?? plain),
        label:
          unshifted === undefined
            ? "without line numbers"
            : "without line numbers and the blanks before them",
        startsLine: true,
        ...(path !== "" || common.has(separator) ? { lineNumber: old.first } : {}),
      },
    ];
  });
}

/**
 * Whether a new line that is left as it is may begin with a number of the listing, or one that is nothing but a number
 * was taken for one.
 */
function keepsNumbers(
  old: Numbered,
  { oldText, newText, separator, plain }: NewText & { readonly plain: string | undefined },
): boolean {
  const known = new Set([
    ...old.text.split("\n"),
    ...(plain === newText ? [] : oldText.split("\n")),
  ]);
  const lines = newText.split("\n");
  // Where each line has one, they are all the text's own.
  if (plain === newText && numbered(lines, separator) !== undefined) return false;
  return lines.some((line) => {
    const found = prefix(line, separator);
    if (found === undefined || known.has(line)) return false;
    if (plain !== newText) return /^\d+$/u.test(line);
    return found.number >= old.first && found.number <= old.last + 1;
  });
}

function begins(text: string, blank: string): boolean {
  return text.split("\n").some((line) => indentText(line).includes(blank));
}

function withoutPath(text: string, path: string): string {
  if (path === "") return text;
  return text
    .split("\n")
    .map((line) => (line.startsWith(path) ? line.slice(path.length) : line))
    .join("\n");
}

interface Numbered {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

interface NewText {
  readonly oldText: string;
  readonly newText: string;
  readonly separator: string;
}

function newTextWithout(
  old: Numbered,
  { oldText, newText, separator }: NewText,
): string | undefined {
  const lines = newText.split("\n");
  const updated = numbered(lines, separator);
  if (continues(updated, old)) {
    // Lines that begin with numbers of their own may well be what the new text consists of.
    const isThroughout = !beginsWithNumber(old.text, separator);
    return chooseNewText({ oldText: old.text, raw: newText, undone: updated.text, isThroughout });
  }
  if (separators.some((other) => other !== separator && continues(numbered(lines, other), old))) {
    return undefined;
  }
  const highest = old.last + lines.length;
  const isNumber = (line: string): boolean => {
    const number = prefix(line, separator)?.number;
    return number !== undefined && number >= old.first && number <= highest;
  };
  const own = lines.filter((line) => isNumber(line));
  const others = lines.filter((line) => !isNumber(line) && line.trim() !== "");
  if (own.length > 0 && others.some((line) => mayBeMarked(line, { old, oldText, separator }))) {
    return undefined;
  }
  const undone = lines
    .map((line) => (isNumber(line) ? (prefix(line, separator)?.content ?? line) : line))
    .join("\n");
  // Lines that are kept as they were sent show that their numbers are not the text's; those added may have none.
  if (isPartOf(own, oldText.split("\n")) && !beginsWithNumber(old.text, separator)) return undone;
  return chooseNewText({ oldText: old.text, raw: newText, undone, isThroughout: false });
}

/** Whether a line without a number, among others that have one, may have blanks or something else in its place. */
function mayBeMarked(
  line: string,
  { old, oldText, separator }: Pick<NewText, "oldText" | "separator"> & { readonly old: Numbered },
): boolean {
  const number = /^\s*(\d{1,9})/u.exec(line)?.[1];
  if (number !== undefined && Number(number) >= old.first && Number(number) <= old.last + 1) {
    return true;
  }
  const sent = oldText.split("\n").find((each) => prefix(each, separator) !== undefined) ?? "";
  const width = (/^[ \t]*\d+/u.exec(sent)?.[0].length ?? 0) + separator.length;
  const place = line.slice(0, width);
  const indent = indentText(line);
  const indents = new Set(old.text.split("\n").map((each) => indentText(each)));
  // Nobody indents by an odd number of blanks but where others are.
  if (isOdd(indent) && indent.length >= width && ![...indents].some(isOdd)) return true;
  if (separator.trim() !== "") return place.endsWith(separator);
  if (place.length < width || place.trim() !== "" || !place.endsWith(separator)) return false;
  return !indents.has(indent) || indents.has(indentText(line.slice(width)));
}

function isOdd(indent: string): boolean {
  return /^(?: {2})* $/u.test(indent);
}

/** Whether the numbers of new text begin among those of the old one, or go on behind them. */
function continues(updated: Numbered | undefined, old: Numbered): updated is Numbered {
  return updated !== undefined && updated.first >= old.first && updated.first <= old.last + 1;
}

/** Whether some lines are all among others, in the same order. */
function isPartOf(some: readonly string[], others: readonly string[]): boolean {
  let at = -1;
  return some.every((line) => (at = others.indexOf(line, at + 1)) !== -1);
}

function beginsWithNumber(text: string, separator: string): boolean {
  return text.split("\n").some((line) => prefix(line, separator) !== undefined);
}

/** A text of which every line has a number, without them; empty lines at the edges need none. */
function numbered(lines: readonly string[], separator: string): Numbered | undefined {
  const result: string[] = [];
  const numbers: number[] = [];
  for (const [index, line] of lines.entries()) {
    const isEdge = index === 0 || index === lines.length - 1;
    if (line === "" && isEdge) {
      result.push("");
      continue;
    }
    const found = prefix(line, separator);
    if (found === undefined) return undefined;
    const previous = numbers.at(-1) ?? found.number - 1;
    if (found.number !== previous + 1) return undefined;
    numbers.push(found.number);
    result.push(found.content);
  }
  // Where all lines are empty no number is among them.
  const [first = Number.NaN] = numbers;
  return { text: result.join("\n"), first, last: numbers.at(-1) ?? first };
}

interface Prefix {
  readonly number: number;
  readonly content: string;
}

function prefix(line: string, separator: string): Prefix | undefined {
  const digits = /^[ \t]*(\d{1,9})/u.exec(line);
  if (digits === null) return undefined;
  const number = Number(digits[1]);
  const rest = line.slice(digits[0].length);
  if (plainBlanks(rest.slice(0, separator.length)) === separator) {
    return { number, content: rest.slice(separator.length) };
  }
  // Blanks at the end of an empty line are easily lost.
  return rest === separator.trimEnd() ? { number, content: "" } : undefined;
}

function plainBlanks(text: string): string {
  return text.replaceAll("\u00A0", " ");
}
