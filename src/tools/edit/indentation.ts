/** New text for a match that is indented otherwise than it was sent: whose indentation it has, and the one it gets. */
import type { Pair } from "./candidate.ts";
import {
  indentText,
  indentUnit,
  isBlankLine,
  isShift,
  isUniform,
  proveIndentMap,
  type IndentPair,
} from "./indent-maps.ts";
import { foldLookAlikes } from "./look-alikes.ts";
import {
  adaptLines,
  replaceLines,
  unclear,
  type LineFormat,
  type Replacement,
} from "./replacement.ts";
import { linesOnce, sentLines, type Place } from "./text.ts";

/** An edit whose match has another indentation. */
export interface Shift extends LineFormat {
  /** Whether escaped line breaks were resolved, so that blanks before the text preceded its first line only. */
  readonly wasOneLine: boolean;
}

/**
 * Pairs of indentations in the old text and the match, without blank lines; undefined if they are not a uniform shift.
 */
export function indentPairs(oldText: string, lines: readonly string[]): IndentPair[] | undefined {
  const pairs = sentLines(oldText).flatMap((line, index) =>
    isBlankLine(line) ? [] : [{ sent: indentText(line), file: indentText(lines[index] ?? "") }],
  );
  const isShifted = pairs.some(({ sent, file }) => sent !== file);
  return isShifted && isUniform(pairs) ? pairs : undefined;
}

/** Indentation of the lines of a text as sent, undefined for blank lines, and the line of the file to compare it with. */
export interface SentIndents {
  readonly indents: readonly (string | undefined)[];
  readonly at: number;
}

interface IndentComparison {
  /** Whether the lines are indented otherwise than as sent, all of them by the same. */
  readonly isUniform: boolean;
  /** Number of lines compared until that was known. */
  readonly compared: number;
}

/** Compares the indentation of lines of a file with that of a text as sent. */
export function compareIndents(
  file: readonly string[],
  { indents, at }: SentIndents,
): IndentComparison {
  const known = new Map<string, string>();
  for (const [index, sent] of indents.entries()) {
    if (sent === undefined) continue;
    const there = file[at + index] ?? "";
    if ((known.get(sent) ?? there) !== there) return { isUniform: false, compared: index + 1 };
    known.set(sent, there);
  }
  const pairs = Array.from(known, ([sent, there]) => ({ sent, file: there }));
  const isShifted = pairs.some(({ sent, file: there }) => sent !== there);
  return { isUniform: isShifted && isUniform(pairs), compared: indents.length };
}

/** New text for a match with another indentation, or the reason why it is unclear. */
export function replaceShifted(text: string, place: Place, shift: Shift): Replacement {
  const { pair, lines } = shift;
  const pairs = indentPairs(pair.oldText, lines);
  if (pairs === undefined || (shift.wasOneLine && movesFirstLineOnly(pairs, pair))) {
    return unclear(noShift);
  }
  if (isDiff(pair, pairs)) return unclear(looksLikeDiff);
  const asInFile = (): Replacement =>
    isKnownShift(text, pair, pairs)
      ? replaceLines(text, place, {
          // Lines that the new text leaves unchanged are then equal to those of the file, not to those sent.
          pair: { ...pair, oldText: indentedAs(lines, pair.oldText) },
          adapt: (changed) => adaptLines(changed, shift),
        })
      : unclear(noShift);
  const asSent = (): Replacement =>
    replaceLines(text, place, {
      pair,
      adapt: (changed) => {
        const adapted = adaptLines(changed, shift);
        return typeof adapted === "string" ? adapted : reindent(adapted, { text, pair, pairs });
      },
    });
  switch (indentBasis(shift)) {
    case "file":
      return asInFile();
    case "sent":
      return asSent();
    case "unclear": {
      const [one, other] = [asInFile(), asSent()];
      const isSame = one.kind === "text" && other.kind === "text" && one.text === other.text;
      return isSame ? one : unclear("it is not clear which indentation new_string is written in");
    }
  }
}

const noShift =
  "the indentation of old_string is not shifted by the same for all lines, and new_string has others";

/** Whether blanks that precede a text of one line moved its first line, and not every line of the new text. */
function movesFirstLineOnly([first, ...others]: readonly IndentPair[], { newText }: Pair): boolean {
  if (first === undefined || others.some(({ sent, file }) => sent !== file)) return false;
  const isAllMoved = sentLines(newText).every(
    (line) => isBlankLine(line) || indentText(line).startsWith(first.sent),
  );
  return others.length > 0 || !isAllMoved;
}

/**
 * Whether both texts may be lines of a diff: the blank before each old line would mark an unchanged line, and a new
 * line has the mark of an added or removed one.
 */
function isDiff({ oldText, newText }: Pair, pairs: readonly IndentPair[]): boolean {
  const old = new Set(sentLines(oldText));
  return (
    pairs.every(({ sent, file }) => sent === ` ${file}`) &&
    sentLines(newText).some((line) => /^[+-]/u.test(line) && !old.has(line))
  );
}

