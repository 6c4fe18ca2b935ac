import { distance } from "fastest-levenshtein";
import { countNewlines } from "./lines.ts";
import { indentText } from "./indent-style.ts";
import { foldLookAlikes } from "./look-alikes.ts";
import type { Place } from "./place.ts";
import type { Pair } from "./replacement.ts";
import { plainLines, type Source } from "./source.ts";

/** Lines that share less with each other are no two versions of one. */
const leastSimilarity = 0.6;
const maxComparedChars = 200;
/** Parts of the file that are compared line by line, those with most of the old text first. */
const maxCandidates = 50;
/** How much of the old text stands as it was sent in a part of the file that may be the one that was meant. */
const leastShared = 0.3;
/** Lines that were added to such a part, or taken from it, since it was read. */
const maxMoved = 6;
/** Lines that are similar to one of an old text, before they are a habit of the file. */
const maxSimilar = 3;
/** A shorter new text may stand anywhere. */
const leastNewChars = 12;

/** A place and its lines, one for each line of the old text. */
export interface OwnLines extends Place {
  readonly lines: readonly string[];
}

/**
 * Says what gainsays that places are meant which are indented otherwise than the old text: the part that was meant
 * may have changed since, and they may be others that are like it. It does where another part of the file has lines
 * of the old text as they were sent, indentation included, or the new text.
 */
export function rivalOf(
  source: Source,
  places: readonly OwnLines[],
  pair: Pair,
): string | undefined {
  const parts = new FileParts(source, places, pair);
  const whole = parts.alike();
  if (whole !== undefined) {
    return `most of old_string stands with its own indentation at line ${whole}, too`;
  }
  const part = parts.shared();
  if (part !== undefined) {
    return `some of old_string stands with its own indentation at line ${part}, and the rest of it does not`;
  }
  const done = parts.updated();
  return done === undefined ? undefined : `new_string stands at line ${done} already`;
}

interface Wanted {
  readonly line: string;
  readonly offset: number;
  readonly weight: number;
}

/** The lines of a file outside of some places beside those of an edit; lines count from 1 in what it says. */
class FileParts {
  readonly #file: readonly string[];
  /** Lines that are indented otherwise at the places; others stand there as they were sent. */
  readonly #wanted: readonly Wanted[];
  readonly #weight: number;
  readonly #updated: readonly string[];
  readonly #positions = new Map<string, number[]>();
  /** The lines of the places. */
  readonly #own: ReadonlySet<number>;

