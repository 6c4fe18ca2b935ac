import { Best, type Ranked } from "./best.ts";
import { Candidates } from "./candidates.ts";
import type { TermIndex } from "./postings.ts";
import type { QueryPlan, QueryTerm, QueryWord } from "./query-terms.ts";

/** Bonus for a query that names the whole tool, and for a tool that matches the whole query. */
const nameCoverage = 0.8;
const queryCoverage = 0.2;
/** Bonus for tools on the server of the best result. */
const siblingBonus = 0.1;

/** For a word of a name that no field has. */
const noWord = 0xffffffff;

export interface RankingTexts {
  /** By document: its server; empty for none. */
  readonly servers: readonly string[];
  /** By document: the words of its name. */
  readonly names: readonly (readonly string[])[];
  /** By document: its position among those of equal score. */
  readonly order: Uint32Array;
}

export interface RankOptions {
  /** Maximum number of documents. */
  readonly limit: number;
  readonly isShown: (document: number) => boolean;
}

/** Largest number of results for which documents are left out early; for more, most documents are read anyway. */
const maxPrunedLimit = 64;

/** Words that are looked up between two looks at which documents can still be among the best. */
const pruneEvery = 4;

/** Postings that are read between two such looks, for each document that is looked at. */
const readBetween = 4;

/** Share by which two ways to calculate the same score may differ, and more. */
const roundingError = 1e-9;

/** A word with the most that it can add to a document. */
interface PlannedWord {
  readonly terms: readonly QueryTerm[];
  /** Its number among the words. */
  readonly word: number;
  readonly isTelling: boolean;
  /** Postings of its terms. */
  readonly cost: number;
  /** Greatest score, and greatest number of answers. */
  readonly score: number;
  readonly answers: number;
}

/** The most that several words can add to a document. */
type Rest = Pick<PlannedWord, "score" | "answers">;

/** Scores that the best candidates have already. */
interface BestScores {
  /** The score that each of the best has at least. */
  readonly least: number;
  /** The greatest score without bonuses. */
  readonly greatest: number;
}

interface Leaders extends BestScores {
  /** Server of the document with the greatest score without bonuses; 0 for none. */
  readonly server: number;
}

interface Request extends RankOptions {
  /** Greatest number of answers. */
  readonly answers: number;
  /** Number of words that can be answered. */
  readonly telling: number;
}

/**
 * Ranks documents by one request. Words are read from the one that can add most to a score to the one that can add
 * least. Once the rest cannot bring a new document among the best, only documents that can still be among them are
 * looked up in the rest, so the result is the same as if all postings were read.
 */
export class Ranking {
  readonly #index: TermIndex;
  readonly #order: Uint32Array;
  /** By document: number of its server; 0 for none. */
  readonly #servers: Uint32Array;
  /** Words of all names, and by document where its own end. */
  readonly #nameWords: Uint32Array;
  readonly #nameEnds: Uint32Array;
  /** By number of a server: its documents. */
  readonly #onServer = new Map<number, number[]>();
  readonly #maxSibling: number;
  /** Of the ranking at hand; cleared before the next. */
  readonly #candidates: Candidates;
  /** Candidates that were among the best of those before them; the first `#contenderCount` are those at hand. */
  readonly #contenders: Uint32Array;
  #contenderCount = 0;
  /** Score that each of the best had at the last look; scores only grow. */
  #least = 0;
  /** By word: whether the request has it. */
  readonly #isAsked: Uint8Array;

  constructor(index: TermIndex, { servers, names, order }: RankingTexts) {
    this.#index = index;
    this.#order = order;
    this.#servers = numbersOf(servers);
    const words = names.map((name) =>
      [...new Set(name)].map((word) => index.words.get(word) ?? noWord),
    );
    this.#nameWords = Uint32Array.from(words.flat());
    let end = 0;
    this.#nameEnds = Uint32Array.from(words, ({ length }) => (end += length));
    this.#maxSibling = servers.some((server) => server !== "") ? 1 + siblingBonus : 1;
    for (const [document, server] of this.#servers.entries()) {
      const on = this.#onServer.get(server) ?? [];
      if (on.push(document) === 1) this.#onServer.set(server, on);
    }
    this.#candidates = new Candidates(index);
    this.#contenders = new Uint32Array(index.size);
    this.#isAsked = new Uint8Array(index.words.size);
  }

