import { rarityOf, type TermIndex } from "./postings.ts";
import { requestWords, smallWords } from "./search-text.ts";
import { similarWords, type SimilarWords } from "./similar-words.ts";
import { synonyms } from "./synonyms.ts";

/** Weights of words, compared with a word that carries the request: words like "please", and words like "suggest". */
const smallWordWeight = 0.15;
const requestWordWeight = 0.5;
/** Weight of two words that follow each other in the query and in the tool. */
const pairWeight = 0.7;
/** Weight of another word for one of the query, where the tool does not have the word itself. */
const synonymWeight = 0.45;
/** Weight of a word that no tool has, as the known word that is spelled most like it. */
const similarWeight = 0.6;

/** A term to look for. */
export interface QueryTerm {
  /** Number in the index. */
  readonly term: number;
  /** Score of the greatest possible impact. */
  readonly gain: number;
  /** Number of documents that hold it. */
  readonly holders: number;
  /** Whether a tool with this term answers the word. */
  readonly isAnswer: boolean;
  /** Whether the term stands for the word, and counts only where nothing before it did. */
  readonly isInstead: boolean;
}

/** The terms of a query by word, with the counts that ranking needs. */
export interface QueryPlan {
  /** The words that have terms, in their order. */
  readonly words: readonly QueryWord[];
  /** Numbers of the words that the index knows. */
  readonly asked: readonly number[];
  /** Number of words that can be answered. */
  readonly telling: number;
}

/** A word of the query with its terms, each before what may stand for it. */
export interface QueryWord {
  readonly terms: readonly QueryTerm[];
  /** Whether its terms alone make a tool a result. */
  readonly isTelling: boolean;
}

/** A word with its terms. */
interface WordTerms {
  readonly text: string;
  readonly isTelling: boolean;
  /** Number of the word, if a tool has it. */
  readonly word: number | undefined;
  readonly own: QueryTerm | undefined;
  readonly synonyms: readonly QueryTerm[];
  /** Where no tool has the word: the tools that write it as two, else its most similar words. */
  readonly similar: readonly QueryTerm[];
}

/** Most terms that are looked for, and those that are looked for however many tools have them. */
const maxTerms = 48;
const minTerms = 6;

/** Words whose terms are remembered: a long query asks for a word as a whole and in one of its parts. */
const maxRemembered = 1000;
const maxRememberedLength = 64;

/** Finds the terms that a query looks for: its words, pairs of them, and what may stand for them. */
export class QueryTerms {
  readonly #index: TermIndex;
  readonly #remembered = new Map<string, WordTerms>();
  #similar: SimilarWords | undefined;
  // By term: the latest request that has the word, and the latest that took the term.
  readonly #asked: Uint32Array;
  readonly #taken: Uint32Array;
  #request = 0;

  constructor(index: TermIndex) {
    this.#index = index;
    this.#asked = new Uint32Array(index.words.size);
    this.#taken = new Uint32Array(index.greatest.length);
  }

  of(texts: readonly string[], maxPostings: number): QueryPlan {
    this.#request += 1;
    const request = this.#request;
    const words = texts.map((text) => this.#termsOf(text));
    const asked: number[] = [];
    let telling = 0;
    for (const { word, isTelling } of words) {
      if (isTelling) telling += 1;
      if (word === undefined) continue;
      asked.push(word);
      this.#asked[word] = request;
    }
    const found: QueryWord[] = [];
    const unknown = new Set<string>();
    let before: WordTerms | undefined;
    let count = 0;
    let postings = 0;
    for (const word of words) {
      const terms: QueryTerm[] = [];
      if (word.isTelling && before?.isTelling === true) this.#addPair(terms, before, word);
      before = word;
      if (word.word === undefined ? !unknown.has(word.text) : this.#take(word.word)) {
        if (word.word === undefined) unknown.add(word.text);
        this.#addWord(terms, word);
      }
      if (terms.length > 0) found.push({ terms, isTelling: word.isTelling });
      count += terms.length;
      for (const { holders } of terms) postings += holders;
    }
    const isLong = count > maxTerms || postings > maxPostings;
    return { words: isLong ? strongest(found, maxPostings) : found, asked, telling };
  }

  /** Whether a term is new in the request. */
  #take(term: number): boolean {
    const isNew = this.#taken[term] !== this.#request;
    this.#taken[term] = this.#request;
    return isNew;
  }

