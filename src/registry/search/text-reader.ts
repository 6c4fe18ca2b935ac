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
  /** The same by word as it is written: each is stemmed once. */
  readonly #written = new Map<string, number>();
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

  read(text: string): void {
    const words = wordsOf(text);
    this.#read = withRoom(this.#read, this.#count + words.length);
    for (const word of words) {
      this.#read[this.#count] = this.#written.get(word) ?? this.#number(word);
      this.#count += 1;
    }
  }

  /** Reads a text that is likely to have been read before. */
  readAgain(text: string): void {
    const known = this.#remembered.get(text);
    if (known === undefined) {
      const start = this.#count;
      this.read(text);
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

  #number(word: string): number {
    const stem = stemOf(word);
    const number = this.words.get(stem) ?? this.words.size;
    this.words.set(stem, number);
    this.#written.set(word, number);
    return number;
  }
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
