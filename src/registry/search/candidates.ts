import type { TermIndex } from "./postings.ts";
import type { QueryTerm } from "./query-terms.ts";

/** Postings that are read one by one rather than looked up, for each document that is looked for. */
const readInstead = 64;

/**
 * Documents that can be among the best of a ranking, with their scores. Most of the time of a search passes in the loops
 * of this class, so there is one for each kind of term, without branches that depend on the document where none is
 * needed.
 */
export class Candidates {
  readonly #index: TermIndex;
  /** By document. */
  readonly scores: Float64Array;
  /** By document: how many words of the request it answers. */
  readonly answered: Uint8Array;
  /** By document: the latest word that it answers, counted from 1. */
  readonly #lastWord: Uint16Array;
  /** The first `count` are the documents at hand. */
  documents: Uint32Array;
  count = 0;
  /** All documents with a score. There is one place more than documents, written to in vain. */
  readonly #scored: Uint32Array;
  /** Number of all documents with a score, once some of them are not at hand any more. */
  #scoredCount = 0;
  readonly #kept: Uint32Array;

  constructor(index: TermIndex) {
    this.#index = index;
    this.scores = new Float64Array(index.size);
    this.answered = new Uint8Array(index.size);
    this.#lastWord = new Uint16Array(index.size);
    this.#scored = new Uint32Array(index.size + 1);
    this.#kept = new Uint32Array(index.size);
    this.documents = this.#scored;
  }

  /** Resets only the documents that have a score: in most requests they are few. */
  clear(): void {
    const { scores, answered } = this;
    const scored = this.#scored;
    const lastWord = this.#lastWord;
    const end = this.documents === scored ? this.count : this.#scoredCount;
    for (let index = 0; index < end; index += 1) {
      const document = scored[index] ?? 0;
      scores[document] = 0;
      answered[document] = 0;
      lastWord[document] = 0;
    }
    this.documents = scored;
    this.count = 0;
  }

  /** List to which those of the documents at hand are written that `keep` leaves; no document is read from then on. */
  get kept(): Uint32Array {
    return this.#kept;
  }

  /** Leaves the first `count` of `kept` at hand. */
  keep(count: number): void {
    if (this.documents === this.#scored) this.#scoredCount = this.count;
    this.documents = this.#kept;
    this.count = count;
  }

  /** Adds a term of a word, counted from 1, to all documents that hold it. */
  read(query: QueryTerm, word: number): void {
    if (query.isInstead) this.#readInstead(query, word);
    else if (query.isAnswer) this.#readAnswer(query, word);
    else this.#readPlain(query);
  }

  #readPlain({ term, gain }: QueryTerm): void {
    const { starts, documents, impacts } = this.#index;
    const scores = this.scores;
    const listed = this.documents;
    let count = this.count;
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at += 1) {
      const document = documents[at] ?? 0;
      const before = scores[document] ?? 0;
      listed[count] = document;
      count += Number(before === 0);
      scores[document] = before + gain * (impacts[at] ?? 0);
    }
    this.count = count;
  }

  #readAnswer({ term, gain }: QueryTerm, word: number): void {
    const { starts, documents, impacts } = this.#index;
    const scores = this.scores;
    const answered = this.answered;
    const lastWord = this.#lastWord;
    const listed = this.documents;
    let count = this.count;
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at += 1) {
      const document = documents[at] ?? 0;
      const before = scores[document] ?? 0;
      listed[count] = document;
      count += Number(before === 0);
      scores[document] = before + gain * (impacts[at] ?? 0);
      answered[document] = (answered[document] ?? 0) + 1;
      lastWord[document] = word;
    }
    this.count = count;
  }

  /** A document that has the word already keeps its score: what is added is nothing, so there is no branch. */
  #readInstead({ term, gain, isAnswer }: QueryTerm, word: number): void {
    const { starts, documents, impacts } = this.#index;
    const scores = this.scores;
    const answered = this.answered;
    const lastWord = this.#lastWord;
    const listed = this.documents;
    const answers = Number(isAnswer);
    let count = this.count;
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at += 1) {
      const document = documents[at] ?? 0;
      const before = scores[document] ?? 0;
      const isNew = Number(lastWord[document] !== word);
      listed[count] = document;
      count += Number(before === 0);
      scores[document] = before + isNew * gain * (impacts[at] ?? 0);
      answered[document] = (answered[document] ?? 0) + isNew * answers;
      lastWord[document] = word;
    }
    this.count = count;
  }

  /** Adds a term of a word to the documents at hand only. */
  lookUp(query: QueryTerm, word: number): void {
    const { starts, documents } = this.#index;
    const start = starts[query.term] ?? 0;
    const end = starts[query.term + 1] ?? 0;
    const isRead = query.holders <= this.count * readInstead;
    if (isRead) {
      const scores = this.scores;
      // Others get no valid score by this, and need none; one that has none yet stays without.
      for (let at = start; at < end; at += 1) {
        if (scores[documents[at] ?? 0] !== 0) this.#add(query, word, at);
      }
      return;
    }
    for (let index = 0; index < this.count; index += 1) {
      const document = this.documents[index] ?? 0;
      const at = placeOf(documents, document, { start, end });
      if (at < end && documents[at] === document) this.#add(query, word, at);
    }
  }

  /** Adds a posting of a term to its document. */
  #add({ gain, isAnswer, isInstead }: QueryTerm, word: number, at: number): void {
    const document = this.#index.documents[at] ?? 0;
    if (isInstead && this.#lastWord[document] === word) return;
    this.scores[document] = (this.scores[document] ?? 0) + gain * (this.#index.impacts[at] ?? 0);
    if (!isAnswer && !isInstead) return;
    this.#lastWord[document] = word;
    if (isAnswer) this.answered[document] = (this.answered[document] ?? 0) + 1;
  }
}

/** First place in a range of ascending numbers whose number is at least this one. */
function placeOf(
  numbers: Uint16Array | Uint32Array,
  number: number,
  { start, end }: { readonly start: number; readonly end: number },
): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