  #addPair(terms: QueryTerm[], first: WordTerms, second: WordTerms): void {
    const { words, pairOf } = this.#index;
    const pair = pairOf(first.word, second.word);
    if (pair !== undefined && this.#take(pair)) terms.push(this.#term(pair, pairWeight));
    // "git hub" finds "github".
    const joined = words.get(first.text + second.text);
    if (joined !== undefined) {
      terms.push(this.#term(joined, 1, { isAnswer: true, isInstead: true }));
    }
  }

  #addWord(terms: QueryTerm[], { own, synonyms: others, similar }: WordTerms): void {
    if (own !== undefined) terms.push(own);
    for (const other of others) if (this.#asked[other.term] !== this.#request) terms.push(other);
    for (const other of similar) terms.push(other);
  }

  #term(term: number, weight: number, { isAnswer = false, isInstead = false } = {}): QueryTerm {
    const { starts } = this.#index;
    const holders = (starts[term + 1] ?? 0) - (starts[term] ?? 0);
    return { term, gain: weight * rarityOf(this.#index, term), holders, isAnswer, isInstead };
  }

  #termsOf(text: string): WordTerms {
    const remembered = this.#remembered.get(text);
    if (remembered !== undefined) return remembered;
    const found = smallWords.has(text) ? this.#smallWord(text) : this.#tellingWord(text);
    if (text.length > maxRememberedLength) return found;
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
    this.#remembered.set(text, found);
    return found;
  }

  #smallWord(text: string): WordTerms {
    const word = this.#index.words.get(text);
    const own = word === undefined ? undefined : this.#term(word, smallWordWeight);
    return { text, isTelling: false, word, own, synonyms: [], similar: [] };
  }

  #tellingWord(text: string): WordTerms {
    const { words } = this.#index;
    const word = words.get(text);
    const weight = requestWords.has(text) ? requestWordWeight : 1;
    return {
      text,
      isTelling: true,
      word,
      own: word === undefined ? undefined : this.#term(word, weight, { isAnswer: true }),
      synonyms: (synonyms.get(text) ?? []).flatMap((other) => {
        const known = words.get(other);
        return known === undefined ? [] : [this.#term(known, synonymWeight, { isInstead: true })];
      }),
      similar: word === undefined ? this.#similarTo(text) : [],
    };
  }

  #similarTo(text: string): readonly QueryTerm[] {
    const halves = this.#halves(text);
    if (halves.length > 0) {
      return halves.map((half) => this.#term(half, 1, { isAnswer: true, isInstead: true }));
    }
    this.#similar ??= similarWords(this.#index.words.keys());
    return this.#similar.of(text).flatMap(({ word, likeness }) => {
      const term = this.#index.words.get(word);
      const weight = similarWeight * likeness;
      return term === undefined ? [] : [this.#term(term, weight, { isInstead: true })];
    });
  }

  /** Tools that write a word as two: "github" finds "git hub". */
  #halves(text: string): readonly number[] {
    const { words, pairOf } = this.#index;
    const found: number[] = [];
    for (let cut = 2; cut <= text.length - 2; cut += 1) {
      const first = words.get(text.slice(0, cut));
      if (first === undefined) continue;
      const pair = pairOf(first, words.get(text.slice(cut)));
      if (pair !== undefined) found.push(pair);
    }
    return found;
  }
}

/**
 * The terms that can add most to a score, in their order, as long as their postings are few enough: in a long query, a
 * word that many tools have decides nothing and costs most.
 */
function strongest(words: readonly QueryWord[], maxPostings: number): readonly QueryWord[] {
  const terms = words.flatMap((word) => word.terms);
  if (terms.length <= minTerms) return words;
  const kept = new Set<QueryTerm>();
  let left = maxPostings;
  for (const term of terms.toSorted((a, b) => b.gain - a.gain).slice(0, maxTerms)) {
    left -= term.holders;
    if (left < 0 && kept.size >= minTerms) break;
    kept.add(term);
  }
  return words
    .map((word) => ({ ...word, terms: word.terms.filter((term) => kept.has(term)) }))
    .filter((word) => word.terms.length > 0);
}
