/** The block of a file that is nearest to a text that matches nowhere, to be shown in a refusal. */
import { distance } from "fastest-levenshtein";
import { foldLookAlikes } from "./look-alikes.ts";
import { splitLines } from "./text.ts";

/** Part of a file that is most similar to a wanted text. It is only shown, never changed. */
export interface NearestBlock {
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** Sentence that names the difference. */
  readonly difference: string;
}

/** A text to search for, with what was undone in it. */
interface Wanted {
  readonly oldText: string;
  readonly labels: readonly string[];
}

/** Maximum number of texts that are searched for. */
const maxWanted = 12;
/** Number of occurrences above which a line, such as "}", does not help to find the block. */
const maxPlaces = 200;
const maxShownLines = 40;
/** Limits of the search by similarity, which runs only if no line is equal. */
const maxScannedLines = 5000;
const maxComparedChars = 120;
/** Minimum similarity; a line below it has nothing near it in the file. */
const leastSimilarity = 0.5;

/**
 * Finds the block nearest to any of several texts, of which the first is the one as written: a block that differs in
 * white space only, otherwise one with equal lines, otherwise one with a similar line. Undefined if there is none.
 */
export function nearestBlock(text: string, wanted: readonly Wanted[]): NearestBlock | undefined {
  const searched = wanted.slice(0, maxWanted);
  const file = splitLines(text);
  const all = withoutSpace(text);
  const folded = file.map((line) => fold(line));
  const block =
    firstOf(searched, ({ oldText }) => brokenOtherwise({ file, all }, oldText)) ??
    byEqualLines(folded, searched) ??
    firstOf(searched, ({ oldText }) => bySimilarity(folded, splitLines(oldText)));
  if (block === undefined) return undefined;
  const { start, oldText, labels } = block;
  const sent = splitLines(oldText);
  const first = Math.max(0, start);
  const lines = file.slice(first, block.end ?? Math.max(start + sent.length, first + 1));
  const difference =
    block.end === undefined
      ? differenceOf(lines, sent, first)
      : `It differs in white space only, and in where its lines break: old_string has ${counted(splitLines(oldText.trim()))}, the file has ${counted(lines)}.`;
  return {
    firstLine: first + 1,
    lines: lines.slice(0, maxShownLines),
    difference:
      labels.length === 0 ? difference : `This is nearest ${labels.join("; ")}. ${difference}`,
  };
}

function counted({ length }: readonly string[]): string {
  return length === 1 ? "1 line" : `${length} lines`;
}

/** Lines of the file that correspond to a text: as many as it has, unless the last one is known. */
interface Block {
  readonly start: number;
  readonly end?: number;
}

function firstOf(
  wanted: readonly Wanted[],
  find: (each: Wanted) => Block | undefined,
): (Wanted & Block) | undefined {
  for (const each of wanted) {
    const block = find(each);
    if (block !== undefined) return { ...each, ...block };
  }
  return undefined;
}

/** The only block that equals a text except for white space, if it has another number of lines. */
function brokenOtherwise(
  { file, all }: { readonly file: readonly string[]; readonly all: string },
  wanted: string,
): Block | undefined {
  const content = withoutSpace(wanted);
  const at = all.indexOf(content);
  if (content === "" || at === -1 || all.includes(content, at + 1)) return undefined;
  const lineOf = (character: number): number => {
    let left = character;
    return file.findIndex((line) => (left -= withoutSpace(line).length) < 0);
  };
  const start = lineOf(at);
  const end = lineOf(at + content.length - 1) + 1;
  return end - start === splitLines(wanted.trim()).length ? undefined : { start, end };
}

/** The block with the most equal lines; of several, that of the first text. */
function byEqualLines(
  folded: readonly string[],
  wanted: readonly Wanted[],
): (Wanted & Block) | undefined {
  const places = Map.groupBy(folded.keys(), (at) => folded[at] ?? "");
  let best: (Wanted & Block) | undefined;
  let most = -1;
  for (const each of wanted) {
    const lines = splitLines(each.oldText).map((line) => fold(line));
    const start = votedStart(places, lines);
    if (start === undefined) continue;
    const equal = lines.filter((line, at) => line === folded[Math.max(0, start) + at]).length;
    if (equal <= most) continue;
    best = { ...each, start };
    most = equal;
  }
  return best;
}

