import { distance } from "fastest-levenshtein";
import { splitLines } from "./lines.ts";

/** The part of a file that looks most like a wanted text. Only ever shown, never written to. */
export interface NearestBlock {
  /** From 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** A sentence that names what is different. */
  readonly difference: string;
}

const maxShownLines = 40;
/** Work limits of the search by similarity, which runs only where no line is equal. */
const maxScannedLines = 5000;
const maxComparedChars = 300;
/** A line that shares less than this with every line of the file has nothing near it. */
const leastSimilarity = 0.5;

export function nearestBlock(text: string, wanted: string): NearestBlock | undefined {
  const fileLines = splitLines(text);
  const wantedLines = splitLines(wanted);
  const start =
    bestByEqualLines(fileLines, wantedLines) ?? bestBySimilarity(fileLines, wantedLines);
  if (start === undefined) return undefined;
  const firstLine = Math.max(0, start);
  const lines = fileLines.slice(firstLine, Math.max(start + wantedLines.length, firstLine + 1));
  return {
    firstLine: firstLine + 1,
    lines: lines.slice(0, maxShownLines),
    difference: differenceOf(lines, wantedLines, firstLine),
  };
}

/** Each wanted line votes for the starts at which it would fall on an equal one; longer lines weigh more. */
function bestByEqualLines(file: readonly string[], wanted: readonly string[]): number | undefined {
  const positions = new Map<string, number[]>();
  for (const line of wanted) if (line.trim() !== "") positions.set(fold(line), []);
  for (const [at, line] of file.entries()) positions.get(fold(line))?.push(at);
  const votes = new Map<number, number>();
  for (const [offset, line] of wanted.entries()) {
    const places = positions.get(fold(line)) ?? [];
    // A line such as "}" that stands everywhere tells nothing about the place.
    if (places.length > 200) continue;
    const weight = Math.min(line.trim().length, 80) / places.length;
    for (const at of places) votes.set(at - offset, (votes.get(at - offset) ?? 0) + weight);
  }
  let best: number | undefined;
  let most = 0;
  for (const [start, weight] of votes) {
    if (weight > most || (weight === most && best !== undefined && start < best)) {
      best = start;
      most = weight;
    }
  }
  return best;
}

function bestBySimilarity(file: readonly string[], wanted: readonly string[]): number | undefined {
  const offset = wanted.findIndex((line) => line.trim() !== "");
  const line = fold(wanted[offset] ?? "").slice(0, maxComparedChars);
  if (line === "") return undefined;
  let best: number | undefined;
  let most = leastSimilarity;
  for (const [at, each] of file.slice(0, maxScannedLines).entries()) {
    const other = fold(each).slice(0, maxComparedChars);
    const longer = Math.max(line.length, other.length);
    const similarity = 1 - distance(line, other) / longer;
    if (similarity > most) {
      best = at - offset;
      most = similarity;
    }
  }
  return best;
}

function differenceOf(file: readonly string[], wanted: readonly string[], start: number): string {
  const at = wanted.findIndex((line, index) => line !== file[index]);
  if (at === -1) {
    return "Its lines are the same; old_string differs in what stands before or after them, such as a line break at the end.";
  }
  const has = file[at];
  const line = start + at + 1;
  if (has === undefined) return `The file ends before line ${line} of it.`;
  const sent = wanted[at] ?? "";
  const same = (change: (text: string) => string): boolean =>
    wanted.length === file.length &&
    wanted.every((each, index) => change(each) === change(file[index] ?? ""));
  const kind = same(withoutSpace)
    ? "It differs in white space only"
    : same(withoutLookAlikes)
      ? "It differs only in characters that look alike"
      : same((each) => withoutSpace(each).toLowerCase())
        ? "It differs in letter case"
        : "It differs";
  return `${kind}, first at line ${line}: old_string has ${visible(sent)}, the file has ${visible(has)}.`;
}

function fold(line: string): string {
  return withoutLookAlikes(line.trim().replaceAll(/\s+/gu, " "));
}

function withoutSpace(line: string): string {
  return line.replaceAll(/\s+/gu, "");
}

function withoutLookAlikes(text: string): string {
  return withoutSpace(text)
    .normalize("NFKC")
    .replaceAll(/[\u2018\u2019\u201B]/gu, "'")
    .replaceAll(/[\u201C\u201D]/gu, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/gu, "-");
}

/** A line as JSON, so that tabs, spaces at the end and odd characters can be told apart. */
function visible(line: string): string {
  const clipped = line.length > maxComparedChars ? `${line.slice(0, maxComparedChars)}…` : line;
  return JSON.stringify(clipped).replaceAll(
    /[\u00A0\u2000-\u200F\u2028-\u202F\u2010-\u201F\u2212\u3000\uFEFF]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