const looksLikeDiff =
  "lines of new_string begin with + or - and those of old_string with a blank more than in the file, as in a diff";

function indentedAs(lines: readonly string[], sent: string): string {
  return sentLines(sent)
    .map((line, index) => (/^\s*/u.exec(lines[index] ?? "")?.[0] ?? "") + line.trimStart())
    .join("\n");
}

/**
 * Whether new text in the indentation of the file uses only indentations of the match, or the old text was shifted as a
 * whole. Otherwise its lines were indented arbitrarily, and those of the new text may be too.
 */
function isKnownShift(text: string, pair: Pair, pairs: readonly IndentPair[]): boolean {
  const updated = indentsOf(sentLines(pair.newText));
  if (updated.every((indent) => pairs.some(({ file }) => file === indent))) return true;
  const unit = indentUnit(text);
  const isWhole = (indent: string): boolean => unit === "tab" || indent.length % (unit ?? 1) === 0;
  const isAllWhole = pairs.every(({ file }) => isWhole(file));
  // An indentation of the lines as sent that is not a level of the file, or that has one blank more, is not one of the
  // file.
  const isForeign = ({ sent, file }: IndentPair): boolean =>
    updated.includes(sent) && (sent === `${file} ` || (isAllWhole && !isWhole(sent)));
  if (pairs.some((each) => isForeign(each))) return false;
  return isShift({ pairs, sent: indentsOf(sentLines(pair.oldText)), wanted: [], text });
}

interface SentLines {
  /** Complete file, whose indentation unit may resolve ambiguity. */
  readonly text: string;
  readonly pair: Pair;
  readonly pairs: readonly IndentPair[];
}

/**
 * Indents changed lines as at the match, by the map that takes the old text there, for new text that is indented as
 * sent. A string is the reason why no such map is proved.
 */
function reindent(
  changed: readonly string[],
  { text, pair, pairs }: SentLines,
): readonly string[] | string {
  const sent = indentsOf([...sentLines(pair.oldText), ...sentLines(pair.newText)]);
  const map = proveIndentMap({ pairs, sent, wanted: indentsOf(changed), text });
  if (map === undefined) {
    return "new_string has an indentation for which the one that the file would have is not proved";
  }
  if (changed.some((line) => isBlankLine(line) && line !== "")) {
    return "new_string has a line of nothing but blanks, for which an indentation is not proved";
  }
  return changed.map((line) => {
    const indent = indentText(line);
    // The map covers every indentation of a line with content.
    return line === "" ? "" : (map(indent) ?? indent) + line.slice(indent.length);
  });
}

/** Origin of the indentation of new text: the old text as sent, or the file. */
export type IndentBasis = "sent" | "file" | "unclear";

/** Lines of both sides: as sent in the old text, and of the match. */
interface Sides {
  readonly sent: readonly string[];
  readonly file: readonly string[];
}

/**
 * Determines whether new text is indented like the old text as sent or like the file. Evidence, in this order: lines
 * shared with the old text, the smallest indentation, that of the first line, any indentation that only one of both
 * has.
 */
export function indentBasis({ pair, lines, hidden }: LineFormat): IndentBasis {
  const same = hidden.lookAlikes ? foldLookAlikes : (line: string): string => line;
  const updated = sentLines(pair.newText).map(same);
  const sides = { sent: sentLines(pair.oldText).map(same), file: lines.map(same) };
  // Unusual blanks are part of the content of a line.
  if (lines.some((line) => /^[ \t]*[^\S \t]\s*\S/u.test(line))) return "unclear";
  // Without a line with content, there is nothing to indent.
  if (updated.every((line) => isBlankLine(line))) return "sent";
  if (mayLackIndentation(updated, sides)) return "unclear";
  const basis = bySharedEdges(updated, sides) ?? bySharedLines(updated, sides);
  // Text written as in the file would be indented as in the file, unless the new text moves it.
  if (basis !== "sent" && movesAll(updated, sides.file)) {
    return basis === undefined && byIndents(updated, sides) === "sent" ? "sent" : "unclear";
  }
  if (basis === undefined) return byIndents(updated, sides);
  if (basis === "unclear" || !contradictsLeast(updated, sides, basis)) return basis;
  if (basis === "file") return wraps(updated, sides.sent) ? "sent" : "unclear";
  return firstLineOf(updated) === firstLineOf(sides.sent) ? "sent" : "unclear";
}

/**
 * Whether the single old line, and only the first new line, may lack their indentation: the others would then be
 * indented as in the file, and not by so much more than the first.
 */
function mayLackIndentation(updated: readonly string[], sides: Sides): boolean {
  const [file = ""] = indentsOf(sides.file);
  const [first, ...others] = indentsOf(updated);
  if (indentsOf(sides.sent).length > 1 || file === "" || first !== "") return false;
  return others.length > 0 && others.every((indent) => indent.startsWith(file));
}

