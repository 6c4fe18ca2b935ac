/** The block of a file that is nearest to a text that matches nowhere, to be shown in a refusal. */
import { distance } from "fastest-levenshtein";
import type { Candidate } from "./candidate.ts";
import { foldLookAlikes } from "./look-alikes.ts";
import { lineIndexAt, lineStarts, splitLines, startOfLine } from "./text.ts";

/** Part of a file that is most similar to a wanted text. It is only shown, never changed. */
export interface NearestBlock {
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** Sentence that names the difference. */
  readonly difference: string;
  /** Number of wanted lines that it contains, ignoring white space and look-alikes. */
  readonly equalLines: number;
}

/** Maximum number of candidates that are searched for. */
const maxCandidates = 12;

/**
 * Finds the block nearest to an edit that matches nowhere, either as written or, if that is nearer, after mistakes were
 * undone: the next call needs only the remaining difference. The candidate as written comes first.
 */
export function nearestCandidate(
  text: string,
  candidates: readonly Candidate[],
): NearestBlock | undefined {
  const file = new FileLines(text);
  const searched = candidates.slice(0, maxCandidates);
  for (const { oldText, labels } of searched) {
    const block = brokenOtherwise(file, oldText);
    if (block !== undefined) return { ...block, difference: asRead(labels, block.difference) };
  }
  let nearest: NearestBlock | undefined;
  for (const { oldText, labels } of searched) {
    const block = nearestBlock(file, oldText, nearest === undefined);
    if (block === undefined) continue;
    if (nearest !== undefined && block.equalLines <= nearest.equalLines) continue;
    const { firstLine, lines, equalLines } = block;
    nearest = { firstLine, lines, equalLines, difference: asRead(labels, block.difference) };
  }
  return nearest;
}

function asRead(labels: readonly string[], difference: string): string {
  return labels.length === 0 ? difference : `This is nearest ${labels.join("; ")}. ${difference}`;
}

