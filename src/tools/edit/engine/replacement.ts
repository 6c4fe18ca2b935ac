import { keptLines } from "./kept-lines.ts";
import { lineEndingAt, partsOf, withPlainEndings } from "./lines.ts";
import type { Place } from "./place.ts";
import { blanksAfter } from "./fold.ts";

/** New text for a place, or why it cannot be told what the new text is. */
export type Replacement =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unclear"; readonly because: string };

export function unclear(because: string): Replacement {
  return { kind: "unclear", because };
}

export interface Pair {
  readonly oldText: string;
  readonly newText: string;
}

/** Changed lines in the form of their place; a string says why that form cannot be told. */
export type AdaptLines = (changed: readonly string[]) => readonly string[] | string;

export interface LineReplacement {
  readonly pair: Pair;
  /** Which lines that the edit leaves as they are keep their bytes: all, or those before its first and after its last change. */
  readonly keeps: "all" | "edges";
  /** Old lines without what only they carry, so that new lines are seen to be the same; as they are by default. */
  readonly plain?: (file: readonly string[]) => readonly string[];
  readonly adapt: AdaptLines;
}

/**
 * New text for a place that matched line by line but not literally. Lines that the edit leaves as they are
 * keep their bytes, line ending included; the others are adapted and take the line ending of the place.
 */
export function replaceLines(
  text: string,
  place: Place,
  { pair, keeps, plain, adapt }: LineReplacement,
): Replacement {
  const old = partsOf(withPlainEndings(pair.oldText));
  const updated = partsOf(withPlainEndings(pair.newText));
  const file = text.slice(place.start, place.end).split("\n");
  const kept = keptOf(updated, { old, file, keeps, plain });
  const changed = updated.filter((_line, index) => kept[index] === undefined);
  const adapted = adapt(changed);
  if (typeof adapted === "string") return unclear(adapted);
  const ending = lineEndingAt(text, place.start) ?? "\n";
  let result = "";
  let next = 0;
  for (const [index, from] of kept.entries()) {
    const isLast = index === kept.length - 1;
    const line = from === undefined ? (adapted[next++] ?? "") : (file[from] ?? "");
    if (from !== undefined && !isLast && from < file.length - 1) {
      result += `${line}\n`;
      continue;
    }
    // The last line of a place is cut off before its ending, so it carries none of its own.
    const content = from !== undefined && from < file.length - 1 ? withoutReturn(line) : line;
    result += isLast ? content : content + ending;
  }
  return { kind: "text", text: result };
}

interface Comparison {
  readonly old: readonly string[];
  readonly file: readonly string[];
  readonly keeps: LineReplacement["keeps"];
  readonly plain: LineReplacement["plain"];
}

function keptOf(
  updated: readonly string[],
  { old, file, keeps, plain }: Comparison,
): (number | undefined)[] {
  if (old.length !== file.length) return updated.map(() => undefined);
  if (plain === undefined) return keptLines(old, updated, keeps);
  const plainOld = plain(file.map(withoutReturn));
  const growth = updated.length - old.length;
  const same = old.map((line, index) => {
    // A line that is the same as it was sent is the same, whatever it carries, counted from the end or the start.
    const inPlace = [updated[index + growth], updated[index]];
    const plainLine = plainOld[index] ?? line;
    const inCharacters = withoutBlanks(plainLine) + blanksAfter(line);
    return (
      inPlace.find((each) => each === line || each === plainLine || each === inCharacters) ??
      plainLine
    );
  });
  return keptLines(same, updated, keeps);
}

/** New text that is taken as it was written, but for its line endings. */
export function replaceLiterally(text: string, place: Place, pair: Pair): Replacement {
  const { oldText, newText } = pair;
  // An edit that changes nothing but line endings means them.
  const plain = withPlainEndings(newText);
  if (oldText.includes("\r") && plain === withPlainEndings(oldText)) {
    return { kind: "text", text: newText };
  }
  const ending = lineEndingAt(text, place.start);
  if (ending === undefined) return { kind: "text", text: newText };
  return { kind: "text", text: ending === "\n" ? plain : plain.replaceAll("\n", ending) };
}

function withoutBlanks(line: string): string {
  return line.slice(0, line.length - blanksAfter(line).length);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
