import type { ToolListing } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { byCodeUnits } from "../name-index.ts";
import type { RegisteredTool } from "../registered-tool.ts";
import { joinRankings, type Ranked } from "./best.ts";
import { termIndex, type FieldTexts } from "./postings.ts";
import { QueryTerms, type QueryPlan } from "./query-terms.ts";
import { Ranking, type RankOptions } from "./ranking.ts";
import { searchTerms, smallWords } from "./search-text.ts";

/** Places where one request may end and another begin. */
const partEnd =
  /([.?!;:]\s+|\n+|,?\s+(?:and then|after that|afterwards|additionally|also|then|finally|lastly|next|plus|as well as)\b,?|,\s+and\s+)/giu;

/** Fewest words that carry a request; a shorter part belongs to the one before it. */
const minTelling = 2;

/** Search terms of a request and of its parts. */
interface RequestParts {
  readonly whole: readonly string[];
  readonly parts: readonly (readonly string[])[];
}

/**
 * Splits a request into its parts: "find flights to Rome and then book a hotel" needs two tools, and the words of one
 * would hide the other. Reads only the first words.
 */
function requestParts(query: string, maxWords: number): RequestParts {
  const whole: string[] = [];
  const parts: string[][] = [];
  let left = maxWords;
  for (const [index, text] of query.split(partEnd).entries()) {
    const all = searchTerms(text);
    if (whole.length < maxWords) whole.push(...all.slice(0, maxWords - whole.length));
    const isBetween = index % 2 === 1;
    const terms = isBetween ? [] : all.slice(0, left);
    left -= terms.length;
    if (terms.length === 0) continue;
    const last = parts.at(-1);
    if (last !== undefined && (isThin(terms) || isThin(last))) last.push(...terms);
    else parts.push([...terms]);
  }
  return { whole, parts };
}

function isThin(terms: readonly string[]): boolean {
  return terms.filter((term) => !smallWords.has(term)).length < minTelling;
}

/** Searched text of a tool, by field. */
export interface SearchDocument extends FieldTexts {
  readonly name: string;
  readonly summary: string;
  /** Server of the tool; empty for tools of haft. */
  readonly server: string;
}

/** A tool that was found. */
export interface ToolSearchResult {
  /** Name of the tool. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
}

export interface IndexSearchOptions {
  /** Maximum number of results. */
  readonly limit: number;
  /** Leaves out the tools for which it returns false. */
  readonly isShown?: (name: string) => boolean;
}

export interface SearchIndex {
  /** Ranks the tools that share a word with the query, best first. */
  search(query: string, options: IndexSearchOptions): readonly ToolSearchResult[];
  /** Number of tools that a search without a limit would find; ranks none. */
  count(query: string, options: Pick<IndexSearchOptions, "isShown">): number;
}

/** Longest query that is read, in words; a longer one is a document, and its beginning says what it is about. */
const maxQueryWords = 256;
const maxQueryChars = 4096;

/** Postings that are read for a query, shared by the rankings of its parts, and those that each may read at least. */
const maxPostings = 30_000;
const minPostings = 2000;

/** Number of tools that is few: one in twenty, or this one where there are not many. */
const fewShare = 20;
const minFew = 20;

/** Searchable text of a tool, taken from its listing if there is one. */
export function searchDocument(
  { name, traits, source }: RegisteredTool,
  listing: ToolListing | undefined,
): SearchDocument {
  const { category = "", tags = [], aliases = [], searchHint = "" } = traits;
  const server = source.kind === "mcp" ? source.name : "";
  return {
    name,
    server,
    summary: listing?.summary ?? searchHint,
    names: `${name} ${traits.displayName ?? ""}`,
    hints: [server, category, ...tags, ...aliases, searchHint].join(" "),
    description: listing?.description ?? "",
    parameters: parameterTexts(listing?.inputSchema),
  };
}

/** Prepares tools for ranking by the words they share with a query. Each is read once, and its texts are not kept. */
export function searchIndex(documents: Iterable<SearchDocument>): SearchIndex {
  return new ToolIndex(documents);
}

class ToolIndex implements SearchIndex {
  // By document: contents of results; the texts themselves are not stored.
  readonly #names: readonly string[];
  readonly #summaries: readonly string[];
  readonly #terms: QueryTerms;
  readonly #ranking: Ranking;

