import {
  aCount,
  argumentError,
  aText,
  checkedArgument,
  type DefinitionByFormat,
  type DefinitionFormat,
  type DefinitionOptions,
  type Definitions,
  type Mode,
  type ServiceToken,
  type ToolListing,
} from "../core/index.ts";
import { byCodeUnits, type Entry, type NameIndex } from "./name-index.ts";
import { nearestNames } from "./search/nearest.ts";
import { categoryOf, listingUnlessUnavailable, type RegisteredTool } from "./registered-tool.ts";
import type { SearchDocument, SearchIndex, ToolSearchResult } from "./search/search.ts";

/** Whether the rules of a mode refuse every use of a tool, so that it need not be shown. */
export type HiddenPredicate = (tool: RegisteredTool, mode: Mode | undefined) => boolean;

/** Reasons to hide tools from a view. */
export interface ToolViewOptions {
  /**
   * Decides which tools rules and modes hide. Policy provides it; without it no tool is hidden, and asking for a mode
   * is a TypeError.
   */
  readonly isHidden?: HiddenPredicate | undefined;
  /**
   * Whether a service is available; a tool that needs an unavailable service is not offered. Default: all are
   * available.
   */
  readonly provides?: ((token: ServiceToken<unknown>) => boolean) | undefined;
}

/** Selection of tools on offer. */
export interface OfferOptions extends DefinitionOptions {
  /** Replaces the registry's own predicate. */
  readonly isHidden?: HiddenPredicate;
  /** Names of tools whose definitions say that the provider keeps them from the model until they are found. */
  readonly deferred?: ReadonlySet<string> | undefined;
}

/** Options of a search for tools. */
export interface ToolSearchOptions extends OfferOptions {
  /**
   * Maximum number of results.
   *
   * @default 10
   */
  readonly limit?: number;
}

/**
 * Read-only view of a registry's tools. Lists contain the tools on offer: enabled, not shadowed, with their services;
 * sorted by name.
 */
export interface ToolView {
  /** Looks up a tool by name or alias exactly as registered, also a disabled one. */
  get(name: string): RegisteredTool | undefined;
  /** Whether a tool of this name or alias is registered. */
  has(name: string): boolean;
  /** Whether a tool is registered and enabled. */
  isEnabled(name: string): boolean;
  /**
   * The enabled tool that a model means: by name, alias, another casing or style, or with a namespace prefix. Undefined
   * if two tools could be meant.
   */
  resolve(name: string): RegisteredTool | undefined;
  /** Names of the tools on offer closest to this one, best first, at most three. */
  nearest(name: string): readonly string[];
  /** All tools on offer. */
  getAll(): readonly RegisteredTool[];
  /** Names of the tools on offer. */
  getNames(): readonly string[];
  /** Categories of the tools on offer. */
  getCategories(): readonly string[];
  /** Tools on offer in this category. */
  getByCategory(category: string): readonly RegisteredTool[];
  /** Tags of the tools on offer. */
  getTags(): readonly string[];
  /** Tools on offer with this tag. */
  getByTag(tag: string): readonly RegisteredTool[];
  /** Tools that `getDefinitions` returns for these options. */
  getOffered(options?: OfferOptions): readonly RegisteredTool[];
  /** Definitions in a provider's format, byte for byte the same for the same tools; see `definitionsOf`. */
  getDefinitions<F extends DefinitionFormat>(
    format: F,
    options?: OfferOptions,
  ): Promise<Definitions<DefinitionByFormat[F]>>;
  /** Loads every listing, so that `listings` is complete. A lazy tool that fails to load is tried again later. */
  prepare(): Promise<void>;
  /** Listings known so far; loads nothing. */
  listings(options?: OfferOptions): readonly ToolListing[];
  /** Ranks tools by the words of the query found in their name, tags, hint, description and parameters. */
  search(query: string, options?: ToolSearchOptions): Promise<readonly ToolSearchResult[]>;
  /** Counts the tools that a search without a limit would find, without ranking them. */
  count(query: string, options?: OfferOptions): Promise<number>;
}

/** Tools on offer, prepared once for searches. */
interface Searched {
  readonly tools: readonly RegisteredTool[];
  readonly byName: ReadonlyMap<string, RegisteredTool>;
  readonly index: Promise<SearchIndex>;
}

