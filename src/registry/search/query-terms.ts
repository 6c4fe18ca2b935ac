import type { Postings, TermIndex } from "./postings.ts";
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
  readonly postings: Postings;
  readonly weight: number;
  /** Position of its word in the query. */
  readonly word: number;
  /** Whether this term alone makes a tool a result. */
  readonly isTelling: boolean;
  /** Whether a tool with this term answers the word. */
  readonly isAnswer: boolean;
  /** Whether the term stands for the word, and counts only where nothing before it did. */
  readonly isInstead: boolean;
}

/** Most terms that are looked for, and those that are looked for however many tools have them. */
const maxTerms = 48;
const minTerms = 6;

/** Finds the terms that a query looks for: its words, pairs of them, and what may stand for them. */
export class QueryTerms {
  readonly #index: TermIndex;
  #similar: SimilarWords | undefined;

  constructor(index: TermIndex) {
    this.#index = index;
  }

  /** Terms in the order of the query's words, each word before what may stand for it. */
  of(words: readonly string[], maxPostings: number): readonly QueryTerm[] {
    const found: QueryTerm[] = [];
    const known = new Set<string>();
    const all = new Set(words);
    for (const [word, text] of words.entries()) {
      const isTelling = !smallWords.has(text);
      const put = (
        postings: Postings | undefined,
        weight: number,
        { isAnswer = false, isInstead = false } = {},
      ): void => {
        if (postings !== undefined) {
          found.push({ postings, weight, word, isTelling, isAnswer, isInstead });
        }
      };
      const before = words[word - 1];
      if (isTelling && before !== undefined && !smallWords.has(before)) {
        const pair = `${before} ${text}`;
        if (!known.has(pair)) put(this.#index.pairPostings(before, text), pairWeight);
        known.add(pair);
        // "git hub" finds "github".
        put(this.#index.postings(`${before}${text}`), 1, { isAnswer: true, isInstead: true });
      }
      if (known.has(text)) continue;
      known.add(text);
      const postings = this.#index.postings(text);
      if (!isTelling) {
        put(postings, smallWordWeight);
        continue;
      }
      put(postings, requestWords.has(text) ? requestWordWeight : 1, { isAnswer: true });
      for (const other of synonyms.get(text) ?? []) {
        if (!all.has(other)) put(this.#index.postings(other), synonymWeight, { isInstead: true });
      }
      if (postings !== undefined) continue;
      const halves = this.#halves(text);
      for (const each of halves) put(each, 1, { isAnswer: true, isInstead: true });
      if (halves.length > 0) continue;
      this.#similar ??= similarWords(this.#index.words());
      for (const { word: similar, likeness } of this.#similar.of(text)) {
        put(this.#index.postings(similar), similarWeight * likeness, { isInstead: true });
      }
    }
    return strongest(found, maxPostings);
  }

  /** Tools that write a word as two: "github" finds "git hub". */
  #halves(text: string): readonly Postings[] {
    const found: Postings[] = [];
    for (let cut = 2; cut <= text.length - 2; cut += 1) {
      const postings = this.#index.pairPostings(text.slice(0, cut), text.slice(cut));
      if (postings !== undefined) found.push(postings);
    }
    return found;
  }
}

/**
 * The terms that can add most to a score, in their order, as long as their postings are few enough: in a long query, a
 * word that many tools have decides nothing and costs most.
 */
function strongest(terms: readonly QueryTerm[], maxPostings: number): readonly QueryTerm[] {
  let left = maxPostings;
  for (const { postings } of terms) left -= postings.documents.length;
  if (terms.length <= minTerms || (terms.length <= maxTerms && left >= 0)) return terms;
  const strength = ({ weight, postings }: QueryTerm): number => weight * postings.rarity;
  const kept = new Set<QueryTerm>();
  left = maxPostings;
  for (const term of terms.toSorted((a, b) => strength(b) - strength(a)).slice(0, maxTerms)) {
    left -= term.postings.documents.length;
    if (left < 0 && kept.size >= minTerms) break;
    kept.add(term);
  }
  return terms.filter((term) => kept.has(term));
}