  constructor(documents: Iterable<SearchDocument>) {
    const names: string[] = [];
    const summaries: string[] = [];
    const servers: string[] = [];
    function* texts(): Generator<FieldTexts> {
      for (const document of documents) {
        names.push(document.name);
        summaries.push(document.summary);
        servers.push(document.server);
        yield document;
      }
    }
    const index = termIndex(texts());
    this.#names = names;
    this.#summaries = summaries;
    this.#terms = new QueryTerms(index);
    this.#ranking = new Ranking(index, {
      servers,
      names: names.map((name) => searchTerms(name)),
      order: orderOfNames(names),
    });
  }

  search(query: string, { limit, isShown }: IndexSearchOptions): readonly ToolSearchResult[] {
    const plans = this.#plans(query);
    return this.#joined(plans, { limit, isShown: this.#shown(isShown) }).map(
      ({ document, score }) => ({
        name: this.#names[document] ?? "",
        summary: this.#summaries[document] ?? "",
        score,
      }),
    );
  }

  count(query: string, { isShown }: Pick<IndexSearchOptions, "isShown">): number {
    const marked = new Uint8Array(this.#names.length);
    for (const plan of this.#plans(query)) this.#ranking.mark(plan, marked);
    let count = 0;
    for (const [document, name] of this.#names.entries()) {
      if (marked[document] === 1 && (isShown?.(name) ?? true)) count += 1;
    }
    return count;
  }

  #plans(query: string): readonly QueryPlan[] {
    const { whole, parts } = requestParts(query.slice(0, maxQueryChars), maxQueryWords);
    // A part says most about its own tool, and the whole about what the parts have in common.
    const requests = parts.length > 1 ? [whole, ...parts] : [whole];
    const postings = Math.max(minPostings, maxPostings / requests.length);
    return requests
      .map((words) => this.#terms.of(words, postings))
      .filter((plan, at) => at === 0 || this.#isTelling(plan));
  }

  /**
   * The best of several rankings. Their first places nearly always name enough tools, and finding fewer takes less
   * time; all places are found only where they do not.
   */
  #joined(plans: readonly QueryPlan[], options: RankOptions): readonly Ranked[] {
    const { limit } = options;
    const few = plans.length === 1 ? limit : Math.ceil(limit / plans.length) + 1;
    const first = plans.map((plan) => this.#ranking.rank(plan, { ...options, limit: few }));
    const found = new Set(first.flatMap((ranking) => ranking.map(({ document }) => document)));
    if (few >= limit || found.size >= limit) return joinRankings(first, limit);
    const all = plans.map((plan, at) => {
      const ranking = first[at] ?? [];
      return ranking.length < few ? ranking : this.#ranking.rank(plan, options);
    });
    return joinRankings(all, limit);
  }

  /** Whether a part has a word that few tools have. The best of any other part would be best by chance. */
  #isTelling({ words }: QueryPlan): boolean {
    const few = Math.max(minFew, this.#names.length / fewShare);
    return words.some(({ terms }) => terms.some(({ holders }) => holders <= few));
  }

  /** Asks once for each document. */
  #shown(isShown: IndexSearchOptions["isShown"]): (document: number) => boolean {
    if (isShown === undefined) return () => true;
    const known = new Map<number, boolean>();
    return (document) => {
      const answer = known.get(document) ?? isShown(this.#names[document] ?? "");
      known.set(document, answer);
      return answer;
    };
  }
}

/** Position of each name in their order. */
function orderOfNames(names: readonly string[]): Uint32Array {
  const order = new Uint32Array(names.length);
  const sorted = [...names.keys()].toSorted((a, b) => byCodeUnits(names[a] ?? "", names[b] ?? ""));
  for (const [position, document] of sorted.entries()) order[document] = position;
  return order;
}

/** Names, descriptions and choices of the parameters, at any depth. */
function parameterTexts(schema: unknown, texts: string[] = []): readonly string[] {
  if (Array.isArray(schema)) {
    for (const each of schema) parameterTexts(each, texts);
    return texts;
  }
  if (!isRecord(schema)) return texts;
  for (const key of Object.keys(schema)) {
    const value = schema[key];
    if (key === "description") {
      if (typeof value === "string") texts.push(value);
    } else if (key === "enum") {
      if (Array.isArray(value)) texts.push(value.join(" "));
    } else {
      if (key === "properties") texts.push(...Object.keys(value ?? {}));
      parameterTexts(value, texts);
    }
  }
  return texts;
}