/** Reads tools through an index that may be replaced between two calls, never during one. */
export function toolView(index: () => NameIndex, options: ToolViewOptions): ToolView {
  let offered:
    | { readonly of: readonly Entry[]; readonly tools: readonly RegisteredTool[] }
    | undefined;
  let searched: Searched | undefined;

  function all(): readonly RegisteredTool[] {
    const entries = index().visible();
    if (offered?.of !== entries) {
      const tools = entries.filter((entry) => isOffered(entry, options)).map((entry) => entry.tool);
      offered = { of: entries, tools: Object.freeze(tools) };
    }
    return offered.tools;
  }

  function selects({
    names,
    mode,
    isHidden = options.isHidden,
  }: OfferOptions): (tool: RegisteredTool) => boolean {
    if (mode !== undefined && isHidden === undefined) {
      throw argumentError(`Nothing here knows what the mode ${mode} hides: give isHidden.`);
    }
    const wanted = names && new Set(knownEntries(index(), names).map((entry) => entry.tool));
    return (tool) => (wanted?.has(tool) ?? true) && !(isHidden?.(tool, mode) ?? false);
  }

  function select(offer: OfferOptions): readonly RegisteredTool[] {
    return all().filter(selects(offer));
  }

  /**
   * Omits variants of tools that are offered too. Two forms of one tool would cost tokens twice and give the model a
   * choice that does not matter.
   */
  function selectForms(offer: OfferOptions): readonly RegisteredTool[] {
    const tools = select(offer);
    if (offer.variants === true || offer.names !== undefined) return tools;
    const names = new Set(tools.map((tool) => tool.name));
    return tools.filter(
      ({ traits: { variantOf } }) => variantOf === undefined || !names.has(variantOf),
    );
  }

  function forSearch(): Searched {
    const tools = all();
    if (searched?.tools !== tools) {
      const byName = new Map(tools.map((tool) => [tool.name, tool]));
      searched = { tools, byName, index: makeSearchIndex(tools) };
    }
    return searched;
  }

  /** Whether a search may find a tool of this name; undefined: it may find all. */
  function shownInSearch(offer: OfferOptions): ((name: string) => boolean) | undefined {
    const isSelected = selects(offer);
    const { names, isHidden = options.isHidden } = offer;
    if (names === undefined && isHidden === undefined) return undefined;
    const { byName } = forSearch();
    // Asked of the candidates only: the rules of a mode cost more than the search.
    return (name) => {
      const tool = byName.get(name);
      return tool !== undefined && isSelected(tool);
    };
  }

  return {
    get: (name) => index().find(name)?.tool,
    has: (name) => index().find(name) !== undefined,
    isEnabled: (name) => index().find(name)?.enabled ?? false,
    resolve: (name) => index().resolve(name),
    nearest: (name) => nearestNames(name, all()),
    getAll: all,
    getNames: () => all().map((tool) => tool.name),
    getCategories: () => distinct(all().map(categoryOf)),
    getByCategory: (category) => all().filter((tool) => categoryOf(tool) === category),
    getTags: () => distinct(all().flatMap((tool) => tool.traits.tags ?? [])),
    getByTag: (tag) => all().filter((tool) => tool.traits.tags?.includes(tag) === true),
    getOffered: (offer = {}) => selectForms(offer),
    async getDefinitions(format, offer = {}) {
      const tools = selectForms(offer);
      const names = index().providerNames(format);
      const { definitionsOf } = await import("./definitions.ts");
      return await definitionsOf(tools, { format, names, deferred: offer.deferred });
    },
    async prepare() {
      await Promise.all(all().map(listingUnlessUnavailable));
    },
    listings: (offer = {}) => select(offer).flatMap((tool) => tool.known ?? []),
    async search(query, { limit = 10, ...offer } = {}) {
      checkedArgument("query of search", query, aText);
      checkedArgument("limit of search", limit, aCount);
      const isShown = shownInSearch(offer);
      return (await forSearch().index).search(
        query,
        isShown === undefined ? { limit } : { limit, isShown },
      );
    },
    async count(query, offer = {}) {
      checkedArgument("query of count", query, aText);
      const isShown = shownInSearch(offer);
      return (await forSearch().index).count(query, isShown === undefined ? {} : { isShown });
    },
  };
}

/** Of names that are not known, in a message. */
const maxNamed = 10;
const maxNamedChars = 64;

/** The registrations these names stand for, in any casing. A TypeError names those that stand for none. */
export function knownEntries(index: NameIndex, names: readonly string[]): readonly Entry[] {
  const missing = names.filter((name) => index.holder(name) === undefined);
  if (missing.length > 0) {
    const known = index.visible().map((entry) => entry.tool.name);
    const named = missing.slice(0, maxNamed).map((name) => name.slice(0, maxNamedChars));
    throw argumentError(`No tool is called ${named.join(", ")}.`, {
      hint: `There are: ${known.join(", ")}.`,
    });
  }
  return names.flatMap((name) => index.holder(name) ?? []);
}

/** Whether a registration appears in lists. */
export function isOffered(entry: Entry, { provides }: ToolViewOptions): boolean {
  if (!entry.enabled) return false;
  return (
    provides === undefined || (entry.tool.traits.needs ?? []).every((token) => provides(token))
  );
}

/** Builds the search index without loading a tool: a lazy tool without a known listing is indexed by its traits. */
async function makeSearchIndex(tools: readonly RegisteredTool[]): Promise<SearchIndex> {
  const { searchDocument, searchIndex } = await import("./search/search.ts");
  const listings: (ToolListing | undefined)[] = [];
  for (const tool of tools) {
    const listing = tool.loaded === undefined ? tool.known : tool.listing();
    // Only the first ones are waited for: with them, what lists the others is loaded.
    listings.push(listing instanceof Promise ? await listing : listing);
  }
  // One after the other, so that the texts of thousands of tools are not in memory at once.
  function* documents(): Generator<SearchDocument> {
    for (const [at, tool] of tools.entries()) yield searchDocument(tool, listings[at]);
  }
  return searchIndex(documents());
}

/** Distinct values, sorted. */
function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted(byCodeUnits);
}
