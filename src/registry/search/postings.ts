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
  for (const [document, fields] of split.entries()) {
    for (const [field, { weight, dilution, hasPairs }] of searchFields.entries()) {
      const terms = fields[field] ?? new Uint32Array();
      const each = weight / (1 - dilution + (dilution * terms.length) / (averages[field] ?? 1));
      let before: number | undefined;
      for (const term of terms) {
        words.add(term, document, each);
        if (!hasPairs) continue;
        const isPart = isSmall[term] !== true;
        if (isPart && before !== undefined) pairs.add(pairKey(before, term), document, each);
        before = isPart ? term : undefined;
      }
    }
  }
  const wordPostings = words.finish(texts.length);
  const pairPostings = pairs.finish(texts.length);
  return {
    words: () => ids.keys(),
    postings(term) {
      const id = ids.get(term);
      return id === undefined ? undefined : wordPostings(id);
    },
    pairPostings(first, second) {
      const [one, other] = [ids.get(first), ids.get(second)];
      if (one === undefined || other === undefined) return undefined;
      return pairPostings(pairKey(one, other));
    },
  };
}

/** One number for two term ids; exact up to 2^26 terms. */
function pairKey(first: number, second: number): number {
  return first * 67_108_864 + second;
}

/** Collects the weight of each term in each document; documents are added in ascending order. */
class PostingsBuilder {
  readonly #slots = new Map<number, number>();
  /** By slot: the last document, and its place among all entries. */
  readonly #lastDocument: number[] = [];
  readonly #lastEntry: number[] = [];
  readonly #counts: number[] = [];
  /** By entry, in the order of documents. */
  readonly #slotOf: number[] = [];
  readonly #documentOf: number[] = [];
  readonly #weightOf: number[] = [];

  add(key: number, document: number, weight: number): void {
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = this.#slots.size;
      this.#slots.set(key, slot);
      this.#lastDocument.push(-1);
      this.#lastEntry.push(-1);
      this.#counts.push(0);
    }
    if (this.#lastDocument[slot] === document) {
      const entry = this.#lastEntry[slot] ?? 0;
      this.#weightOf[entry] = (this.#weightOf[entry] ?? 0) + weight;
      return;
    }
    this.#lastDocument[slot] = document;
    this.#lastEntry[slot] = this.#slotOf.length;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
    this.#slotOf.push(slot);
    this.#documentOf.push(document);
    this.#weightOf.push(weight);
  }

  /** Returns the postings by key. */
  finish(size: number): (key: number) => Postings | undefined {
    const keys = Float64Array.from(this.#slots.keys()).toSorted();
    const placeOf = new Uint32Array(keys.length);
    for (const [place, key] of keys.entries()) placeOf[this.#slots.get(key) ?? 0] = place;
    const starts = new Uint32Array(keys.length + 1);
    for (const [slot, count] of this.#counts.entries()) starts[(placeOf[slot] ?? 0) + 1] = count;
    for (let place = 0; place < keys.length; place += 1) {
      starts[place + 1] = (starts[place + 1] ?? 0) + (starts[place] ?? 0);
    }
    const next = starts.slice();
    const documents = new Uint32Array(this.#slotOf.length);
    const impacts = new Float32Array(this.#slotOf.length);
    for (let entry = 0; entry < documents.length; entry += 1) {
      const place = placeOf[this.#slotOf[entry] ?? 0] ?? 0;
      const at = next[place] ?? 0;
      const weight = this.#weightOf[entry] ?? 0;
      next[place] = at + 1;
      documents[at] = this.#documentOf[entry] ?? 0;
      impacts[at] = weight / (saturation + weight);
    }
    return (key) => {
      const place = placeIn(keys, key);
      if (place === undefined) return undefined;
      const [start = 0, end = 0] = [starts[place], starts[place + 1]];
      const count = end - start;
      return {
        documents: documents.subarray(start, end),
        impacts: impacts.subarray(start, end),
        rarity: Math.log(1 + (size - count + 0.5) / (count + 0.5)),
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
