import type {
  DefinitionByFormat,
  DefinitionFormat,
  DeferredDefinition,
  Definitions,
  DroppedDefinitionPart,
  ObjectSchema,
  RenamedDefinitionPart,
  ToolListing,
} from "../core/index.ts";
import { downLevel, type NameMap } from "../schema/index.ts";
import { frozenJson } from "./frozen.ts";
import { byName } from "./name-index.ts";
import { listingUnlessUnavailable, type RegisteredTool } from "./registered-tool.ts";

/**
 * Builds tool definitions in a provider's format. Sorted by name, frozen, and byte for byte the same for the same
 * tools, whatever the order of registration. A lazy tool that fails to load is omitted and listed in `dropped` with the
 * keyword `unavailable`.
 */
export async function definitionsOf<F extends DefinitionFormat>(
  tools: readonly RegisteredTool[],
  target: DefinitionTarget<F>,
): Promise<Definitions<DefinitionByFormat[F]>> {
  const sorted = tools.toSorted(byName);
  const parts = await Promise.all(
    sorted.map(async (tool): Promise<Part<F>> => {
      const listing = await listingUnlessUnavailable(tool);
      if (listing === undefined) {
        return { dropped: [{ tool: tool.name, path: "", keyword: "unavailable" }], renamed: [] };
      }
      return partOf(listing, target);
    }),
  );
  const definitions = parts.flatMap((part) => (part.tool === undefined ? [] : [part.tool]));
  Object.freeze(definitions);
  const deferred = parts.flatMap((part) => part.deferred ?? []);
  return Object.freeze({
    ...(deferred.length === 0 ? {} : { deferred: Object.freeze(deferred) }),
    tools: definitions,
    dropped: Object.freeze(parts.flatMap((part) => part.dropped)),
    renamed: Object.freeze(parts.flatMap((part) => part.renamed)),
  });
}

interface DefinitionTarget<F extends DefinitionFormat> {
  readonly format: F;
  readonly names: NameMap;
  /** Names of tools that the provider keeps from the model until they are found. */
  readonly deferred?: ReadonlySet<string> | undefined;
}

interface Part<F extends DefinitionFormat> {
  readonly tool?: DefinitionByFormat[F];
  readonly dropped: readonly DroppedDefinitionPart[];
  readonly renamed: readonly RenamedDefinitionPart[];
  readonly deferred?: DeferredDefinition;
}

function partOf<F extends DefinitionFormat>(
  listing: ToolListing,
  { format, names, deferred }: DefinitionTarget<F>,
): Part<F> {
  const tool = listing.name;
  const name = names.theirs.get(tool) ?? tool;
  const isDeferred = deferred?.has(tool) === true;
  const { strict, schema, ...input } = loweredInput(listing, format);
  const output = format === "mcp" ? loweredOutput(listing) : noOutput;
  const write = writers[format];
  const definition = write({ listing, name, schema, strict, output: output.schema, isDeferred });
  const properties = input.renamed.map((each) => ({ tool, ...each }));
  return {
    tool: frozenJson(definition),
    dropped: [...input.dropped, ...output.dropped].map((each) => ({ tool, ...each })),
    renamed: name === tool ? properties : [{ tool, path: "", name }, ...properties],
    ...(isDeferred ? { deferred: Object.freeze({ tool, name }) } : {}),
  };
}

/** Everything that a definition is made of, in the dialect of its provider. */
interface Facts {
  readonly listing: ToolListing;
  readonly name: string;
  readonly schema: ObjectSchema;
  readonly strict: boolean;
  readonly output: ObjectSchema | undefined;
  readonly isDeferred: boolean;
}

/** One function a format. */
const writers: { readonly [F in DefinitionFormat]: (facts: Facts) => DefinitionByFormat[F] } = {
  anthropic: ({ listing, name, schema, strict, isDeferred }) => ({
    name,
    description: listing.description,
    input_schema: schema,
    ...(strict ? { strict } : {}),
    ...(isDeferred ? { defer_loading: true } : {}),
  }),
  openai: openaiChat,
  "openai-chat": openaiChat,
  "openai-responses": ({ listing, name, schema, strict, isDeferred }) => ({
    type: "function",
    name,
    description: listing.description,
    parameters: schema,
    strict,
    ...(isDeferred ? { defer_loading: true } : {}),
  }),
  gemini: ({ listing, name, schema }) => ({
    name,
    description: listing.description,
    parametersJsonSchema: schema,
  }),
  mcp: ({ listing: { displayName, description, flags, icon }, name, schema, output }) => ({
    name,
    title: displayName,
    description,
    inputSchema: schema,
    ...(output === undefined ? {} : { outputSchema: output }),
    annotations: {
      title: displayName,
      readOnlyHint: flags.readOnly,
      destructiveHint: flags.destructive,
      idempotentHint: flags.idempotent,
      openWorldHint: flags.openWorld,
    },
    ...(icon !== undefined && /^(?:https?:|data:)/u.test(icon) ? { icons: [{ src: icon }] } : {}),
  }),
};

function openaiChat({ listing, name, schema, strict }: Facts): DefinitionByFormat["openai-chat"] {
  return {
    type: "function",
    function: {
      name,
      description: listing.description,
      parameters: schema,
      ...(strict ? { strict } : {}),
    },
  };
}

/**
 * Lowers the input schema for a provider. Strict only if the tool asked for it and strict mode would not forbid a key
 * that a call may contain.
 */
function loweredInput(
  { inputSchema, strict: isWanted }: ToolListing,
  format: DefinitionFormat,
): ReturnType<typeof downLevel> & { readonly strict: boolean } {
  const canBeStrict = format !== "gemini" && format !== "mcp";
  if (!isWanted || !canBeStrict) return { ...downLevel(inputSchema, format), strict: false };
  const lowered = downLevel(inputSchema, format, { strict: true });
  const lost = lowered.dropped.filter(({ keyword }) => openKeys.has(keyword));
  if (lost.length === 0) return { ...lowered, strict: true };
  const { dropped, ...loose } = downLevel(inputSchema, format);
  const reasons = lost.map(({ path }) => ({ path, keyword: "strict" }));
  return { ...loose, dropped: [...dropped, ...reasons], strict: false };
}

/**
 * Keywords that allow keys not named in the schema. A strict provider would stop the model from sending any such key.
 */
const openKeys: ReadonlySet<string> = new Set(["additionalProperties", "patternProperties"]);

interface LoweredOutput {
  readonly schema: ObjectSchema | undefined;
  readonly dropped: readonly { readonly path: string; readonly keyword: string }[];
}

const noOutput: LoweredOutput = { schema: undefined, dropped: [] };

/** Output schema for clients: the protocol allows only an object at the root and validates every result against it. */
function loweredOutput({ outputSchema }: ToolListing): LoweredOutput {
  if (outputSchema === undefined) return noOutput;
  if (outputSchema["type"] !== "object") {
    return { schema: undefined, dropped: [{ path: "/output", keyword: "outputSchema" }] };
  }
  const { schema, dropped } = downLevel(outputSchema, "mcp");
  return {
    schema,
    dropped: dropped.map(({ path, keyword }) => ({ path: `/output${path}`, keyword })),
  };
}
