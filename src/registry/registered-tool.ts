import {
  capabilityFacts,
  capabilityLevel,
  checkedBehaviour,
  checkedTool,
  deriveFlags,
  listingParts,
  withParameters,
  ToolError,
  type InitContext,
  type JsonSchema,
  type LazyTool,
  type Tool,
  type ToolFlags,
  type ToolListing,
  type ToolSource,
  type ToolTraits,
} from "../core/index.ts";
import { compileInput, toJsonSchema, type CompiledInput } from "../schema/index.ts";
import { renderDescription } from "./description.ts";
import { frozenLazyTool, frozenTool, frozenTraits } from "./frozen.ts";

/**
 * A tool as it was when registered. Later changes to the caller's object have no effect here. Registries and snapshots
 * that share a tool also share what it has loaded and compiled.
 */
export interface RegisteredTool {
  /** Name of the tool. */
  readonly name: string;
  /** Traits known without loading. They hold whatever `init` returns. */
  readonly traits: ToolTraits;
  /** Where the tool comes from. */
  readonly source: ToolSource;
  /** Behavior of the tool, derived from the effects it may have. */
  readonly flags: ToolFlags;
  /** The tool. Set immediately for a static tool, after the first `load` for a lazy one. */
  readonly loaded: Tool | undefined;
  /**
   * Validator of the input, compiled on first access; undefined until the tool is loaded.
   *
   * @internal
   */
  readonly compiled: CompiledInput | undefined;
  /**
   * Returns the tool. The `init` of a lazy tool runs once for all concurrent callers; a failure is UNAVAILABLE and can
   * be retried.
   */
  load(): Tool | Promise<Tool>;
  /** Listing if it is already known; reading it loads nothing. */
  readonly known: ToolListing | undefined;
  /**
   * Entry of this tool in a list of tools. Synchronous if it is known; only a lazy tool without `known` is loaded for
   * it.
   */
  listing(): ToolListing | Promise<ToolListing>;
}

/** Argument of a lazy tool's `init`: a value, or a function called when the first lazy tool is loaded. */
export type InitContextSource = InitContext | (() => InitContext) | undefined;

const unstatedSource: ToolSource = Object.freeze({ id: "option", name: "option", kind: "custom" });

/** Takes a tool as it is now. Throws a TypeError that names the invalid part. */
export function registeredTool(given: Tool | LazyTool, context: InitContextSource): RegisteredTool {
  const tool = checkedTool(given);
  return tool.kind === "tool" ? staticTool(tool) : lazyTool(tool, context);
}

/**
 * Returns the listing, or undefined for a lazy tool that cannot be loaded now, so that one failure does not break the
 * list of the others. A tool with an invalid schema still throws.
 */
export async function listingUnlessUnavailable(
  tool: RegisteredTool,
): Promise<ToolListing | undefined> {
  try {
    return await tool.listing();
  } catch (error) {
    if (ToolError.is(error) && error.code === "UNAVAILABLE") return undefined;
    throw error;
  }
}

export function categoryOf(tool: RegisteredTool): string {
  return tool.traits.category ?? uncategorised;
}

/** Category of tools that name none. */
const uncategorised = "other";

function staticTool(given: Tool): RegisteredTool {
  const tool = frozenTool(given);
  let compiled: CompiledInput | undefined;
  let listing: ToolListing | undefined;
  let listed: Promise<ToolListing> | undefined;
  return Object.freeze({
    name: tool.name,
    traits: tool,
    source: tool.source ?? unstatedSource,
    flags: Object.freeze(deriveFlags(tool.touches, tool.flags)),
    loaded: tool,
    get compiled() {
      return (compiled ??= compileInput(tool));
    },
    load: () => tool,
    get known() {
      return listing;
    },
    listing: () => listing ?? listed ?? list(),
  });

  /** At once where that is possible: with thousands of tools, waiting takes longer than listing. */
  function list(): ToolListing | Promise<ToolListing> {
    const input = toJsonSchema(tool.input);
    const output = tool.output && toJsonSchema(tool.output);
    if (input instanceof Promise || output instanceof Promise) {
      return (listed = Promise.all([input, output]).then(
        (schemas) => (listing = listingWith(tool, ...schemas)),
      ));
    }
    return (listing = listingWith(tool, input, output));
  }
}

