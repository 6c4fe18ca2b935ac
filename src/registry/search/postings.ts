import { PairTable } from "./pair-table.ts";
import { minRoom, TextReader, withRoom } from "./text-reader.ts";
import { smallWords } from "./search-text.ts";

/** Weight of a word in each field of a document, and how much a long field dilutes it. */
const searchFields = [
  { key: "names", weight: 1.3, dilution: 0.5, hasPairs: true },
  { key: "hints", weight: 1.5, dilution: 0.2, hasPairs: false },
  { key: "description", weight: 0.8, dilution: 0.6, hasPairs: true },
  { key: "parameters", weight: 0.2, dilution: 0.6, hasPairs: false },
] as const satisfies readonly {
  readonly key: keyof FieldTexts;
  readonly [more: string]: unknown;
}[];

/** Texts of one document by field. */
export interface FieldTexts {
  readonly names: string;
  readonly hints: string;
  readonly description: string;
  /** A text for each name, description and choice: many tools have the same. */
  readonly parameters: readonly string[];
}

/** How soon repeating a word stops counting (k1 of BM25). */
const saturation = 0.6;

/** Maximum number of documents whose numbers fit into 16 bits. */
const maxShort = 65_536;

/**
 * Documents by their words and by pairs of words in a row (BM25 over weighted fields). A term is a number: that of a
 * word, or of a pair. Its postings are the range from `starts[term]` to `starts[term + 1]` of `documents`, ascending,
 * and of `impacts`. Only typed arrays and the words are stored: an index of thousands of tools lives as long as a
 * session.
 */
export interface TermIndex {
  /** Number of documents. */
  readonly size: number;
  readonly starts: Uint32Array;
  readonly documents: Uint16Array | Uint32Array;
  /** Between 0 and 1: share of the term's greatest possible score. */
  readonly impacts: Float32Array;
  /** By term: its greatest impact. */
  readonly greatest: Float32Array;
  /** By word: its number, if a document holds it. */
  readonly words: ReadonlyMap<string, number>;
  /** Term of documents in which the second word follows the first. */
  readonly pairOf: (first: number | undefined, second: number | undefined) => number | undefined;
}

/** How rare a term is: its greatest possible score in a document. */
export function rarityOf({ size, starts }: TermIndex, term: number): number {
  const holders = (starts[term + 1] ?? 0) - (starts[term] ?? 0);
  return Math.log(1 + (size - holders + 0.5) / (holders + 0.5));
}

/** Indexes documents. Each is read once, and its text is not kept. */
export function termIndex(texts: Iterable<FieldTexts>): TermIndex {
  const { words, tokens, ends } = tokensOf(texts);
  const { pairs, ...postings } = postingsOf(tokens, { words, ends });
  return {
    size: ends.length / searchFields.length,
    ...postings,
    words,
    pairOf: pairFinder(pairs, words.size),
  };
}

/** Apart from the code that builds the index, whose arrays a closure in it would keep in memory. */
function pairFinder(pairs: PairTable, wordCount: number): TermIndex["pairOf"] {
  return (first, second) => {
    if (first === undefined || second === undefined) return undefined;
    const number = pairs.get(first, second);
    return number === undefined ? undefined : wordCount + number;
  };
}

interface Tokens {
  readonly words: ReadonlyMap<string, number>;
  /** Words of all fields of all documents, in order. */
  readonly tokens: Uint32Array;
  /** By document and field: where its tokens end. */
  readonly ends: readonly number[];
}

function tokensOf(texts: Iterable<FieldTexts>): Tokens {
  const reader = new TextReader();
  const ends: number[] = [];
  for (const { names, hints, description, parameters } of texts) {
    reader.readNames(names);
    ends.push(reader.count);
    reader.readNames(hints);
    ends.push(reader.count);
    reader.readProse(description);
    ends.push(reader.count);
    for (const text of parameters) reader.readAgain(text);
    ends.push(reader.count);
  }
  const { words, tokens } = reader;
  return withCompounds({ words, tokens, ends }, reader.compounds());
}

/** Adds the parts of words like "airquality" to the names that have them. */
function withCompounds(
  { words, tokens, ends }: Tokens,
  compounds: ReadonlyMap<number, readonly number[]>,
): Tokens {
  if (compounds.size === 0) return { words, tokens, ends };
  let longer = new Uint32Array(tokens.length);
  const longerEnds: number[] = [];
  let start = 0;
  let count = 0;
  for (const [index, end] of ends.entries()) {
    const field = tokens.subarray(start, end);
    const hasNames = searchFields[index % searchFields.length]?.key === "names";
    const parts = hasNames ? Array.from(field).flatMap((word) => compounds.get(word) ?? []) : [];
    longer = withRoom(longer, count + field.length + parts.length);
    longer.set(field, count);
    longer.set(parts, count + field.length);
    count += field.length + parts.length;
    longerEnds.push(count);
    start = end;
  }
  return { words, tokens: longer.subarray(0, count), ends: longerEnds };
}

