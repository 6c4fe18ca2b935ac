import type { ToolListing } from "../../core/index.ts";
import { byName } from "../name-index.ts";
import type { RegisteredTool } from "../registered-tool.ts";
import { Best, joinRankings, type Ranked } from "./best.ts";
import { termIndex, type FieldTexts, type TermIndex } from "./postings.ts";
import { QueryTerms, type QueryTerm } from "./query-terms.ts";
import { requestParts } from "./request-parts.ts";
import { searchTerms, smallWords } from "./search-text.ts";

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
}

/** Bonus for a query that names the whole tool, and for a tool that matches the whole query. */
const nameCoverage = 0.8;
const queryCoverage = 0.3;
/** Bonus for tools on the server of the best result. */
const siblingBonus = 0.1;
const maxBonus = (1 + nameCoverage + queryCoverage) * (1 + siblingBonus);

/** Longest query that is read, in words; a longer one is a document, and its beginning says what it is about. */
const maxQueryWords = 256;
const maxQueryChars = 4096;

/** Postings that are read for a query, shared by the rankings of its parts, and those that each may read at least. */
const maxPostings = 30_000;
const minPostings = 2000;

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
    parameters: parameterText(listing?.inputSchema),
  };
}

/** Prepares tools for ranking by the words they share with a query. */
export function searchIndex(documents: readonly SearchDocument[]): SearchIndex {
  return new ToolIndex(documents);
}

/** For a word of a name that no field has. */
const noWord = 0xffffffff;

class ToolIndex implements SearchIndex {
  /** Contents of results; the texts themselves are not kept. */
  readonly #documents: readonly Pick<SearchDocument, "name" | "summary" | "server">[];
  readonly #index: TermIndex;
  readonly #terms: QueryTerms;
  /** Words of each tool's name, as numbers. */
  readonly #names: readonly Uint32Array[];
  /** Position of each tool in the order of names, for equal scores. */
  readonly #order: Uint32Array;
  // Of the ranking at hand, by document; cleared when it ends.
  readonly #scores: Float64Array;
  readonly #answered: Uint16Array;
  readonly #lastWord: Int32Array;

  constructor(documents: readonly SearchDocument[]) {
    this.#documents = documents.map(({ name, summary, server }) => ({ name, summary, server }));
    this.#index = termIndex(documents);
    this.#terms = new QueryTerms(this.#index);
    this.#names = documents.map(({ name }) =>
      Uint32Array.from(new Set(searchTerms(name)), (word) => this.#index.idOf(word) ?? noWord),
    );
    this.#order = orderOfNames(documents);
    this.#scores = new Float64Array(documents.length);
    this.#answered = new Uint16Array(documents.length);
    this.#lastWord = new Int32Array(documents.length).fill(-1);
  }

  search(query: string, options: IndexSearchOptions): readonly ToolSearchResult[] {
    const read = query.slice(0, maxQueryChars);
    const whole = searchTerms(read).slice(0, maxQueryWords);
    const parts = requestParts(read, maxQueryWords);
    // A part says most about its own tool, and the whole about what the parts have in common.
    const requests = parts.length > 1 ? [whole, ...parts] : [whole];
    const postings = Math.max(minPostings, maxPostings / requests.length);
    const rankings = requests.map((words) =>
      this.#rank(this.#terms.of(words, postings), words, options),
    );
    return joinRankings(rankings, options.limit).flatMap(({ document, score }) => {
      const found = this.#documents[document];
      return found === undefined ? [] : [{ name: found.name, summary: found.summary, score }];
    });
  }

  #rank(
    terms: readonly QueryTerm[],
    words: readonly string[],
    { limit, isShown }: IndexSearchOptions,
  ): readonly Ranked[] {
    const touched: number[] = [];
    for (const term of terms) if (term.isTelling) this.#add(term, touched, true);
    // Small words only rank tools that other words found, unless the query has no other words.
    const isAlone = touched.length === 0;
    for (const term of terms) if (!term.isTelling) this.#add(term, touched, isAlone);
    const asked = new Set(words.map((word) => this.#index.idOf(word)));
    const telling = Math.max(1, words.filter((word) => !smallWords.has(word)).length);
    const best = new Best(limit, this.#order);
    const server = this.#bestServer(touched);
    for (const document of touched) {
      const sum = this.#scores[document] ?? 0;
      this.#scores[document] = 0;
      const answered = (this.#answered[document] ?? 0) / telling;
      this.#answered[document] = 0;
      this.#lastWord[document] = -1;
      if (sum * maxBonus < best.least) continue;
      const { name = "", server: own = "" } = this.#documents[document] ?? {};
      if (isShown?.(name) === false) continue;
      let bonus = 1 + nameCoverage * this.#named(document, asked) + queryCoverage * answered;
      if (own !== "" && own === server) bonus *= 1 + siblingBonus;
      best.add(document, sum * bonus);
    }
    return best.ranked();
  }

  #add(term: QueryTerm, touched: number[], isNew: boolean): void {
    const { word, isAnswer, isInstead, postings } = term;
    const { documents, impacts } = postings;
    const weight = term.weight * postings.rarity;
    for (let index = 0; index < documents.length; index += 1) {
      const document = documents[index] ?? 0;
      const isMet = this.#lastWord[document] === word;
      if (isMet && isInstead) continue;
      const before = this.#scores[document] ?? 0;
      if (before === 0) {
        if (!isNew) continue;
        touched.push(document);
      }
      this.#scores[document] = before + weight * (impacts[index] ?? 0);
      if (!isAnswer && !isInstead) continue;
      this.#lastWord[document] = word;
      if (isAnswer) this.#answered[document] = (this.#answered[document] ?? 0) + 1;
    }
  }

  /** Share of a tool's name that the query has. */
  #named(document: number, asked: ReadonlySet<number | undefined>): number {
    const names = this.#names[document];
    if (names === undefined || names.length === 0) return 0;
    let named = 0;
    for (const name of names) if (asked.has(name)) named += 1;
    return named / names.length;
  }

  /** Server of the best tool so far: one need is often met by several tools of a server. */
  #bestServer(touched: readonly number[]): string {
    let best = 0;
    let server = "";
    for (const document of touched) {
      const score = this.#scores[document] ?? 0;
      if (score <= best) continue;
      best = score;
      server = this.#documents[document]?.server ?? "";
    }
    return server;
  }
}

function orderOfNames(documents: readonly SearchDocument[]): Uint32Array {
  const order = new Uint32Array(documents.length);
  const sorted = documents
    .map(({ name }, index) => ({ name, index }))
    .toSorted((a, b) => byName(a, b));
  for (const [position, { index }] of sorted.entries()) order[index] = position;
  return order;
}

/** Names, descriptions and choices of the parameters, at any depth. */
function parameterText(schema: unknown): string {
  if (Array.isArray(schema)) return schema.map(parameterText).join(" ");
  if (typeof schema !== "object" || schema === null) return "";
  return Object.entries(schema)
    .map(([key, value]: [string, unknown]) => {
      if (key === "description") return typeof value === "string" ? value : "";
      if (key === "enum") return Array.isArray(value) ? value.join(" ") : "";
      const names = key === "properties" ? Object.keys(value ?? {}).join(" ") : "";
      return `${names} ${parameterText(value)}`;
    })
    .join(" ");
}
