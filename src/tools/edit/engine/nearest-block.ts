import { distance } from "fastest-levenshtein";
import { LineSearch } from "./line-search.ts";
import { countNewlines, splitLines } from "./lines.ts";
import { foldLookAlikes } from "./look-alikes.ts";
import { startOfLine } from "./place.ts";

/** The part of a file that looks most like a wanted text. Only ever shown, never written to. */
export interface NearestBlock {
  /** From 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** A sentence that names what is different. */
  readonly difference: string;
  /** How many of the wanted lines stand in it, but for white space and look-alikes. */
  readonly equalLines: number;
}

interface NearestOptions {
  /** Whether a line that is only similar tells the place where none is equal. Default true. */
  readonly bySimilarity?: boolean;
  /** The lines of the text, where it is looked at more than once. */
  readonly file?: FileLines;
}

/** The lines of a text and the forms in which they are compared, each made once. */
export class FileLines {
  readonly text: string;
  readonly all: readonly string[];
  /** The text with its look-alikes as plain characters, in which each line has its place. */
  readonly #text: string;
  readonly #search: LineSearch;
  readonly #places = new Map<string, readonly number[]>();
  #folded: readonly string[] | undefined;
  #plain: string | undefined;
  #index: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(text: string) {
    this.text = text;
    this.all = splitLines(text);
    this.#text = foldLookAlikes(text);
    this.#search = new LineSearch(this.#text);
  }

  /** The text without any white space. */
  get plain(): string {
    return (this.#plain ??= withoutSpace(this.text));
  }

  get folded(): readonly string[] {
    return (this.#folded ??= splitLines(this.#text).map((line) => spacedOnce(line)));
  }

  /** Indices of the lines that are compared as a folded one, which is not empty; the first ones where it has many. */
  placesOf(key: string): readonly number[] {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const piece = key.split(" ").reduce((one, other) => (other.length > one.length ? other : one));
    const isMeant = (line: string): boolean => spacedOnce(line) === key;
    const places =
      this.#index === undefined
        ? this.#search.find({ piece, isMeant, most: maxPlaces + 1, looks: maxLooks })
        : undefined;
    const all = places ?? this.#indexed.get(key) ?? [];
    this.#places.set(key, all);
    return all;
  }

  /** The indices of all lines by what they are folded to. */
  get #indexed(): ReadonlyMap<string, readonly number[]> {
    return (this.#index ??= Map.groupBy(this.folded.keys(), (at) => this.folded[at] ?? ""));
  }
}

/** Where more lines than these have a piece of the wanted one, looking at all lines once is quicker. */
const maxLooks = 1000;
/** A line such as "}" that stands more often tells nothing about the place. */
const maxPlaces = 200;
const maxShownLines = 40;
/** Work limits of the search by similarity, which runs only where no line is equal. */
const maxScannedLines = 5000;
const maxComparedChars = 120;
/** A line that shares less than this with every line of the file has nothing near it. */
const leastSimilarity = 0.5;

export function nearestBlock(
  text: string,
  wanted: string,
  { bySimilarity = true, file = new FileLines(text) }: NearestOptions = {},
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
    // Of several blocks only the nearest is told about.
    get difference() {
      return differenceOf(lines, wantedLines, firstLine);
    },
    equalLines: wantedLines.filter((line, at) => fold(line) === fold(lines[at] ?? "")).length,
  };
}

/** The one block that holds the wanted text with its lines broken elsewhere, or with other empty lines. */
export function brokenOtherwise(file: FileLines, wanted: string): NearestBlock | undefined {
  const content = withoutSpace(wanted);
  const { text, plain } = file;
  const at = plain.indexOf(content);
  if (content === "" || at === -1 || plain.includes(content, at + 1)) return undefined;
  const start = offsetOf(text, at);
  const end = offsetOf(text, at + content.length - 1) + 1;
  const firstLine = countNewlines(text, 0, start) + 1;
  const lines = splitLines(text.slice(startOfLine(text, start), end));
  const sent = splitLines(wanted.trim());
  // The same lines differ in other white space.
  if (lines.length === sent.length) return undefined;
  return {
    firstLine,
    lines: lines.slice(0, maxShownLines),
    difference: `It differs in white space only, and in where its lines break: old_string has ${counted(sent.length)}, the file has ${counted(lines.length)}.`,
    equalLines: lines.length,
  };
}

function counted(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

/** Where the character of a text stands that so many others come before, white space left out. */
function offsetOf(text: string, before: number): number {
  const shown = /\S/gu;
  for (let seen = 0; shown.test(text); seen++) {
    if (seen === before) return shown.lastIndex - 1;
  }
  return text.length;
}

/** Each wanted line votes for the starts at which it would fall on an equal one; longer lines weigh more. */
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
    // Lines of very different lengths need no closer look.
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
    return "Its lines are the same; old_string differs in what stands before or after them, such as a line break at the end.";
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

/** The form in which a line is compared: look-alikes as plain characters, and no more blanks than one between words. */
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
 * A line as JSON, so that tabs, spaces at the end and odd characters can be told apart. Of a long one the part is
 * shown in which it differs from the other, and a letter by its code where the other has a plain one.
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

/** Most are, and to look for what the others are takes longer. */
function isShownAsItIs(character: string): boolean {
  return character >= " " && character <= "~" && character !== '"' && character !== "\\";
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
