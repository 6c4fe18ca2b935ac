import { isShift, isUniform, proveIndentMap, type IndentPair } from "./indent-map.ts";
import { indentText, indentUnit } from "./indent-style.ts";
import { linesOnce, partsOf, withPlainEndings } from "../match/lines.ts";
import type { Pair } from "../match/replacement.ts";

export interface ReindentOptions {
  readonly pair: Pair;
  /** Lines of the match, one for each line of the old text. */
  readonly lines: readonly string[];
  /** Complete file, whose indentation unit may resolve ambiguity. */
  readonly text: string;
  /** Form in which lines of both texts are compared, if characters only look alike. Default: unchanged. */
  readonly same?: ((line: string) => string) | undefined;
}

/**
 * Pairs of indentations in the old text and the match, without blank lines; undefined if they are not a uniform shift.
 */
export function indentPairs(oldText: string, lines: readonly string[]): IndentPair[] | undefined {
  const pairs = partsOf(withPlainEndings(oldText)).flatMap((line, index) => {
    if (isBlankLine(line)) return [];
    return [{ sent: indentText(line), file: indentText(lines[index] ?? "") }];
  });
  const isShifted = pairs.some(({ sent, file }) => sent !== file);
  return isShifted && isUniform(pairs) ? pairs : undefined;
}

/**
 * Indents changed lines as at the match, by the map that takes the old text there, for new text that is indented as
 * sent. A string is the reason why no such map is proved.
 */
export function reindent(
  changed: readonly string[],
  pairs: readonly IndentPair[],
  { pair, text }: ReindentOptions,
): readonly string[] | string {
  const old = partsOf(withPlainEndings(pair.oldText));
  const updated = partsOf(withPlainEndings(pair.newText));
  const wanted = changed.filter((line) => !isBlankLine(line)).map((line) => indentText(line));
  const sent = [...old, ...updated]
    .filter((line) => !isBlankLine(line))
    .map((line) => indentText(line));
  const map = proveIndentMap({ pairs, sent, wanted, text });
  if (map === undefined) return unproved;
  const mapped: string[] = [];
  for (const line of changed) {
    if (isBlankLine(line)) {
      if (line !== "") return blanksAlone;
      mapped.push("");
      continue;
    }
    const indent = indentText(line);
    // The map covers every wanted indentation.
    mapped.push((map(indent) ?? indent) + line.slice(indent.length));
  }
  return mapped;
}

const blanksAlone =
  "new_string has a line of nothing but blanks, for which an indentation is not proved";

const unproved =
  "new_string has an indentation for which the one that the file would have is not proved";

/**
 * Whether new text in the indentation of the file uses only indentations of the match, or the old text was shifted as a
 * whole. Otherwise its lines were indented arbitrarily, and those of the new text may be too.
 */
export function isKnownShift(
  pairs: readonly IndentPair[],
  { pair, text }: Pick<ReindentOptions, "pair" | "text">,
): boolean {
  const updated = indentsOf(partsOf(withPlainEndings(pair.newText)));
  if (updated.every((indent) => pairs.some(({ file }) => file === indent))) return true;
  const unit = indentUnit(text);
  const isWhole = (indent: string): boolean => unit === "tab" || indent.length % (unit ?? 1) === 0;
  const isAllWhole = pairs.every(({ file }) => isWhole(file));
  // An indentation of the lines as sent that is not a level of the file, or that has one blank more, is not one of the
  // file.
  const isForeign = (indent: string): boolean =>
    pairs.some(
      ({ sent, file }) =>
        sent === indent && (sent === `${file} ` || (isAllWhole && !isWhole(sent))),
    );
  if (updated.some((indent) => isForeign(indent))) return false;
  const sent = indentsOf(partsOf(withPlainEndings(pair.oldText)));
  return isShift({ pairs, sent, wanted: [], text });
}

interface Lines {
  readonly old: readonly string[];
  readonly lines: readonly string[];
}

/** Origin of the indentation of new text: the old text as sent, or the file. */
export type IndentBasis = "sent" | "file" | "unclear";

/**
 * Determines whether new text is indented like the old text as sent or like the file. Evidence, in this order: lines
 * shared with the old text, the smallest indentation, that of the first line, any indentation that only one of both
 * has.
 */