type Built = Pick<TermIndex, "starts" | "documents" | "impacts" | "greatest"> & {
  readonly pairs: PairTable;
};

function postingsOf(tokens: Uint32Array, { words, ends }: Omit<Tokens, "tokens">): Built {
  const isSmall = Uint8Array.from(words.keys(), (word) => (smallWords.has(word) ? 1 : 0));
  const averages = averageLengths(ends);
  const pairs = new PairTable();
  const builder = new PostingsBuilder();
  const size = ends.length / searchFields.length;
  let start = 0;
  for (let document = 0; document < size; document += 1) {
    for (const [field, { weight, dilution, hasPairs }] of searchFields.entries()) {
      const end = ends[document * searchFields.length + field] ?? 0;
      const each = weight / (1 - dilution + (dilution * (end - start)) / (averages[field] ?? 1));
      let before = -1;
      for (let at = start; at < end; at += 1) {
        const word = tokens[at] ?? 0;
        builder.add(word, each);
        if (!hasPairs) continue;
        const isPart = isSmall[word] === 0;
        if (isPart && before >= 0) builder.add(words.size + pairs.add(before, word), each);
        before = isPart ? word : -1;
      }
      start = end;
    }
    builder.endDocument();
  }
  return { ...builder.finish(words.size + pairs.size), pairs };
}

/** Average length of each field. */
function averageLengths(ends: readonly number[]): readonly number[] {
  const totals = searchFields.map(() => 0);
  for (let index = 0; index < ends.length; index += 1) {
    const field = index % totals.length;
    totals[field] = (totals[field] ?? 0) + (ends[index] ?? 0) - (ends[index - 1] ?? 0);
  }
  const size = Math.max(1, ends.length / totals.length);
  return totals.map((total) => Math.max(1, total / size));
}

/** Collects the weight of each term in each document. */
class PostingsBuilder {
  /** By term: its weight in the document at hand. */
  #weights = new Float64Array(minRoom);
  /** Terms of the document at hand. */
  #terms: number[] = [];
  // By entry, in the order of documents.
  #termOf = new Uint32Array(minRoom);
  #impactOf = new Float32Array(minRoom);
  #entries = 0;
  /** By document: where its entries end. */
  readonly #ends: number[] = [];

  add(term: number, weight: number): void {
    if (term >= this.#weights.length) this.#weights = withRoom(this.#weights, term + 1);
    const before = this.#weights[term] ?? 0;
    if (before === 0) this.#terms.push(term);
    this.#weights[term] = before + weight;
  }

  endDocument(): void {
    const terms = this.#terms;
    const weights = this.#weights;
    const needed = this.#entries + terms.length;
    this.#termOf = withRoom(this.#termOf, needed);
    this.#impactOf = withRoom(this.#impactOf, needed);
    for (const term of terms) {
      const weight = weights[term] ?? 0;
      weights[term] = 0;
      this.#termOf[this.#entries] = term;
      this.#impactOf[this.#entries] = weight / (saturation + weight);
      this.#entries += 1;
    }
    terms.length = 0;
    this.#ends.push(this.#entries);
  }

  finish(count: number): Omit<Built, "pairs"> {
    const entries = this.#entries;
    const termOf = this.#termOf;
    const impactOf = this.#impactOf;
    const starts = new Uint32Array(count + 1);
    for (let entry = 0; entry < entries; entry += 1) {
      const after = (termOf[entry] ?? 0) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
    for (let term = 0; term < count; term += 1) {
      starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
    }
    const next = starts.slice();
    const size = this.#ends.length;
    const documents = size <= maxShort ? new Uint16Array(entries) : new Uint32Array(entries);
    const impacts = new Float32Array(entries);
    const greatest = new Float32Array(count);
    let entry = 0;
    for (let document = 0; document < size; document += 1) {
      for (const end = this.#ends[document] ?? 0; entry < end; entry += 1) {
        const term = termOf[entry] ?? 0;
        const impact = impactOf[entry] ?? 0;
        const at = next[term] ?? 0;
        next[term] = at + 1;
        documents[at] = document;
        impacts[at] = impact;
        if (impact > (greatest[term] ?? 0)) greatest[term] = impact;
      }
    }
    return { starts, documents, impacts, greatest };
  }
}