  constructor(source: Source, places: readonly OwnLines[], { oldText, newText }: Pair) {
    this.#own = new Set(linesIn(source.text, places));
    this.#file = source.plainLines;
    this.#wanted = plainLines(foldLookAlikes(oldText))
      .map((line, offset) => ({ line, offset, weight: line.trim().length }))
      .filter(({ line, offset, weight }) => {
        const indent = indentText(line);
        return weight > 0 && places.some(({ lines }) => indentText(lines[offset] ?? "") !== indent);
      });
    this.#weight = this.#wanted.reduce((sum, { weight }) => sum + weight, 0);
    this.#updated = plainLines(foldLookAlikes(newText));
    for (const { line } of this.#wanted) this.#positions.set(line, []);
    for (let at = 0; at < this.#file.length; at++) {
      const positions = this.#positions.get(this.#file[at] ?? "");
      if (positions !== undefined && !this.#own.has(at)) positions.push(at);
    }
  }

  /** Where most of the old text stands as it was sent, but for lines that are no more than similar. */
  alike(): number | undefined {
    const [start] = this.#alikeStarts();
    return start === undefined ? undefined : Math.max(0, start) + 1;
  }

  /** Where lines of the old text stand as they were sent, among others that were added or without some. */
  shared(): number | undefined {
    const there = this.#wanted
      .flatMap(({ line, offset, weight }) => {
        // What stands often says nothing about one place.
        const [at, another] = this.#positions.get(line) ?? [];
        if (at === undefined || another !== undefined) return [];
        return [{ at, start: at - offset, offset, weight }];
      })
      .toSorted((one, other) => one.start - other.start);
    for (const [index, { at, start }] of there.entries()) {
      const near = new Map<number, number>();
      for (let next = index; next < there.length; next++) {
        const other = there[next];
        if (other === undefined || other.start > start + maxMoved) break;
        near.set(other.offset, other.weight);
      }
      const shared = [...near.values()].reduce((sum, weight) => sum + weight, 0);
      if (shared >= leastShared * this.#weight) return at + 1;
    }
    return undefined;
  }

  /** Where the new text stands. */
  updated(): number | undefined {
    const wanted = this.#updated.at(-1) === "" ? this.#updated.slice(0, -1) : this.#updated;
    const [first = ""] = wanted;
    if (wanted.join("\n").trim().length < leastNewChars) return undefined;
    for (let at = this.#file.indexOf(first); at !== -1; at = this.#file.indexOf(first, at + 1)) {
      const start = at;
      const isThere = wanted.every((line, offset) => {
        const own = start + offset;
        return this.#file[own] === line && !this.#own.has(own);
      });
      if (isThere) return start + 1;
    }
    return undefined;
  }

  #alikeStarts(): readonly number[] {
    const equal = new Map<number, number>();
    for (const { line, offset, weight } of this.#wanted) {
      for (const at of this.#positions.get(line) ?? []) {
        equal.set(at - offset, (equal.get(at - offset) ?? 0) + weight);
      }
    }
    for (const start of this.#similarStarts()) equal.set(start, equal.get(start) ?? 0);
    return [...equal]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, maxCandidates)
      .map(([start]) => start)
      .filter((start) => {
        const shared = this.#wanted.reduce(
          (sum, { line, offset, weight }) =>
            sum + weight * likeness(line, this.#file[start + offset] ?? ""),
          0,
        );
        return shared * 2 >= this.#weight;
      });
  }

  /**
   * Where the old text would begin if a line that is similar to its longest one were that. Where many
   * lines of a file are similar, whatever their indentation, that says nothing.
   */
  #similarStarts(): readonly number[] {
    const [longest] = this.#wanted.toSorted((one, other) => other.weight - one.weight);
    if (longest === undefined) return [];
    const content = longest.line.trim();
    const starts: number[] = [];
    for (let at = 0; at < this.#file.length; at++) {
      const line = this.#file[at] ?? "";
      if (!isChanged(content, line.trimStart()) || this.#own.has(at)) continue;
      if (starts.length === maxSimilar) return [];
      starts.push(at - longest.offset);
    }
    return starts;
  }
}

/** The numbers, from 0, of the lines of places that come in their order. */
function* linesIn(text: string, places: readonly OwnLines[]): Generator<number> {
  let line = 0;
  let counted = 0;
  for (const { start, end } of places) {
    line += countNewlines(text, counted, start);
    const last = line + countNewlines(text, start, end);
    for (let own = line; own <= last; own++) yield own;
    counted = start;
  }
}

/** Whether a line is another one but for one part that is no more than half of it. */
function isChanged(line: string, other: string): boolean {
  const shorter = Math.min(line.length, other.length);
  const longer = Math.max(line.length, other.length);
  let head = 0;
  while (head < shorter && line[head] === other[head]) head++;
  let tail = 0;
  while (tail < shorter - head && line.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return (head + tail) * 2 >= longer;
}

/** How much of a line, which is not blank, another one has; nothing where it is indented otherwise. */
export function likeness(line: string, other: string): number {
  if (/^[ \t]*/u.exec(line)?.[0] !== /^[ \t]*/u.exec(other)?.[0]) return 0;
  const [one, two] = [
    line.trim().slice(0, maxComparedChars),
    other.trim().slice(0, maxComparedChars),
  ];
  const similarity = 1 - distance(one, two) / Math.max(one.length, two.length);
  return similarity < leastSimilarity ? 0 : similarity;
}
