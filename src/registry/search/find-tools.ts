import type {
  FoundTool,
  FoundTools,
  ToolRankingReport,
  ToolSearchMeans,
} from "../../core/index.ts";
import { listingUnlessUnavailable, type RegisteredTool } from "../registered-tool.ts";
import type { ToolView } from "../tool-view.ts";
import { searchDocument, type ToolSearchResult } from "./search.ts";
import { maxCandidates, rerank, type ToolRanker } from "./rerank.ts";
import { searchTerms, wordsOf } from "./search-text.ts";

/** Maximum number of tools that one search activates: enough that the right one is nearly always among them. */
const maxFound = 10;

/** Maximum length of a query that is read; a longer one is a document, and its beginning says what it is about. */
const maxQueryChars = 10_000;

/** Maximum number of tools named that the model sees already. */
const maxActive = 3;

export interface FindOptions {
  readonly registry: Pick<ToolView, "search" | "count" | "get" | "resolve">;
  /** Tools that may be found. */
  readonly tools: readonly RegisteredTool[];
  readonly isDeferred: (tool: RegisteredTool) => boolean;
  /** Puts the best matches in order after their words; undefined: their words decide. */
  readonly ranker?: ToolRanker | undefined;
  readonly means?: ToolSearchMeans | undefined;
}

/** Tools that match, best first. */
interface Matches {
  /** As many as are shown, or all. */
  readonly tools: readonly RegisteredTool[];
  /** Number of all deferred tools that match, if these are not all. */
  readonly deferred?: number;
  /** Names that belong to no tool. */
  readonly unknown?: readonly string[];
  readonly ranking?: ToolRankingReport;
}

/** Result of a search in the tools that are there now. */
export type FoundNow = Omit<FoundTools, "tokensSaved">;

/** Finds tools by `select:a,b`, by a name, or by keywords, of which those that begin with `+` are required. */
export async function findTools(query: string, options: FindOptions): Promise<FoundNow> {
  const asked = query.slice(0, maxQueryChars).trim();
  const selected = /^select\s*:(.*)$/isu.exec(asked)?.[1];
  const {
    tools,
    deferred: count,
    unknown = [],
    ranking,
  } = selected === undefined ? await ranked(asked, options) : byNames(selected, options);
  const deferred = tools.filter(options.isDeferred);
  const active = tools.filter((tool) => !options.isDeferred(tool));
  return {
    found: await Promise.all(deferred.slice(0, maxFound).map(described)),
    more: Math.max(0, (count ?? deferred.length) - maxFound),
    active: await Promise.all(active.slice(0, maxActive).map(described)),
    unknown,
    deferred: options.tools.filter(options.isDeferred).length,
    ...(ranking === undefined ? {} : { ranking }),
  };
}

/** Adds the schemas of the inputs. A tool that cannot be loaded now has none. */
export async function withInputs(
  result: FoundTools,
  registry: Pick<ToolView, "resolve">,
): Promise<FoundTools> {
  const found = result.found.map(async (each): Promise<FoundTool> => {
    const tool = registry.resolve(each.name);
    const listing = tool === undefined ? undefined : await listingUnlessUnavailable(tool);
    return listing === undefined ? each : { ...each, inputSchema: listing.inputSchema };
  });
  return { ...result, found: await Promise.all(found) };
}

function byNames(list: string, { registry, tools }: FindOptions): Matches {
  const names = list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const visible = new Set(tools);
  const found = new Set<RegisteredTool>();
  const unknown: string[] = [];
  for (const name of names) {
    const tool = registry.resolve(name);
    if (tool !== undefined && visible.has(tool)) found.add(tool);
    else unknown.push(name);
  }
  return { tools: [...found], unknown };
}

async function ranked(query: string, options: FindOptions): Promise<Matches> {
  const { registry, tools } = options;
  const words = query.split(/\s+/u);
  const required = words.flatMap((word) => (/^\+./u.test(word) ? [word.slice(1)] : []));
  const keywords = words.map((word) => word.replace(/^\+/u, "")).join(" ");
  const visible = new Set(tools);
  const isFound = (tool: RegisteredTool): boolean =>
    visible.has(tool) && required.every((word) => mentions(tool, word));
  const named = registry.resolve(keywords);
  const isNamed = named !== undefined && visible.has(named);
  const { results, ...matches } = await matching(keywords, { ...options, isFound, isNamed });
  const found = isNamed ? [...new Set([named, ...matches.tools])].filter(isFound) : matches.tools;
  // A name says which tool is meant, and one match has no order.
  if (isNamed || found.length < 2) return { ...matches, tools: found };
  const order = await rankedFurther(keywords, found, { ...options, matches: matchesOf(results) });
  return { ...matches, ...order };
}