  rank({ words, asked, telling }: QueryPlan, options: RankOptions): readonly Ranked[] {
    this.#candidates.clear();
    this.#least = 0;
    for (const word of asked) this.#isAsked[word] = 1;
    const planned = this.#planned(words);
    const rests = restsFrom(planned);
    const answers = rests[0]?.answers ?? 0;
    const request = { ...options, answers, telling: Math.max(1, telling) };
    this.#score(planned, rests, request);
    const best = this.#best(request);
    for (const word of asked) this.#isAsked[word] = 0;
    return best;
  }

  /** Marks the documents that a ranking of all would have. */
  mark({ words }: QueryPlan, marked: Uint8Array): void {
    const { starts, documents } = this.#index;
    for (const [at, { terms, isTelling }] of this.#planned(words).entries()) {
      // As in a ranking: small words find documents only where the request has no other words, and one is enough.
      if (!isTelling && at > 0) break;
      for (const { term } of terms) {
        const end = starts[term + 1] ?? 0;
        for (let posting = starts[term] ?? 0; posting < end; posting += 1) {
          marked[documents[posting] ?? 0] = 1;
        }
      }
    }
  }

  #planned(words: readonly QueryWord[]): readonly PlannedWord[] {
    return words
      .map((word, at) => plannedWord(word, at + 1, this.#index))
      .toSorted((a, b) => Number(b.isTelling) - Number(a.isTelling) || b.score - a.score);
  }

  /** Finds the documents that can be among the best, with their scores. */
  #score(planned: readonly PlannedWord[], rests: readonly Rest[], request: Request): void {
    const candidates = this.#candidates;
    let leaders: Leaders | undefined;
    let next = 0;
    let unchecked = 0;
    // At the last look, and the most that the words read since can have added to a document.
    let before: BestScores = { least: 0, greatest: 0 };
    let added = 0;
    for (const { word, terms, isTelling, cost, score } of planned) {
      // Small words only rank documents that other words found, unless the request has no other words.
      if (!isTelling && candidates.count > 0) break;
      unchecked += cost;
      // Looking at the candidates must not cost more than the postings that it may spare.
      if (
        unchecked > candidates.count * readBetween &&
        this.#isFinal(rests[next], request, mostNow(before, added, request))
      ) {
        leaders = this.#leaders(request);
        if (this.#isFinal(rests[next], request, leaders)) break;
        unchecked = cost;
        before = leaders;
        added = 0;
      }
      leaders = undefined;
      added += score;
      for (const term of terms) candidates.read(term, word);
      next += 1;
    }
    for (const [at, { terms, word }] of planned.slice(next).entries()) {
      if (at % pruneEvery === 0) {
        this.#prune(rests[next + at], request, leaders ?? this.#leaders(request));
        leaders = undefined;
      }
      for (const term of terms) candidates.lookUp(term, word);
    }
  }

  /** Whether a document not yet among the candidates can no longer be among the best, or be that of the best server. */
  #isFinal(rest: Rest | undefined, request: Request, { least, greatest }: BestScores): boolean {
    if (rest === undefined) return false;
    const bonus =
      (1 + nameCoverage + queryCoverage * (rest.answers / request.telling)) * this.#maxSibling;
    return rest.score * bonus < least && rest.score < greatest;
  }