export function indentBasis({
  pair,
  lines: file,
  same = (line) => line,
}: ReindentOptions): IndentBasis {
  const old = partsOf(withPlainEndings(pair.oldText)).map(same);
  const updated = partsOf(withPlainEndings(pair.newText)).map(same);
  const lines = file.map(same);
  // Unusual blanks are part of the content of a line.
  if (file.some((line) => /^[ \t]*[^\S \t]\s*\S/u.test(line))) return "unclear";
  // Without a line with content, there is nothing to indent.
  if (updated.every((line) => isBlankLine(line))) return "sent";
  if (mayStandBehindIndentation(updated, { old, lines })) return "unclear";
  const startsAsSent = sharesEdge(updated, old, lines);
  const startsAsFile = sharesEdge(updated, lines, old);
  const byEdge = startsAsSent ? "sent" : "file";
  const basis = startsAsSent === startsAsFile ? bySharedLines(updated, { old, lines }) : byEdge;
  // Text written as in the file would be indented as in the file, unless the new text moves it.
  if (basis !== "sent" && movesAll(updated, lines)) {
    return basis === undefined && byEdges(updated, { old, lines }) === "sent" ? "sent" : "unclear";
  }
  if (basis === undefined) return byEdges(updated, { old, lines });
  // Deeper lines of one side may look like those of the other, so the smallest indentation must not contradict them.
  const [own, other] = basis === "sent" ? [old, lines] : [lines, old];
  const least = leastOf(indentsOf(updated));
  const isGainsaid = least === leastOf(indentsOf(other)) && least !== leastOf(indentsOf(own));
  if (isGainsaid && basis === "file" && wraps(updated, old)) return "sent";
  const startsAlike = firstLine(updated) === firstLine(old);
  return isGainsaid && !(basis === "sent" && startsAlike) ? "unclear" : basis;
}

/**
 * Whether the single old line, and only the first new line, may lack their indentation: the others would then be
 * indented as in the file, and not by so much more than the first.
 */
function mayStandBehindIndentation(updated: readonly string[], { old, lines }: Lines): boolean {
  const [file = ""] = indentsOf(lines);
  const [first, ...others] = indentsOf(updated);
  if (indentsOf(old).length > 1 || file === "" || first !== "") return false;
  return others.length > 0 && others.every((indent) => indent.startsWith(file));
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

/** Whether new text contains unique lines of the match, and each of them with another indentation. */
function movesAll(updated: readonly string[], lines: readonly string[]): boolean {
  const known = linesOnce(lines);
  const shared = updated.flatMap((line) => {
    const own = known.get(line.trim());
    return own === undefined ? [] : [{ line, own }];
  });
  return shared.length > 0 && shared.every(({ line, own }) => indentText(line) !== indentText(own));
}

/** Evidence of lines in both texts, wherever they are; undefined if none distinguishes the two sides. */
function bySharedLines(updated: readonly string[], { old, lines }: Lines): IndentBasis | undefined {
  const known = new Map<string, { sent: Set<string>; file: Set<string> }>();
  for (const [index, line] of old.entries()) {
    if (isBlankLine(line)) continue;
    const entry = known.get(line.trim()) ?? { sent: new Set(), file: new Set() };
    entry.sent.add(indentText(line));
    entry.file.add(indentText(lines[index] ?? ""));
    known.set(line.trim(), entry);
  }
  let speaksForSent = false;
  let speaksForFile = false;
  for (const line of updated) {
    const entry = known.get(line.trim());
    if (entry === undefined) continue;
    const indent = indentText(line);
    if (entry.sent.has(indent) && !entry.file.has(indent)) speaksForSent = true;
    if (entry.file.has(indent) && !entry.sent.has(indent)) speaksForFile = true;
  }
  if (speaksForSent !== speaksForFile) return speaksForSent ? "sent" : "file";
  return speaksForSent ? "unclear" : undefined;
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

/** Evidence without shared lines: indentations that only one side has, of all lines or of the outermost ones. */
function byEdges(updated: readonly string[], { old, lines }: Lines): IndentBasis {
  const mine = indentsOf(updated);
  const sent = indentsOf(old);
  const file = indentsOf(lines);
  const isAllSent = mine.every((indent) => sent.includes(indent));
  const isAllFile = mine.every((indent) => file.includes(indent));
  if (isAllSent !== isAllFile) return isAllSent ? "sent" : "file";
  for (const measure of [leastOf, firstOf]) {
    const own = measure(mine);
    if (own === measure(sent) && !file.includes(own)) return "sent";
    if (own === measure(file) && !sent.includes(own)) return "file";
  }
  return byBlanks(blanksOf(mine), blanksOf(sent), blanksOf(file));
}

/** If one side is indented by tabs only and the other by spaces only, the blanks of the new text decide. */
function byBlanks(
  mine: string | undefined,
  sent: string | undefined,
  file: string | undefined,
): IndentBasis {
  if (sent === undefined || file === undefined || sent === file) return "unclear";
  return mine === sent ? "sent" : mine === file ? "file" : "unclear";
}

/** The only character in the indentations; undefined for none and for a mixture. */
function blanksOf(indents: readonly string[]): string | undefined {
  const [blank, ...others] = new Set(indents.join(""));
  return others.length === 0 ? blank : undefined;
}

function leastOf(indents: readonly string[]): string {
  return indents.reduce(
    (least, each) => (each.length < least.length ? each : least),
    firstOf(indents),
  );
}

function firstLine(lines: readonly string[]): string | undefined {
  return lines.find((line) => !isBlankLine(line));
}

function firstOf(indents: readonly string[]): string {
  return indents[0] ?? "";
}

function indentsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => !isBlankLine(line)).map((line) => indentText(line));
}

function isBlankLine(line: string): boolean {
  return line.trim() === "";
}