/** Fewest of the best matches that are ranked by their words: more than are shown. */
const minRanked = 64;

interface Ranked extends Matches {
  readonly results: readonly ToolSearchResult[];
}

interface Matching extends FindOptions {
  readonly isFound: (tool: RegisteredTool) => boolean;
  /** Whether the query is a name. */
  readonly isNamed: boolean;
}

/**
 * Tools that match by their words, best first. To rank thousands of them in order to show ten would take longer than
 * the search itself, so others are only counted.
 */
async function matching(
  keywords: string,
  { registry, tools, ranker, isDeferred, isFound, isNamed }: Matching,
): Promise<Ranked> {
  const search = async (limit: number): Promise<Ranked> => {
    const results = await registry.search(keywords, { limit });
    const best = results.flatMap(({ name }) => registry.get(name) ?? []).filter(isFound);
    return { tools: best, results };
  };
  const candidates = ranker === undefined ? 0 : maxCandidates[ranker.by];
  const limit = isNamed ? Math.max(1, tools.length) : Math.max(minRanked, candidates);
  const best = await search(limit);
  if (isNamed || best.results.length < limit) return best;
  if (best.tools.filter(isDeferred).length < maxFound)
    return await search(Math.max(1, tools.length));
  const deferred = await registry.count(keywords, {
    isHidden: (tool) => !isFound(tool) || !isDeferred(tool),
  });
  return { ...best, deferred };
}

/**
 * How well each tool matches, as a share of how well the first does. The scores of a request's parts cannot be compared,
 * so none counts more than one before it.
 */
function matchesOf(results: readonly ToolSearchResult[]): ReadonlyMap<string, number> {
  const best = results[0]?.score ?? 1;
  let least = best;
  return new Map(
    results.map(({ name, score }) => {
      least = Math.min(least, score);
      return [name, least / best];
    }),
  );
}

async function rankedFurther(
  query: string,
  found: readonly RegisteredTool[],
  { ranker, means = {}, matches }: FindOptions & { readonly matches: ReadonlyMap<string, number> },
): Promise<Matches> {
  if (ranker === undefined) return { tools: found };
  const request = { query, signal: means.signal, runId: means.runId };
  const result = await rerank(request, {
    found,
    ranker,
    candidateOf: (tool, by) => ({
      text: by === "embeddings" ? candidateSentence(tool) : candidateText(tool),
      match: matches.get(tool.name) ?? 0,
    }),
  });
  return { tools: result.found, ranking: result.report };
}

/** Text of a tool whose meaning is compared: one that people could have written. */
function candidateSentence(tool: RegisteredTool): string {
  const { name, server, summary, description } = searchDocument(tool, tool.known);
  const words = wordsOf(server === "" ? name : name.replace(/^mcp__.+?__/u, "")).join(" ");
  const from = server === "" ? "" : ` in ${server}`;
  return `${words}${from}: ${description === "" ? summary : description}`;
}

/** Text of a tool for a model that ranks. */
function candidateText(tool: RegisteredTool): string {
  const { name, server, summary, description } = searchDocument(tool, tool.known);
  const from = server === "" ? "" : ` (${server})`;
  return `${name}${from}: ${description === "" ? summary : description}`;
}

/** Whether the word is in what is said of a tool: as a word in any form, or inside a name. */
function mentions(tool: RegisteredTool, word: string): boolean {
  const { names, hints, description } = searchDocument(tool, tool.known);
  const terms = new Set(searchTerms(`${names} ${hints} ${description}`));
  const wanted = searchTerms(word);
  if (wanted.length > 0 && wanted.every((term) => terms.has(term))) return true;
  return `${names} ${hints}`.toLowerCase().includes(word.toLowerCase());
}

/** Loads nothing: a lazy tool without a known listing is described by its hint. */
async function described(tool: RegisteredTool): Promise<FoundTool> {
  const listing = tool.loaded === undefined ? tool.known : await tool.listing();
  return { name: tool.name, summary: listing?.summary ?? tool.traits.searchHint ?? "" };
}
