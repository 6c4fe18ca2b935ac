import { searchTerms, smallWords } from "./search-text.ts";

/** Weight of a word in each field of a document, and how much a long field dilutes it. */
const searchFields = [
  { key: "names", weight: 1.3, dilution: 0.5, hasPairs: true },
  { key: "hints", weight: 1.5, dilution: 0.2, hasPairs: false },
  { key: "description", weight: 0.8, dilution: 0.6, hasPairs: true },
  { key: "parameters", weight: 0.2, dilution: 0.6, hasPairs: false },
] as const;

/** Text of one document by field. */
export type FieldTexts = Readonly<Record<(typeof searchFields)[number]["key"], string>>;

/** How soon repeating a word stops counting (k1 of BM25). */
const saturation = 0.6;

/** The documents that hold a term, and how much it says about each. */
export interface Postings {
  /** Ascending. */
  readonly documents: Uint32Array;
  /** Between 0 and 1: share of the term's greatest possible score. */
  readonly impacts: Float32Array;
  /** How rare the term is: its greatest possible score in a document. */
  readonly rarity: number;
}

export interface TermIndex {
  /** Number of a word, if a document holds it. */
  idOf(word: string): number | undefined;
  /** All words that the documents hold, as search terms. */
  words(): Iterable<string>;
  postings(term: string): Postings | undefined;
  /** Documents in which the second word follows the first. */
  pairPostings(first: string, second: string): Postings | undefined;
}

/**
 * Indexes documents by their words and by pairs of words in a row (BM25 over weighted fields). Postings are stored in
 * typed arrays: an index of thousands of tools lives as long as a session.
 */
export function termIndex(texts: readonly FieldTexts[]): TermIndex {
  const ids = new Map<string, number>();
  const isSmall: boolean[] = [];
  const split = texts.map((text) =>
    searchFields.map(({ key }) =>
      Uint32Array.from(searchTerms(text[key]), (term) => {
        const known = ids.get(term);
        if (known !== undefined) return known;
        isSmall.push(smallWords.has(term));
        ids.set(term, ids.size);
        return ids.size - 1;
      }),
    ),
  );
  const averages = searchFields.map((_, field) => {
    const total = split.reduce((sum, fields) => sum + (fields[field]?.length ?? 0), 0);
    return Math.max(1, total / Math.max(1, texts.length));
  });
  const words = new PostingsBuilder();
  const pairs = new PostingsBuilder();
  const pairSlots = new Map<number, number>();
  for (const [document, fields] of split.entries()) {
    for (const [field, { weight, dilution, hasPairs }] of searchFields.entries()) {
      const terms = fields[field] ?? new Uint32Array();
      const each = weight / (1 - dilution + (dilution * terms.length) / (averages[field] ?? 1));
      let before: number | undefined;
      for (const term of terms) {
        words.add(term, document, each);
        if (!hasPairs) continue;
        const isPart = isSmall[term] !== true;
        if (isPart && before !== undefined) {
          const key = pairKey(before, term);
          const slot = pairSlots.get(key) ?? pairSlots.size;
          pairSlots.set(key, slot);
          pairs.add(slot, document, each);
        }
        before = isPart ? term : undefined;
      }
    }
  }
  // Sorted, keys are found without a map, which would take several times their memory.
  const pairKeys = Float64Array.from(pairSlots.keys()).toSorted();
  const pairPlaces = new Uint32Array(pairKeys.length);
  for (const [place, key] of pairKeys.entries()) pairPlaces[pairSlots.get(key) ?? 0] = place;
  const wordPostings = words.finish(texts.length, ids.size);
  const pairPostings = pairs.finish(texts.length, pairKeys.length, pairPlaces);
  return {
    idOf: (word) => ids.get(word),
    words: () => ids.keys(),
    postings(term) {
      const id = ids.get(term);
      return id === undefined ? undefined : wordPostings(id);
    },
    pairPostings(first, second) {
      const one = ids.get(first);
      const other = one === undefined ? undefined : ids.get(second);
      if (one === undefined || other === undefined) return undefined;
      const place = placeIn(pairKeys, pairKey(one, other));
      return place === undefined ? undefined : pairPostings(place);
    },
  };
}

/** One number for two term ids; exact up to 2^26 terms. */
function pairKey(first: number, second: number): number {
  return first * 67_108_864 + second;
}

/** Collects the weight of each term in each document; documents are added in ascending order. */
class PostingsBuilder {
  /** By slot of a term: its last entry. */
  readonly #lastEntry: number[] = [];
  /** By entry, in the order of documents. */
  readonly #slotOf: number[] = [];
  readonly #documentOf: number[] = [];
  readonly #weightOf: number[] = [];

  /** New slots are numbered in the order in which they are added. */
  add(slot: number, document: number, weight: number): void {
    const entry = this.#lastEntry[slot];
    if (entry !== undefined && this.#documentOf[entry] === document) {
      this.#weightOf[entry] = (this.#weightOf[entry] ?? 0) + weight;
      return;
    }
    this.#lastEntry[slot] = this.#slotOf.length;
    this.#slotOf.push(slot);
    this.#documentOf.push(document);
    this.#weightOf.push(weight);
  }

  /** Returns the postings by slot, or by the place given for each slot. */
  finish(size: number, count: number, places?: Uint32Array): (place: number) => Postings {
    const starts = new Uint32Array(count + 1);
    const placeOf = (entry: number): number => {
      const slot = this.#slotOf[entry] ?? 0;
      return places?.[slot] ?? slot;
    };
    const entries = this.#slotOf.length;
    for (let entry = 0; entry < entries; entry += 1) {
      const after = placeOf(entry) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
    for (let place = 0; place < count; place += 1) {
      starts[place + 1] = (starts[place + 1] ?? 0) + (starts[place] ?? 0);
    }
    const next = starts.slice();
    const documents = new Uint32Array(entries);
    const impacts = new Float32Array(entries);
    for (let entry = 0; entry < entries; entry += 1) {
      const place = placeOf(entry);
      const at = next[place] ?? 0;
      const weight = this.#weightOf[entry] ?? 0;
      next[place] = at + 1;
      documents[at] = this.#documentOf[entry] ?? 0;
      impacts[at] = weight / (saturation + weight);
    }
    return (place) => {
      const [start = 0, end = 0] = [starts[place], starts[place + 1]];
      const holders = end - start;
      return {
        documents: documents.subarray(start, end),
        impacts: impacts.subarray(start, end),
        rarity: Math.log(1 + (size - holders + 0.5) / (holders + 0.5)),
      };
    };
  }
}

/** Place of a key in a sorted array. */
function placeIn(keys: Float64Array, key: number): number | undefined {
  let low = 0;
  let high = keys.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = keys[middle] ?? 0;
    if (found === key) return middle;
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