function lazyTool(given: LazyTool, context: InitContextSource): RegisteredTool {
  const lazy = frozenLazyTool(given);
  const traits = frozenTraits(lazy);
  let listing = lazy.known && listingOf(traits, lazy.known);
  let loaded: Tool | undefined;
  let loading: Promise<Tool> | undefined;
  let compiled: CompiledInput | undefined;

  const load = (): Tool | Promise<Tool> => {
    if (loaded !== undefined) return loaded;
    loading ??= initialise(lazy, traits, context).then(
      (tool) => (loaded = tool),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  return Object.freeze({
    name: traits.name,
    traits,
    source: traits.source ?? unstatedSource,
    flags: Object.freeze(deriveFlags(traits.touches, traits.flags)),
    get loaded() {
      return loaded;
    },
    get compiled() {
      if (loaded === undefined) return undefined;
      return (compiled ??= compileInput(loaded));
    },
    load,
    get known() {
      return listing;
    },
    listing: () => listing ?? loadListing(),
  });

  async function loadListing(): Promise<ToolListing> {
    const tool = await load();
    const input = await toJsonSchema(tool.input);
    return (listing ??= listingWith(tool, input, tool.output && (await toJsonSchema(tool.output))));
  }
}

async function initialise(
  lazy: LazyTool,
  traits: ToolTraits,
  context: InitContextSource,
): Promise<Tool> {
  const given = typeof context === "function" ? context() : context;
  if (given === undefined) {
    throw new ToolError("UNAVAILABLE", `Nothing here can load the tool ${lazy.name}.`, {
      hint: "Give the registry the context its lazy tools are made with.",
      data: { tool: lazy.name },
    });
  }
  try {
    // The registered name and effects stay: init adds behavior, never another name or wider effects.
    return frozenTool({ ...checkedBehaviour(lazy.name, await lazy.init(given)), ...traits });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("UNAVAILABLE", `The tool ${lazy.name} could not be loaded: ${message}`, {
      hint:
        (ToolError.is(cause) ? cause.hint : undefined) ?? "Try again later, or use another tool.",
      data: { tool: lazy.name },
      cause,
    });
  }
}

function listingWith(tool: Tool, inputSchema: JsonSchema, outputSchema?: JsonSchema): ToolListing {
  const { summary, text } = renderDescription(tool.description);
  return listingOf(tool, {
    level: capabilityLevel(capabilityFacts(tool)),
    summary,
    description: text,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
  });
}

type Described = Pick<ToolListing, "summary" | "description" | "inputSchema" | "outputSchema"> &
  Partial<Pick<ToolListing, "level">>;

function listingOf(traits: ToolTraits, described: Described): ToolListing {
  const listing = withParameters({
    name: traits.name,
    displayName: traits.displayName ?? traits.name,
    summary: described.summary,
    description: described.description,
    version: traits.version ?? "1.0.0",
    category: traits.category ?? uncategorised,
    tags: traits.tags ?? [],
    aliases: traits.aliases ?? [],
    searchHint: traits.searchHint ?? "",
    ...(traits.icon === undefined ? {} : { icon: traits.icon }),
    source: traits.source ?? unstatedSource,
    strict: traits.strict ?? false,
    touches: traits.touches,
    flags: Object.freeze(deriveFlags(traits.touches, traits.flags)),
    // The capabilities of a tool that is not loaded are unknown beyond its traits, so the lowest level is assumed.
    level: described.level ?? capabilityLevel({ ...traits, hasPreview: false, hasUndo: false }),
    ...(traits.staged === undefined ? {} : { staged: traits.staged }),
    ...listingParts(traits),
    inputSchema: described.inputSchema,
    ...(described.outputSchema === undefined ? {} : { outputSchema: described.outputSchema }),
  });
  return Object.freeze(listing);
}
