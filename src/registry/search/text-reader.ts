import { stemOf, wordsOf } from "./search-text.ts";

/** Initial length of arrays that grow. */
export const minRoom = 1024;

/** Longest text whose words are remembered: catalogs repeat the texts of parameters. */
const maxRepeated = 200;
const maxRemembered = 10_000;

/** Reads texts as numbers of their words. */
export class TextReader {
  /** By word: its number, in the order in which the words are first read. */
  readonly words = new Map<string, number>();
  /** The same by word as it is written in prose, and in names: each is stemmed once. */
  readonly #inProse = new Map<string, number>();
  readonly #inNames = new Map<string, number>();
  /** By text: where its words are among those read. */
  readonly #remembered = new Map<string, readonly [start: number, end: number]>();
  #read = new Uint32Array(minRoom);
  #count = 0;

  /** Number of words read. */
  get count(): number {
    return this.#count;
  }

  /** Numbers of all words read, in their order. */
  get tokens(): Uint32Array {
    return this.#read.subarray(0, this.#count);
  }

  readProse(text: string): void {
    this.#add(text, this.#inProse);
  }

  readNames(text: string): void {
    this.#add(text, this.#inNames);
  }

  /** Reads prose that is likely to have been read before. */
  readAgain(text: string): void {
    const known = this.#remembered.get(text);
    if (known === undefined) {
      const start = this.#count;
      this.readProse(text);
      if (text.length <= maxRepeated && this.#remembered.size < maxRemembered) {
        this.#remembered.set(text, [start, this.#count]);
      }
      return;
    }
    const [start, end] = known;
    this.#read = withRoom(this.#read, this.#count + end - start);
    for (let at = start; at < end; at += 1) {
      this.#read[this.#count] = this.#read[at] ?? 0;
      this.#count += 1;
    }
  }

  /** By number of a word that only names have, and that is made up of words of the prose: their numbers. */
  compounds(): ReadonlyMap<number, readonly number[]> {
    const found = new Map<number, readonly number[]>();
    const prose = new Set(this.#inProse.values());
    for (const [word, number] of this.#inNames) {
      const parts = prose.has(number) ? [] : partsOf(word, this.#inProse);
      if (parts.length > 0) found.set(number, parts);
    }
    return found;
  }

  #add(text: string, written: Map<string, number>): void {
    const words = wordsOf(text);
    this.#read = withRoom(this.#read, this.#count + words.length);
    for (const word of words) {
      this.#read[this.#count] = written.get(word) ?? this.#number(word, written);
      this.#count += 1;
    }
  }

  #number(word: string, written: Map<string, number>): number {
    const stem = stemOf(word);
    const number = this.words.get(stem) ?? this.words.size;
    this.words.set(stem, number);
    written.set(word, number);
    return number;
  }
}

/** Lengths of words that may be made up of others, and shortest such part. */
const minCompound = 6;
const maxCompound = 32;
const minPart = 3;

/** Values of the fewest known words that a word is made up of, in their order; none if it is not made up of any. */
function partsOf<T>(word: string, known: ReadonlyMap<string, T>): readonly T[] {
  const { length } = word;
  if (length < minCompound || length > maxCompound || !/^[a-z]+$/u.test(word)) return [];
  // By length of a beginning of the word: its parts.
  const best = new Map<number, readonly T[]>([[0, []]]);
  for (let end = minPart; end <= length; end += 1) {
    for (const [start, before] of best) {
      if (start > end - minPart || before.length + 1 >= (best.get(end)?.length ?? Infinity))
        continue;
      const part = known.get(word.slice(start, end));
      if (part !== undefined) best.set(end, [...before, part]);
    }
  }
  return best.get(length) ?? [];
}

/** The array itself, or a longer copy if it has less room. */
export function withRoom<T extends Uint32Array | Float32Array | Float64Array>(
  array: T,
  needed: number,
): T;
export function withRoom(
  array: Uint32Array | Float32Array | Float64Array,
  needed: number,
): Uint32Array | Float32Array | Float64Array {
  if (needed <= array.length) return array;
  let room = array.length * 2;
  while (room < needed) room *= 2;
  const longer =
    array instanceof Uint32Array
      ? new Uint32Array(room)
      : array instanceof Float32Array
        ? new Float32Array(room)
        : new Float64Array(room);
  longer.set(array);
  return longer;
}
