import type { ToolListing } from "../core/index.ts";
import { byName } from "./name-index.ts";
import type { RegisteredTool } from "./registered-tool.ts";
import { searchTerms, smallWords } from "./search-text.ts";

/** What of a tool is searched. */
export interface SearchDocument {
  readonly name: string;
  readonly summary: string;
  readonly names: string;
  readonly hints: string;
  readonly description: string;
  readonly parameters: string;
}

export interface SearchResult {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
}

export interface SearchIndex {
  /** The tools that share a word with the query, best first. */
  search(query: string): readonly SearchResult[];
}

/** What a word in each field counts, and how much a long field dilutes it. */
const fields = [
  { key: "names", weight: 2, dilution: 0.5 },
  { key: "hints", weight: 1.5, dilution: 0.2 },
  { key: "description", weight: 1, dilution: 0.6 },
  { key: "parameters", weight: 0.2, dilution: 0.6 },
] as const;

/** How soon repeating a word stops counting. */
const saturation = 0.6;
/** What a word like "please" counts beside one that says what is wanted. */
const smallWordWeight = 0.3;
/** What it adds that a query names the whole tool, or that a tool answers the whole query. */
const nameCoverage = 0.5;
const queryCoverage = 0.3;

interface Posting {
  readonly tool: number;
  readonly weight: number;
}

/** What is known of a tool, from its listing where there is one. */
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
  const postings = new Map<string, Posting[]>();
  for (const [tool, byField] of words.entries()) {
    for (const [term, weight] of weightsOf(byField, averages)) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [{ tool, weight }]);
      else list.push({ tool, weight });
    }
  }
  const names = documents.map((tool) => new Set(searchTerms(tool.name)));

  function scores(query: string): ReadonlyMap<number, number> {
    const asked = [...new Set(withPairs(searchTerms(query)))];
    const single = asked.filter((term) => !term.includes(" ") && !smallWords.has(term));
    const sums = new Map<number, { score: number; met: number }>();
    for (const term of asked) {
      const list = postings.get(term) ?? [];
      const rarity = Math.log(1 + (documents.length - list.length + 0.5) / (list.length + 0.5));
      const worth = smallWords.has(term) ? smallWordWeight : 1;
      for (const { tool, weight } of list) {
        const sum = sums.get(tool) ?? { score: 0, met: 0 };
        sum.score += (worth * rarity * weight) / (saturation + weight);
        if (worth === 1 && !term.includes(" ")) sum.met += 1;
        sums.set(tool, sum);
      }
    }
    return new Map(
      [...sums].map(([tool, { score, met }]) => {
        const name = names[tool] ?? new Set();
        const named = asked.filter((term) => name.has(term)).length / Math.max(1, name.size);
        const answered = met / Math.max(1, single.length);
        return [tool, score * (1 + nameCoverage * named + queryCoverage * answered)];
      }),
    );
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

/** The words and each two that stand together, which tell "read file" from "file" and "read". */
function withPairs(terms: readonly string[]): readonly string[] {
  return [...terms, ...terms.slice(1).map((term, index) => `${terms[index] ?? ""} ${term}`)];
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