  /** Leaves out candidates that can be neither among the best nor the one of the best server. */
  #prune(rest: Rest | undefined, request: Request, { least, greatest }: Leaders): void {
    if (rest === undefined || least === 0) return;
    const { scores, answered, documents, kept } = this.#candidates;
    const hopeless = Math.min(
      greatest,
      (least / (mostBonus(request) * this.#maxSibling)) * (1 - roundingError),
    );
    let count = 0;
    for (let index = 0; index < this.#candidates.count; index += 1) {
      const document = documents[index] ?? 0;
      const score = (scores[document] ?? 0) + rest.score;
      if (score < hopeless) continue;
      if (score < greatest) {
        const answers = (answered[document] ?? 0) + rest.answers;
        const covered = 1 + queryCoverage * (answers / request.telling);
        if (score * (covered + nameCoverage) * this.#maxSibling < least) continue;
        const most = covered + nameCoverage * this.#named(document);
        if (score * most * this.#maxSibling < least) continue;
      }
      kept[count] = document;
      count += 1;
    }
    this.#candidates.keep(count);
  }

  /**
   * Least score that the best candidates have already, the greatest without bonuses, and the server of that one: one
   * need is often met by several tools of a server.
   */
  #leaders(request: Request): Leaders {
    const { isShown, telling } = request;
    const isPruned = request.limit <= maxPrunedLimit;
    const limit = isPruned ? request.limit : 1;
    const { scores, answered, documents, count } = this.#candidates;
    const most = mostBonus(request) * (1 + roundingError);
    let contenders = 0;
    // Descending.
    const best = new Float64Array(limit);
    const last = limit - 1;
    let least = isPruned ? this.#least : 0;
    let greatest = 0;
    let leader = 0;
    for (let index = 0; index < count; index += 1) {
      const document = documents[index] ?? 0;
      const score = scores[document] ?? 0;
      if (score > greatest) {
        greatest = score;
        leader = document;
      }
      // Most candidates end here.
      if (score * most < least) continue;
      const covered = 1 + queryCoverage * ((answered[document] ?? 0) / telling);
      if (score * (covered + nameCoverage) < least) continue;
      const total = score * (covered + nameCoverage * this.#named(document));
      if (total < least || !isShown(document)) continue;
      this.#contenders[contenders] = document;
      contenders += 1;
      let place = last;
      for (; place > 0 && (best[place - 1] ?? 0) < total; place -= 1)
        best[place] = best[place - 1] ?? 0;
      best[place] = total;
      least = Math.max(least, best[last] ?? 0);
    }
    this.#contenderCount = contenders;
    if (isPruned) this.#least = least;
    return { least: isPruned ? least : 0, greatest, server: this.#servers[leader] ?? 0 };
  }

  #best(request: Request): readonly Ranked[] {
    const { server, least } = this.#leaders(request);
    const isPruned = request.limit <= maxPrunedLimit;
    const { scores, documents, count } = this.#candidates;
    const best = new Best(request.limit, this.#order, least);
    const others = isPruned ? this.#contenders : documents;
    const end = isPruned ? this.#contenderCount : count;
    for (let index = 0; index < end; index += 1) {
      const document = others[index] ?? 0;
      if (server !== 0 && this.#servers[document] === server) continue;
      const total = this.#total(document, request.telling);
      if (total >= best.least && request.isShown(document)) best.add(document, total);
    }
    if (server === 0) return best.ranked();
    for (const document of this.#onServer.get(server) ?? []) {
      if (scores[document] === 0) continue;
      const total = this.#total(document, request.telling) * (1 + siblingBonus);
      if (total >= best.least && request.isShown(document)) best.add(document, total);
    }
    return best.ranked();
  }

  /** Score with the bonuses for what the request and the tool have in common. */
  #total(document: number, telling: number): number {
    const { scores, answered } = this.#candidates;
    const covered = 1 + queryCoverage * ((answered[document] ?? 0) / telling);
    return (scores[document] ?? 0) * (covered + nameCoverage * this.#named(document));
  }

  /** Share of a document's name that the request has. */
  #named(document: number): number {
    const start = document === 0 ? 0 : (this.#nameEnds[document - 1] ?? 0);
    const end = this.#nameEnds[document] ?? 0;
    let named = 0;
    for (let at = start; at < end; at += 1) named += this.#isAsked[this.#nameWords[at] ?? 0] ?? 0;
    return named / Math.max(1, end - start);
  }
}

function plannedWord(
  { terms, isTelling }: QueryWord,
  word: number,
  { greatest }: TermIndex,
): PlannedWord {
  let cost = 0;
  let score = 0;
  let answers = 0;
  // At most one term that stands for the word counts.
  let insteadScore = 0;
  let insteadAnswers = 0;
  for (const { term, gain, holders, isAnswer, isInstead } of terms) {
    const most = gain * (greatest[term] ?? 1);
    cost += holders;
    if (isInstead) {
      insteadScore = Math.max(insteadScore, most);
      if (isAnswer) insteadAnswers = 1;
    } else {
      score += most;
      if (isAnswer) answers += 1;
    }
  }
  score += insteadScore;
  answers += insteadAnswers;
  return { terms, word, isTelling, cost, score, answers };
}

/** Most by which bonuses multiply a score, apart from that of the server. */
function mostBonus({ telling, answers }: Request): number {
  return 1 + nameCoverage + queryCoverage * (answers / telling);
}

/** The most that the best scores can be by now. */
function mostNow({ least, greatest }: BestScores, added: number, request: Request): BestScores {
  return { least: (least + added) * mostBonus(request), greatest: greatest + added };
}

/** By word: the most that it and the words after it can add. */
function restsFrom(words: readonly PlannedWord[]): readonly Rest[] {
  const rests: Rest[] = [];
  let rest: Rest = { score: 0, answers: 0 };
  for (const { score, answers } of words.toReversed()) {
    rest = { score: rest.score + score, answers: rest.answers + answers };
    rests.push(rest);
  }
  return rests.toReversed();
}

/** One number for each text; 0 for the empty one. */
function numbersOf(texts: readonly string[]): Uint32Array {
  const numbers = new Map([["", 0]]);
  return Uint32Array.from(texts, (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  });
}
