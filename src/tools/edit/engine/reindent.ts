import { isShift, isUniform, proveIndentMap, type IndentPair } from "./indent-map.ts";
import { indentText, indentUnit } from "./indent-style.ts";
import { linesOnce, partsOf, withPlainEndings } from "./lines.ts";
import type { Pair } from "./replacement.ts";

export interface ReindentOptions {
  readonly pair: Pair;
  /** The lines of the place, one for each line of the old text. */
  readonly lines: readonly string[];
  /** The whole file, whose own unit may settle a doubt. */
  readonly text: string;
  /** The form in which lines of both texts are compared, where characters only look alike; as they are by default. */
  readonly same?: ((line: string) => string) | undefined;
}

/** Pairs of indentations of the old text and a place, without blank lines; undefined where they are no uniform shift. */
export function indentPairs(oldText: string, lines: readonly string[]): IndentPair[] | undefined {
  const pairs = partsOf(withPlainEndings(oldText)).flatMap((line, index) => {
    if (isBlankLine(line)) return [];
    return [{ sent: indentText(line), file: indentText(lines[index] ?? "") }];
  });
  const isShifted = pairs.some(({ sent, file }) => sent !== file);
  return isShifted && isUniform(pairs) ? pairs : undefined;
}

/**
 * Changed lines with the indentation of their place, by the map that takes the old text there, for new text
 * that is indented as it was sent. A string says why no such map is proved.
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
    // The map has every wanted one.
    mapped.push((map(indent) ?? indent) + line.slice(indent.length));
  }
  return mapped;
}

const blanksAlone =
  "new_string has a line of nothing but blanks, for which an indentation is not proved";

const unproved =
  "new_string has an indentation for which the one that the file would have is not proved";

/**
 * Whether new text in the indentation of the file has only such as the place has, or the old text was shifted
 * as a whole. Otherwise its lines were indented anyhow, and so may those of the new text be.
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
  // An indentation of the lines sent that is no level of the file, or one blank more, is not the file's.
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

/** Whose indentation new text is written in: that of the old text as it was sent, or that of the file. */
export type IndentBasis = "sent" | "file" | "unclear";

/**
 * In whose indentation new text is written. Lines that it shares with the old text tell, then the least
 * indentation, then that of its first line, then any that only one of both has.
 */
export function indentBasis({
  pair,
  lines: file,
  same = (line) => line,
}: ReindentOptions): IndentBasis {
  const old = partsOf(withPlainEndings(pair.oldText)).map(same);
  const updated = partsOf(withPlainEndings(pair.newText)).map(same);
  const lines = file.map(same);
  // Blanks that are no plain ones are part of what the lines say.
  if (file.some((line) => /^[ \t]*[^\S \t]\s*\S/u.test(line))) return "unclear";
  // Without a line that says something there is nothing to indent.
  if (updated.every((line) => isBlankLine(line))) return "sent";
  if (mayStandBehindIndentation(updated, { old, lines })) return "unclear";
  const startsAsSent = sharesEdge(updated, old, lines);
  const startsAsFile = sharesEdge(updated, lines, old);
  const byEdge = startsAsSent ? "sent" : "file";
  const basis = startsAsSent === startsAsFile ? bySharedLines(updated, { old, lines }) : byEdge;
  // What is written as in the file would be indented as there, wherever the new text does not move it.
  if (basis !== "sent" && movesAll(updated, lines)) {
    return basis === undefined && byEdges(updated, { old, lines }) === "sent" ? "sent" : "unclear";
  }
  if (basis === undefined) return byEdges(updated, { old, lines });
  // Deeper lines of one side may look like those of the other, so the least indentation must not gainsay them.
  const [own, other] = basis === "sent" ? [old, lines] : [lines, old];
  const least = leastOf(indentsOf(updated));
  const isGainsaid = least === leastOf(indentsOf(other)) && least !== leastOf(indentsOf(own));
  if (isGainsaid && basis === "file" && wraps(updated, old)) return "sent";
  const startsAlike = firstLine(updated) === firstLine(old);
  return isGainsaid && !(basis === "sent" && startsAlike) ? "unclear" : basis;
}

/**
 * Whether one old line may have been taken without its indentation, and only the first new line, too: the others
 * would be indented as in the file then, and not by so much more than the first.
 */
function mayStandBehindIndentation(updated: readonly string[], { old, lines }: Lines): boolean {
  const [file = ""] = indentsOf(lines);
  const [first, ...others] = indentsOf(updated);
  if (indentsOf(old).length > 1 || file === "" || first !== "") return false;
  return others.length > 0 && others.every((indent) => indent.startsWith(file));
}

/** Whether new text is a line that opens a block, all old lines in it, and at most one line that closes the block. */
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

/** Whether new text has lines of the place that stand there once, and every one of them with another indentation. */
function movesAll(updated: readonly string[], lines: readonly string[]): boolean {
  const known = linesOnce(lines);
  const shared = updated.flatMap((line) => {
    const own = known.get(line.trim());
    return own === undefined ? [] : [{ line, own }];
  });
  return shared.length > 0 && shared.every(({ line, own }) => indentText(line) !== indentText(own));
}

/** By lines that both texts have, wherever they stand; undefined where none tells the two sides apart. */
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

/** Whether new text begins or ends with lines of one side that are indented otherwise on the other side. */
function sharesEdge(
  updated: readonly string[],
  one: readonly string[],
  other: readonly string[],
): boolean {
  const shares = (at: (lines: readonly string[], index: number) => string | undefined): boolean => {
    for (const index of updated.keys()) {
      const line = at(updated, index) ?? "";
      if (line.trimEnd() !== at(one, index)?.trimEnd()) return false;
      // A bracket alone may be any other one of them.
      if (/\w/u.test(line) && indentText(line) !== indentText(at(other, index) ?? "")) return true;
    }
    return false;
  };
  return shares((lines, index) => lines[index]) || shares((lines, index) => lines.at(-1 - index));
}

/** Without shared lines: indentations that only one of both sides has tell, those of all lines or of the outermost. */
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

/** Where one side is indented by tabs alone and the other by spaces alone, the blanks of new text tell. */
function byBlanks(
  mine: string | undefined,
  sent: string | undefined,
  file: string | undefined,
): IndentBasis {
  if (sent === undefined || file === undefined || sent === file) return "unclear";
  return mine === sent ? "sent" : mine === file ? "file" : "unclear";
}

/** The one character that indentations are made of; undefined for none and for a mixture. */
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
