import {
  deriveFlags,
  listingParts,
  withParameters,
  effectKinds,
  isStandardSchema,
  type CapabilityLevel,
  type EffectKind,
  type JsonSchema,
  type LazyTool,
  type ToolListing,
  type ToolSource,
  type ToolTraits,
} from "../core/index.ts";
import catalog from "./catalog.json" with { type: "json" };

const builtIn: ToolSource = { id: "built-in", name: "haft", kind: "built-in" };

const listed: readonly unknown[] = catalog;
/** Entries by name: every start looks up each tool. */
const entries = new Map(listed.filter(isEntry).map((entry) => [entry.name, entry]));

/** Built-in tool described by its catalog entry; `load` imports the tool itself. */
export function catalogued(name: string, load: LazyTool["init"]): LazyTool {
  const entry = entries.get(name);
  if (entry === undefined) {
    throw new TypeError(`The catalog has no ${name}. Run npm run generate.`);
  }
  const { summary, description, level, inputSchema, ...traits } = entry;
  return {
    kind: "lazy-tool",
    ...traits,
    source: builtIn,
    known: { summary, description, level, inputSchema },
    async init(context) {
      const tool = await load(context);
      // The catalog already contains its JSON Schema, and generating one takes as long as the rest of a first call.
      return isStandardSchema(tool.input)
        ? { ...tool, input: { schema: tool.input, jsonSchema: inputSchema } }
        : tool;
    },
  };
}

/**
 * Listings of the built-in tools in the default mode, without those that need an absent service, if no rule hides one;
 * sorted by name. Loads none.
 */
export function builtInListings(absent: ReadonlySet<string>): readonly ToolListing[] {
  return [...entries.values()]
    .filter(({ modes, needs = [] }) => {
      return modes?.includes("default") !== false && needs.every(({ id }) => !absent.has(id));
    })
    .map((entry) =>
      withParameters({
        name: entry.name,
        displayName: entry.displayName ?? entry.name,
        summary: entry.summary,
        description: entry.description,
        version: entry.version ?? "1.0.0",
        category: entry.category ?? "other",
        tags: entry.tags ?? [],
        aliases: entry.aliases ?? [],
        searchHint: entry.searchHint ?? "",
        source: builtIn,
        strict: entry.strict ?? false,
        touches: entry.touches,
        flags: deriveFlags(entry.touches, entry.flags),
        level: entry.level,
        ...(entry.staged === undefined ? {} : { staged: entry.staged }),
        ...listingParts(entry),
        inputSchema: entry.inputSchema,
      }),
    )
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

interface CatalogEntry extends ToolTraits {
  readonly summary: string;
  readonly description: string;
  readonly level: CapabilityLevel;
  readonly inputSchema: JsonSchema;
}

/**
 * Whether a value is a catalog entry. The file is generated and tested against the tools, so only the essential fields
 * are checked.
 */
function isEntry(value: unknown): value is CatalogEntry {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    "touches" in value &&
    Array.isArray(value.touches) &&
    value.touches.every(isEffectKind)
  );
}

function isEffectKind(value: unknown): value is EffectKind {
  return effectKinds.some((kind) => kind === value);
}