/** The side with whose lines new text begins or ends; undefined if it is both or neither. */
function bySharedEdges(updated: readonly string[], { sent, file }: Sides): IndentBasis | undefined {
  const startsAsSent = sharesEdge(updated, sent, file);
  const startsAsFile = sharesEdge(updated, file, sent);
  if (startsAsSent === startsAsFile) return undefined;
  return startsAsSent ? "sent" : "file";
}

/** Whether new text begins or ends with lines of one side whose indentation differs on the other side. */
function sharesEdge(
  updated: readonly string[],
  one: readonly string[],
  other: readonly string[],
): boolean {
  const shares = (at: (lines: readonly string[], index: number) => string | undefined): boolean => {
    for (const index of updated.keys()) {
      const line = at(updated, index) ?? "";
      if (line.trimEnd() !== at(one, index)?.trimEnd()) return false;
      // A line with only a bracket may correspond to any other bracket.
      if (/\w/u.test(line) && indentText(line) !== indentText(at(other, index) ?? "")) return true;
    }
    return false;
  };
  return shares((lines, index) => lines[index]) || shares((lines, index) => lines.at(-1 - index));
}

/** Evidence of lines in both texts, wherever they are; undefined if none distinguishes the two sides. */
function bySharedLines(updated: readonly string[], { sent, file }: Sides): IndentBasis | undefined {
  const places = Map.groupBy(sent.keys(), (index) => sent[index]?.trim() ?? "");
  let provesSent = false;
  let provesFile = false;
  for (const line of updated) {
    const own = isBlankLine(line) ? [] : (places.get(line.trim()) ?? []);
    const isOn = (side: readonly string[]): boolean =>
      own.some((index) => indentText(side[index] ?? "") === indentText(line));
    const [isSent, isFile] = [isOn(sent), isOn(file)];
    provesSent ||= isSent && !isFile;
    provesFile ||= isFile && !isSent;
  }
  if (provesSent && provesFile) return "unclear";
  return provesSent ? "sent" : provesFile ? "file" : undefined;
}

/** Whether new text contains unique lines of the match, and each of them with another indentation. */
function movesAll(updated: readonly string[], lines: readonly string[]): boolean {
  const known = linesOnce(lines);
  const shared = updated.flatMap((line) => {
    const own = known.get(line.trim());
    return own === undefined ? [] : [{ line, own }];
  });
  return shared.length > 0 && shared.every(({ line, own }) => indentText(line) !== indentText(own));
}

/**
 * Whether the smallest indentation is that of the other side: deeper lines of one side may look like those of the
 * other.
 */
function contradictsLeast(
  updated: readonly string[],
  { sent, file }: Sides,
  basis: "sent" | "file",
): boolean {
  const [own, other] = basis === "sent" ? [sent, file] : [file, sent];
  const least = leastOf(indentsOf(updated));
  return least === leastOf(indentsOf(other)) && least !== leastOf(indentsOf(own));
}

/**
 * Whether new text consists of a line that opens a block, all old lines in it, and at most one line that closes the
 * block.
 */
function wraps(updated: readonly string[], old: readonly string[]): boolean {
  const [opening = "", ...inner] = contents(updated);
  const own = contents(old);
  return (
    /[{([:>]$|\b(?:do|then)$/u.test(opening) &&
    inner.length <= own.length + 1 &&
    own.every((line, index) => line === inner[index])
  );
}

function contents(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

/** Evidence without shared lines: indentations that only one side has, of all lines or of the outermost ones. */
function byIndents(updated: readonly string[], sides: Sides): IndentBasis {
  const mine = indentsOf(updated);
  const sent = indentsOf(sides.sent);
  const file = indentsOf(sides.file);
  const isAllSent = mine.every((indent) => sent.includes(indent));
  const isAllFile = mine.every((indent) => file.includes(indent));
  if (isAllSent !== isAllFile) return isAllSent ? "sent" : "file";
  for (const measure of [leastOf, firstOf]) {
    const own = measure(mine);
    if (own === measure(sent) && !file.includes(own)) return "sent";
    if (own === measure(file) && !sent.includes(own)) return "file";
  }
  // If one side is indented by tabs only and the other by spaces only, the blanks of the new text decide.
  const [blank, ofSent, ofFile] = [onlyBlank(mine), onlyBlank(sent), onlyBlank(file)];
  if (ofSent === undefined || ofFile === undefined || ofSent === ofFile) return "unclear";
  return blank === ofSent ? "sent" : blank === ofFile ? "file" : "unclear";
}

/** The only character in the indentations; undefined for none and for a mixture. */
function onlyBlank(indents: readonly string[]): string | undefined {
  const [blank, ...others] = new Set(indents.join(""));
  return others.length === 0 ? blank : undefined;
}

function leastOf(indents: readonly string[]): string {
  return indents.reduce(
    (least, each) => (each.length < least.length ? each : least),
    firstOf(indents),
  );
}

function firstLineOf(lines: readonly string[]): string | undefined {
  return lines.find((line) => !isBlankLine(line));
}

function firstOf(indents: readonly string[]): string {
  return indents[0] ?? "";
}

function indentsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => !isBlankLine(line)).map((line) => indentText(line));
}
