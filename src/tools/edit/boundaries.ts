/** Problems where new text meets the text around it, or shows that a match is not the intended one. */
import type { Candidate } from "./candidate.ts";
import { indentText, leastIndent } from "./indent-maps.ts";
import {
  endsLine,
  isBlank,
  linesOnce,
  startOfLine,
  startsAfterIndentation,
  startsLine,
  type Place,
} from "./text.ts";

/**
 * Problem where new text meets the text around it, although it has the format of its match. Checked only for an edit
 * that does not match literally: an edit written from the exact text of the file is applied as it is.
 */
export function edgeTrouble(text: string, place: Place, newText: string): string | undefined {
  if (joinsBefore(text, place, newText) || joinsAfter(text, place, newText)) {
    return "new_string would join two lines, because a line break at its edge is missing";
  }
  if (takesIndentation(text, place, newText)) {
    return "old_string ends within the indentation of a line, which new_string would remove";
  }
  if (indentsTwice(text, place, newText)) {
    return "new_string begins with white space, where the file has the indentation already and old_string has none";
  }
  return undefined;
}

/** New lines indented by other blanks than any line of the file: their indentation may come from another text. */
export function foreignIndentation(
  text: string,
  { start, end }: Place,
  newText: string,
): string | undefined {
  const known = new Set(text.slice(start, end).split("\n"));
  const changed = newText.split("\n").filter((line) => !known.has(line));
  const isForeign = (blanks: RegExp, own: string, other: string): boolean =>
    changed.some((line) => blanks.test(line)) && !begins(text, own) && begins(text, other);
  return isForeign(/^ *\t/u, "\t", "  ") || isForeign(/^ {2}/u, "  ", "\t")
    ? "new_string is indented by other blanks than any line of the file"
    : undefined;
}

/** Whether some line begins with these blanks. */
function begins(text: string, blanks: string): boolean {
  return text.startsWith(blanks) || text.includes(`\n${blanks}`);
}

interface ShiftedText {
  readonly newText: string;
  /** New text after removing only line numbers, which may have another indentation than the file. */
  readonly sent: string;
}

/**
 * Whether everything that new text retains of a match is indented differently, including its first line or its smallest
 * indentation: line numbers before the old lines may have hidden that both were shifted. If it retains nothing, its
 * first line and its smallest indentation equal those of the match unless both were shifted.
 */
export function shiftsAll(
  text: string,
  { start, end }: Place,
  { newText, sent }: ShiftedText,
): boolean {
  const old = linesOf(text.slice(startsLine(text, start) ? start : startOfLine(text, start), end));
  const updated = linesOf(newText);
  const [first] = updated;
  if (first === undefined) return false;
  const known = linesOnce(old);
  const shared = updated.filter((line) => known.has(line.trim()));
  const own = known.get(first.trim()) ?? first;
  const stays = shared.filter((line) => known.get(line.trim()) === line).length;
  // A first line that is outdented moves alone if most others stay; at the edge, its indentation may have been lost.
  const isAtEdge = !isBlank(first[0]) || !isBlank(linesOf(sent)[0]?.[0]);
  const movesAlone =
    !isAtEdge && leastIndent([first]) < leastIndent([own]) && stays * 2 > shared.length;
  if (own !== first && !movesAlone) return true;
  if (stays > 0) return false;
  const isOtherwise = leastIndent(updated) !== leastIndent(old);
  if (shared.length > 0) return isOtherwise;
  return isOtherwise && indentText(first) !== indentText(old[0] ?? "");
}

/**
 * Whether new lines may lack an indentation of which the old text lost only that at its start, because it was one line
 * when the indentation was removed: the match begins after the indentation of its line, and no line below is unchanged,
 * or one is indented differently.
 */
export function mayBeDedented(text: string, { start, end }: Place, newText: string): boolean {
  const [, ...below] = linesOf(newText);
  if (below.length === 0 || !startsAfterIndentation(text, start)) return false;
  const known = linesOnce(linesOf(text.slice(start, end)));
  const shared = below.filter((line) => known.has(line.trim()));
  return shared.length === 0 || shared.some((line) => known.get(line.trim()) !== line);
}

function linesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trimEnd()]));
}

/** Whether the match begins with a line break that the new text omits. */
function joinsBefore(text: string, { start, end }: Place, newText: string): boolean {
  if (!isBreak(text, start) || startsLine(text, start)) return false;
  return newText === "" ? !endsText(text, end) && !isBreak(text, end) : !isBreak(newText, 0);
}

/** Whether the match ends with a line break that the new text omits. */
function joinsAfter(text: string, { start, end }: Place, newText: string): boolean {
  if (text[end - 1] !== "\n" || endsText(text, end) || isBreak(text, end)) return false;
  return newText === "" ? !startsLine(text, start) : !newText.endsWith("\n");
}

/** Whether the match ends within the indentation of a line, and the new text does not end with the same blanks. */
function takesIndentation(text: string, { end }: Place, newText: string): boolean {
  const line = startOfLine(text, end);
  if (text.slice(line, end).trim() !== "" || endsLine(text, end)) return false;
  return newText.slice(newText.lastIndexOf("\n") + 1) !== text.slice(line, end);
}

function indentsTwice(text: string, { start }: Place, newText: string): boolean {
  if (isBreak(text, start)) return false;
  return (isBlank(newText[0]) || isBreak(newText, 0)) && startsAfterIndentation(text, start);
}

/** Whether blank lines that only the old text had may be blank lines of the file, which would have to be removed. */
export function leavesOutBlankLines(
  text: string,
  { start, end }: Place,
  { noBlankBefore, noBlankAfter }: Pick<Candidate, "noBlankBefore" | "noBlankAfter">,
): boolean {
  const before = startOfLine(text, startOfLine(text, start) - 1);
  const after = text.indexOf("\n", end) + 1;
  return (
    (noBlankBefore && isBlankLine(text, before)) ||
    (noBlankAfter && after > 0 && isBlankLine(text, after))
  );
}

/** Whether a line of blanks begins here; the end of a text does not count. */
function isBlankLine(text: string, at: number): boolean {
  return at < text.length && endsLine(text, at);
}

function isBreak(text: string, at: number): boolean {
  return text[at] === "\n" || text.startsWith("\r\n", at);
}

function endsText(text: string, at: number): boolean {
  return at >= text.length;
}
