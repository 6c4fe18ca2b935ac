import type { ToolListing } from "../../core/index.ts";
import { byName } from "../name-index.ts";
import type { RegisteredTool } from "../registered-tool.ts";
import { searchTerms, smallWords } from "./search-text.ts";

/** Searched text of a tool, by field. */
export interface SearchDocument {
  readonly name: string;
  readonly summary: string;
  readonly names: string;
  readonly hints: string;
  readonly description: string;
  readonly parameters: string;
}

export interface ToolSearchResult {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
}

export interface SearchIndex {
  /** Ranks the tools that share a word with the query, best first. */
  search(query: string): readonly ToolSearchResult[];
}

/** Weight of a word in each field, and how much a long field dilutes it. */
const fields = [
  { key: "names", weight: 2, dilution: 0.5 },
  { key: "hints", weight: 1.5, dilution: 0.2 },
  { key: "description", weight: 1, dilution: 0.6 },
  { key: "parameters", weight: 0.2, dilution: 0.6 },
] as const;

/** How soon repeating a word stops counting (k1 of BM25). */
const saturation = 0.6;
/** Weight of a word like "please" compared with a word that carries the request. */
const smallWordWeight = 0.3;
/** Bonus for a query that names the whole tool, and for a tool that matches the whole query. */
const nameCoverage = 0.5;
const queryCoverage = 0.3;

interface Posting {
  readonly tool: number;
  readonly weight: number;
  readonly isInName: boolean;
}

interface Asked {
  readonly term: string;
  readonly worth: number;
  /** Whether this word alone makes a tool a result. */
  readonly isNew: boolean;
}

interface Sum {
  score: number;
  /** Number of query words found at all, and found in the tool's name. */
  met: number;
  named: number;
}

/** Searchable text of a tool, taken from its listing if there is one. */
export function searchDocument(
  { name, traits, source }: RegisteredTool,
  listing: ToolListing | undefined,
): SearchDocument {
  const { category = "", tags = [], aliases = [], searchHint = "" } = traits;
  const server = source.kind === "mcp" ? source.name : "";
  return {
    name,
    summary: listing?.summary ?? searchHint,
    names: `${name} ${traits.displayName ?? ""}`,
    hints: [server, category, ...tags, ...aliases, searchHint].join(" "),
    description: listing?.description ?? "",
    parameters: parameterText(listing?.inputSchema),
  };
}

/** Prepares tools for ranking by the words they share with a query (BM25 over weighted fields). */
export function searchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const words = documents.map((tool) =>
    fields.map((field) => withPairs(searchTerms(tool[field.key]))),
  );
  const averages = fields.map((_, field) => {
    const total = words.reduce((sum, tool) => sum + (tool[field]?.length ?? 0), 0);
    return Math.max(1, total / Math.max(1, documents.length));
  });
  const names = documents.map((tool) => new Set(searchTerms(tool.name)));
  const postings = new Map<string, Posting[]>();
  for (const [tool, byField] of words.entries()) {
    for (const [term, weight] of weightsOf(byField, averages)) {
      const posting = { tool, weight, isInName: names[tool]?.has(term) === true };
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [posting]);
      else list.push(posting);
    }
  }

  function scores(query: string): ReadonlyMap<number, number> {
    const asked = [...new Set(withPairs(searchTerms(query)))];
    const telling = asked.filter((term) => !smallWords.has(term));
    const sums = new Map<number, Sum>();
    for (const term of telling) add(sums, { term, worth: 1, isNew: true });
    // Small words only rank tools that other words found, unless the query has no other words.
    const isAlone = sums.size === 0;
    for (const term of asked) {
      if (smallWords.has(term)) add(sums, { term, worth: smallWordWeight, isNew: isAlone });
    }
    const single = telling.filter((term) => !term.includes(" ")).length;
    return new Map(
      Array.from(sums, ([tool, { score, met, named }]) => {
        const name = named / Math.max(1, names[tool]?.size ?? 0);
        const answered = met / Math.max(1, single);
        return [tool, score * (1 + nameCoverage * name + queryCoverage * answered)];
      }),
    );
  }

  function add(sums: Map<number, Sum>, { term, worth, isNew }: Asked): void {
    const list = postings.get(term) ?? [];
    const rarity = Math.log(1 + (documents.length - list.length + 0.5) / (list.length + 0.5));
    const isWord = worth === 1 && !term.includes(" ");
    for (const { tool, weight, isInName } of list) {
      let sum = sums.get(tool);
      if (sum === undefined) {
        if (!isNew) continue;
        sum = { score: 0, met: 0, named: 0 };
        sums.set(tool, sum);
      }
      sum.score += (worth * rarity * weight) / (saturation + weight);
      if (isWord) sum.met += 1;
      if (isInName) sum.named += 1;
    }
  }

  return {
    search(query) {
      return [...scores(query)]
        .flatMap(([tool, score]) => {
          const found = documents[tool];
          return found === undefined ? [] : [{ name: found.name, summary: found.summary, score }];
        })
        .toSorted((a, b) => b.score - a.score || byName(a, b));
    },
  };
}

/** Adds every pair of adjacent words that are not small words: "read file" counts more than "file" and "read". */
function withPairs(terms: readonly string[]): readonly string[] {
  const pairs = terms.slice(1).flatMap((term, index) => {
    const before = terms[index] ?? "";
    return smallWords.has(term) || smallWords.has(before) ? [] : [`${before} ${term}`];
  });
  return [...terms, ...pairs];
}

function weightsOf(
  byField: readonly (readonly string[])[],
  averages: readonly number[],
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [index, { weight, dilution }] of fields.entries()) {
    const terms = byField[index] ?? [];
    const length = terms.length / (averages[index] ?? 1);
    const each = weight / (1 - dilution + dilution * length);
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + each);
  }
  return weights;
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