/** Each wanted line votes for the starts at which it would meet an equal line; longer and rarer lines weigh more. */
function votedStart(
  places: ReadonlyMap<string, readonly number[]>,
  wanted: readonly string[],
): number | undefined {
  const votes = new Map<number, number>();
  for (const [offset, line] of wanted.entries()) {
    const own = line === "" ? [] : (places.get(line) ?? []);
    if (own.length > maxPlaces) continue;
    const weight = Math.min(line.length, 80) / own.length;
    for (const at of own) votes.set(at - offset, (votes.get(at - offset) ?? 0) + weight);
  }
  let best: number | undefined;
  let most = -1;
  for (const [start, weight] of votes) {
    if (weight < most || (weight === most && best !== undefined && start > best)) continue;
    best = start;
    most = weight;
  }
  return best;
}

/** The block with the line that is most similar to the longest wanted one. */
function bySimilarity(folded: readonly string[], wanted: readonly string[]): Block | undefined {
  const length = Math.max(...wanted.map((each) => each.trim().length));
  const offset = wanted.findIndex((each) => each.trim().length === length);
  const line = fold(wanted[offset] ?? "").slice(0, maxComparedChars);
  let best: Block | undefined;
  let most = leastSimilarity;
  for (const [at, each] of folded.slice(0, maxScannedLines).entries()) {
    const other = each.slice(0, maxComparedChars);
    const longer = Math.max(line.length, other.length);
    // Lines of very different lengths cannot be more similar.
    if (Math.min(line.length, other.length) <= longer * most) continue;
    const similarity = 1 - distance(line, other) / longer;
    if (similarity <= most) continue;
    best = { start: at - offset };
    most = similarity;
  }
  return best;
}

function differenceOf(file: readonly string[], wanted: readonly string[], start: number): string {
  const at = wanted.findIndex((line, index) => line !== file[index]);
  if (at === -1) {
    return "Its lines are the same; old_string differs in the text before or after them, such as a line break at the end.";
  }
  const has = file[at];
  const line = start + at + 1;
  if (has === undefined) return `The file ends before line ${line} of it.`;
  const sent = wanted[at] ?? "";
  return `${kindOf(file, wanted)}, first at line ${line}: old_string has ${visible(sent, has)}, the file has ${visible(has, sent)}.`;
}

function kindOf(file: readonly string[], wanted: readonly string[]): string {
  const differsOnly = (change: (text: string) => string): boolean =>
    wanted.length === file.length &&
    wanted.every((each, index) => change(each) === change(file[index] ?? ""));
  if (differsOnly(withoutSpace)) return "It differs in white space only";
  if (differsOnly((each) => withoutSpace(foldLookAlikes(each)))) {
    return "It differs only in characters that look alike";
  }
  if (differsOnly((each) => withoutSpace(each).toLowerCase())) return "It differs in letter case";
  const unescaped = wanted.join("\n").replaceAll(/\\(["'`\\])/gu, "$1");
  if (withoutSpace(unescaped) === withoutSpace(file.join("\n"))) return "It differs in escapes";
  const equal = wanted.filter((each, index) => fold(each) === fold(file[index] ?? "")).length;
  if (equal > 0) {
    return `${equal} of the ${wanted.length} lines are there; the file may have changed since it was read. It differs`;
  }
  return "It differs";
}

/** Form in which a line is compared: look-alikes as plain characters, and single blanks between words. */
function fold(line: string): string {
  const trimmed = foldLookAlikes(line).trim();
  return /\s\s|[\t\v\f]/u.test(trimmed) ? trimmed.replaceAll(/\s+/gu, " ") : trimmed;
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/gu, "");
}

/**
 * A line as JSON, so that tabs and trailing spaces are visible. Of a long line, the part is shown that differs from the
 * other line; a character that is not ASCII is shown by its code if it is hardly seen or the other line lacks it.
 */
function visible(line: string, other: string): string {
  let same = 0;
  while (same < line.length && line[same] === other[same]) same++;
  const from = same > maxComparedChars - leastShownAfter ? same - leastShownBefore : 0;
  const to = from + maxComparedChars;
  const shown = JSON.stringify(line.slice(from, to))
    .slice(1, -1)
    .replaceAll(/[^\0-\u007F]/gu, (each) =>
      hardlySeen.test(each) || !other.includes(each)
        ? Array.from({ length: each.length }, (_, at) => escaped(each.charCodeAt(at))).join("")
        : each,
    );
  return `"${from > 0 ? "…" : ""}${shown}${to < line.length ? "…" : ""}"`;
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

const leastShownBefore = 40;
const leastShownAfter = 20;
const hardlySeen = /[\u00A0\u00AD\u2000-\u201F\u2028-\u202F\u205F-\u206F\u2212\u3000\uFEFF]/u;
