import { countNewlines, partsOf, withPlainEndings } from "./lines.ts";
import { startOfLine, type Place } from "./place.ts";
import { waysOf, type Reading } from "./reading.ts";
import { likeness } from "./rival.ts";
import type { Source } from "./source.ts";

/** Lines of the file that are compared with those that were sent, before it has marks everywhere. */
const maxMarked = 200;

export interface Undoing {
  readonly reading: Reading;
  /** The old text before anything was undone, and the new one. */
  readonly sent: string;
  readonly sentNew: string;
}

/** What speaks for marks that were undone in an edit being the file's own, and the text meant one that changed. */
export function marksOfFile(
  source: Source,
  place: Place,
  { reading, sent, sentNew }: Undoing,
): string | undefined {
  const { ways, lineNumber } = reading;
  if (lineNumber !== undefined && lineNumber !== lineOf(source.text, place, reading)) {
    return "the numbers of old_string are not those of the lines there";
  }
  if (addsPluses(source.text, reading)) return "new_string has pluses before lines as a diff has";
  if (
    (ways & waysOf("diffMarks")) !== 0 &&
    isScant(sent) &&
    isShifted(source.text, place, reading)
  ) {
    return "little shows that old_string is of a diff, and it is indented otherwise than the file";
  }
  const written = writtenMarks.find(
    ({ of, pattern }) =>
      (ways & of) !== 0 &&
      (`${sent}\n${sentNew}`.match(pattern) ?? []).some((mark) => source.text.includes(mark)),
  );
  if (written !== undefined) return `the file has ${written.name} of its own`;
  const mark = lineMarks.find(({ of }) => (ways & of) !== 0)?.mark;
  const line = mark === undefined ? undefined : lineLike(source, { place, sent, mark });
  return line === undefined
    ? undefined
    : `a line of old_string stands with its mark at line ${line}`;
}

/** Whether new lines have a plus that no line of the file has: a part of them may be those of a diff. */
function addsPluses(text: string, { ways, oldText, newText = "" }: Reading): boolean {
  const isDiff = (ways & waysOf("diffMarks")) !== 0;
  return !isDiff && /^\+/mu.test(newText) && !/^\+/mu.test(oldText) && !/^[ \t]*\+/mu.test(text);
}

/** Whether the old side of a diff is one line alone, or has no minus. */
function isScant(sent: string): boolean {
  return !/^-/mu.test(sent) || sent.trim().split("\n").length === 1;
}

function isShifted(text: string, { start, end }: Place, { oldText }: Reading): boolean {
  return withPlainEndings(text.slice(start, end)).trimEnd() !== oldText.trimEnd();
}

const writtenMarks = [
  { of: waysOf("markdownEscapes"), pattern: /\\[_*#`]/gu, name: "such backslashes" },
  { of: waysOf("unicodeEscapes"), pattern: /\\u[\da-fA-F]{4}/gu, name: "such codes" },
  { of: waysOf("shownReturns"), pattern: /\^M/gu, name: "^M" },
] as const;

const lineMarks = [
  { of: waysOf("quotation"), mark: ">" },
  { of: waysOf("diffMarks"), mark: "-" },
] as const;

/** Where a line of the file, outside of a place, is one that was sent or similar to it, with the mark before it. */
function lineLike(
  source: Source,
  { place, sent, mark }: { readonly place: Place; readonly sent: string; readonly mark: string },
): number | undefined {
  const first = countNewlines(source.text, 0, place.start);
  const last = first + countNewlines(source.text, place.start, place.end);
  const isMarked = (line: string): boolean => line.startsWith(mark) && line.trim().length > 2;
  const marked = source.plainLines
    .map((line, at) => ({ line: line.trimStart(), at }))
    .filter(({ line, at }) => isMarked(line) && (at < first || at > last))
    .slice(0, maxMarked);
  const wanted = partsOf(sent)
    .map((line) => line.trim())
    .filter((line) => isMarked(line))
    .slice(0, maxMarked);
  const found = marked.find(({ line }) => wanted.some((each) => likeness(each, line) > 0));
  return found === undefined ? undefined : found.at + 1;
}

/** The line, from 1, that the first of a reading is at a place. */
function lineOf(text: string, { start }: Place, { oldText }: Reading): number {
  const isAtEnd = oldText.startsWith("\n") && startOfLine(text, start) !== start;
  return 1 + countNewlines(text, 0, start) + (isAtEnd ? 1 : 0);
}
