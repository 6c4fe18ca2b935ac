import { isUniform, proveIndentMap, type IndentPair } from "./indent-map.ts";
import { indentText } from "./indent-style.ts";
import { partsOf, withPlainEndings } from "./lines.ts";
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
 * Changed lines with the indentation of their place, by the map that takes the old text there; as they are
 * where the new text was written in the file's indentation already. A string says why neither is proved.
 */
export function reindent(
  changed: readonly string[],
  pairs: readonly IndentPair[],
  { pair, lines, text, same = (line) => line }: ReindentOptions,
): readonly string[] | string {
  const old = partsOf(withPlainEndings(pair.oldText));
  const updated = partsOf(withPlainEndings(pair.newText));
  if (changed.every((line) => isBlankLine(line))) return changed.map(() => "");
  const basis = basisOf(updated.map(same), { old: old.map(same), lines: lines.map(same) });
  if (basis === "unclear") return "it is not clear which indentation new_string is written in";
  if (basis === "file") return changed;
  const wanted = changed.filter((line) => !isBlankLine(line)).map((line) => indentText(line));
  const sent = [...old, ...updated]
    .filter((line) => !isBlankLine(line))
    .map((line) => indentText(line));
  const map = proveIndentMap({ pairs, sent, wanted, text });
  if (map === undefined) return unproved;
  const mapped: string[] = [];
  for (const line of changed) {
    if (isBlankLine(line)) {
      mapped.push("");
      continue;
    }
    const indent = indentText(line);
    const to = map(indent);
    if (to === undefined) return unproved;
    mapped.push(to + line.slice(indent.length));
  }
  return mapped;
}

const unproved =
  "new_string has an indentation for which the one that the file would have is not proved";

interface Lines {
  readonly old: readonly string[];
  readonly lines: readonly string[];
}

/**
 * In whose indentation new text is written. Lines that it shares with the old text tell, then the least
 * indentation, then that of its first line, then any that only one of both has.
 */
function basisOf(updated: readonly string[], { old, lines }: Lines): "sent" | "file" | "unclear" {
  const startsAsSent = sharesEdge(updated, old, lines);
  const startsAsFile = sharesEdge(updated, lines, old);
  if (startsAsSent !== startsAsFile) return startsAsSent ? "sent" : "file";
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
  if (speaksForSent) return "unclear";
  return byEdges(updated, { old, lines });
}

/** Whether new text begins or ends with lines of one side that are indented otherwise on the other side. */
function sharesEdge(
  updated: readonly string[],
  one: readonly string[],
  other: readonly string[],
): boolean {
  const shares = (at: (lines: readonly string[], index: number) => string | undefined): boolean => {
    for (let index = 0; index < updated.length; index++) {
      const line = at(updated, index) ?? "";
      if (line.trimEnd() !== at(one, index)?.trimEnd()) return false;
      if (!isBlankLine(line) && indentText(line) !== indentText(at(other, index) ?? ""))
        return true;
    }
    return false;
  };
  return shares((lines, index) => lines[index]) || shares((lines, index) => lines.at(-1 - index));
}

/** Without shared lines: indentations that only one of both sides has tell, those of all lines or of the outermost. */
function byEdges(updated: readonly string[], { old, lines }: Lines): "sent" | "file" | "unclear" {
  const mine = indentsOf(updated);
  const sent = indentsOf(old);
  const file = indentsOf(lines);
  const isAllSent = mine.every((indent) => sent.includes(indent));
  const isAllFile = mine.every((indent) => file.includes(indent));
  if (isAllSent !== isAllFile) return isAllSent ? "sent" : "file";
  for (const measure of [least, first]) {
    const own = measure(mine);
    if (own === measure(sent) && !file.includes(own)) return "sent";
    if (own === measure(file) && !sent.includes(own)) return "file";
  }
  return "unclear";
}

function least(indents: readonly string[]): string {
  return first(indents.toSorted((one, other) => one.length - other.length));
}

function first(indents: readonly string[]): string {
  return indents[0] ?? "";
}

function indentsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => !isBlankLine(line)).map((line) => indentText(line));
}

function isBlankLine(line: string): boolean {
  return line.trim() === "";
}