/** Lines of a text in the forms in which they are compared, each computed once. */
export class FileLines {
  readonly text: string;
  readonly all: readonly string[];
  /** Text with look-alikes as plain characters, in which each line can be found. */
  readonly #text: string;
  readonly #places = new Map<string, readonly number[]>();
  #starts: readonly number[] | undefined;
  #folded: readonly string[] | undefined;
  #plain: string | undefined;
  #index: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(text: string) {
    this.text = text;
    this.all = splitLines(text);
    this.#text = foldLookAlikes(text);
  }

  /** Text without any white space. */
  get plain(): string {
    return (this.#plain ??= withoutSpace(this.text));
  }

  /** Index of the line with a character of the text without white space. */
  lineOfPlain(at: number): number {
    let left = at;
    return this.all.findIndex((line) => (left -= withoutSpace(line).length) < 0);
  }

  get folded(): readonly string[] {
    return (this.#folded ??= splitLines(this.#text).map((line) => spacedOnce(line)));
  }

  /** Indices of the lines that equal a folded line, which is not empty; only the first ones if there are many. */
  placesOf(key: string): readonly number[] {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const search = this.#index === undefined ? this.#searchFor(key) : undefined;
    const places = search ?? this.#indexed.get(key) ?? [];
    this.#places.set(key, places);
    return places;
  }

  /** Searches by the longest word of a line, so that others are not compared; undefined if too many have it. */
  #searchFor(key: string): readonly number[] | undefined {
    const word = key.split(" ").reduce((one, other) => (other.length > one.length ? other : one));
    const text = this.#text;
    const found: number[] = [];
    let at = text.indexOf(word);
    for (let looks = 0; at !== -1 && found.length <= maxPlaces; looks++) {
      if (looks === maxLooks) return undefined;
      const start = startOfLine(text, at);
      const feed = text.indexOf("\n", at);
      const end = feed === -1 ? text.length : feed;
      if (spacedOnce(text.slice(start, end)) === key) found.push(this.#lineAt(start));
      at = text.indexOf(word, end);
    }
    return found;
  }

  #lineAt(offset: number): number {
    return lineIndexAt((this.#starts ??= lineStarts(this.#text)), offset);
  }

  /** Indices of all lines, by their folded form. */
  get #indexed(): ReadonlyMap<string, readonly number[]> {
    return (this.#index ??= Map.groupBy(this.folded.keys(), (at) => this.folded[at] ?? ""));
  }
}

/** Number of lines with a word of the wanted one above which a single pass over all lines is faster. */
const maxLooks = 1000;
/** Number of occurrences above which a line, such as "}", does not help to find the block. */
const maxPlaces = 200;
const maxShownLines = 40;
/** Limits of the search by similarity, which runs only if no line is equal. */
const maxScannedLines = 5000;
const maxComparedChars = 120;
/** Minimum similarity; a line below it has nothing near it in the file. */
const leastSimilarity = 0.5;

/** Block at the best start; a line that is only similar determines it if no line is equal and that is allowed. */
export function nearestBlock(
  file: FileLines,
  wanted: string,
  bySimilarity: boolean,
): NearestBlock | undefined {
  const wantedLines = splitLines(wanted);
  const start =
    bestByEqualLines(file, wantedLines) ??
    (bySimilarity ? bestBySimilarity(file, wantedLines) : undefined);
  if (start === undefined) return undefined;
  const firstLine = Math.max(0, start);
  const lines = file.all.slice(firstLine, Math.max(start + wantedLines.length, firstLine + 1));
  return {
    firstLine: firstLine + 1,
    lines: lines.slice(0, maxShownLines),
    // Computed on demand, because only the nearest of several blocks is reported.
    get difference() {
      return differenceOf(lines, wantedLines, firstLine);
    },
    equalLines: wantedLines.filter((line, at) => fold(line) === fold(lines[at] ?? "")).length,
  };
}

/** The only block that equals the wanted text except for line breaks or empty lines. */
function brokenOtherwise(file: FileLines, wanted: string): NearestBlock | undefined {
  const content = withoutSpace(wanted);
  const at = file.plain.indexOf(content);
  if (content === "" || at === -1 || file.plain.includes(content, at + 1)) return undefined;
  const first = file.lineOfPlain(at);
  const lines = file.all.slice(first, file.lineOfPlain(at + content.length - 1) + 1);
  const sent = splitLines(wanted.trim());
  // With the same number of lines, they differ in other white space.
  if (lines.length === sent.length) return undefined;
  return {
    firstLine: first + 1,
    lines: lines.slice(0, maxShownLines),
    difference: `It differs in white space only, and in where its lines break: old_string has ${counted(sent.length)}, the file has ${counted(lines.length)}.`,
    equalLines: lines.length,
  };
}

function counted(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

/**
 * Best start by votes: each wanted line votes for the starts at which it would meet an equal line; longer lines weigh
 * more.
 */
function bestByEqualLines(file: FileLines, wanted: readonly string[]): number | undefined {
  const votes = new Map<number, number>();
  for (const [offset, line] of wanted.entries()) {
    const key = fold(line);
    const places = key === "" ? [] : file.placesOf(key);
    if (places.length > maxPlaces) continue;
    const weight = Math.min(line.trim().length, 80) / places.length;
    for (const at of places) votes.set(at - offset, (votes.get(at - offset) ?? 0) + weight);
  }
  let best: number | undefined;
  let most = 0;
  for (const [start, weight] of votes) {
    if (best !== undefined && (weight < most || (weight === most && start > best))) continue;
    best = start;
    most = weight;
  }
  return best;
}

function bestBySimilarity(file: FileLines, wanted: readonly string[]): number | undefined {
  const length = Math.max(...wanted.map((each) => each.trim().length));
  const offset = wanted.findIndex((each) => each.trim().length === length);
  const line = fold(wanted[offset] ?? "").slice(0, maxComparedChars);
  let best: number | undefined;
  let most = leastSimilarity;
  for (const [at, folded] of file.folded.slice(0, maxScannedLines).entries()) {
    const other = folded.slice(0, maxComparedChars);
    const longer = Math.max(line.length, other.length);
    // Lines of very different lengths cannot be more similar.
    if (Math.min(line.length, other.length) <= longer * most) continue;
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
    return "Its lines are the same; old_string differs in the text before or after them, such as a line break at the end.";
  }
  const has = file[at];
  const line = start + at + 1;
  if (has === undefined) return `The file ends before line ${line} of it.`;
  const sent = wanted[at] ?? "";
  return `${kindOf(file, wanted)}, first at line ${line}: old_string has ${visible(sent, has)}, the file has ${visible(has, sent)}.`;
}

function kindOf(file: readonly string[], wanted: readonly string[]): string {
  const same = (change: (text: string) => string): boolean =>
    wanted.length === file.length &&
    wanted.every((each, index) => change(each) === change(file[index] ?? ""));
  if (same(withoutSpace)) return "It differs in white space only";
  if (same((each) => withoutSpace(foldLookAlikes(each)))) {
    return "It differs only in characters that look alike";
  }
  if (same((each) => withoutSpace(each).toLowerCase())) return "It differs in letter case";
  const unescaped = wanted.join("\n").replaceAll(/\\(["'`\\])/gu, "$1");
  if (withoutSpace(unescaped) === withoutSpace(file.join("\n"))) return "It differs in escapes";
  const changed = wanted.filter((each, index) => fold(each) !== fold(file[index] ?? "")).length;
  if (changed < wanted.length) {
    return `${wanted.length - changed} of the ${wanted.length} lines are there; the file may have changed since it was read. It differs`;
  }
  return "It differs";
}

/** Form in which a line is compared: look-alikes as plain characters, and single blanks between words. */
function fold(line: string): string {
  return spacedOnce(foldLookAlikes(line));
}

function spacedOnce(line: string): string {
  const trimmed = line.trim();
  return /\s\s|[\t\v\f]/u.test(trimmed) ? trimmed.replaceAll(/\s+/gu, " ") : trimmed;
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/gu, "");
}

/**
 * A line as JSON, so that tabs, trailing spaces and unusual characters are visible. Of a long line, the part is shown
 * that differs from the other line; a letter is shown by its code if the other line has a plain one.
 */
function visible(line: string, other: string): string {
  let same = 0;
  while (same < line.length && line[same] === other[same]) same++;
  const from = same > maxComparedChars - leastShownAfter ? same - leastShownBefore : 0;
  const to = from + maxComparedChars;
  let shown = "";
  for (let at = from; at < Math.min(to, line.length); at++) {
    const character = line.charAt(at);
    if (isShownAsItIs(character)) {
      shown += character;
      continue;
    }
    const isTold =
      unseen.test(character) || (!plain.test(character) && plain.test(other[at] ?? character));
    const asWritten = plain.test(character) ? JSON.stringify(character).slice(1, -1) : character;
    shown += isTold ? codeOf(character) : asWritten;
  }
  return `"${from > 0 ? "…" : ""}${shown}${to < line.length ? "…" : ""}"`;
}

const leastShownBefore = 40;
const leastShownAfter = 20;
const plain = /^[\0-\u007F]$/u;
const unseen =
  /[\u00A0\u00AD\u2000-\u200F\u2010-\u201F\u2028-\u202F\u205F-\u206F\u2212\u3000\uFEFF]/u;

/** Fast path for most characters; the check for the others takes longer. */
function isShownAsItIs(character: string): boolean {
  return character >= " " && character <= "~" && character !== '"' && character !== "\\";
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
