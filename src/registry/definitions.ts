import type { DefinitionFormat, Definitions, JsonSchema, ToolListing } from "../core/index.ts";
import { downLevel, type NameMap } from "../schema/index.ts";
import { frozenJson } from "./frozen.ts";
import { byName } from "./name-index.ts";
import { listingUnlessUnavailable, type RegisteredTool } from "./registered-tool.ts";

/**
 * Builds tool definitions in a provider's format: Chat Completions for `openai`, Messages for `anthropic`, function
 * declarations for `gemini`, `tools/list` for `mcp`. Sorted by name, frozen, and byte for byte the same for the same
 * tools, whatever the order of registration. A lazy tool that fails to load is omitted and listed in `dropped` with the
 * keyword `unavailable`.
 */
export async function definitionsOf(
  tools: readonly RegisteredTool[],
  target: { readonly format: DefinitionFormat; readonly names: NameMap },
): Promise<Definitions> {
  const sorted = tools.toSorted(byName);
  const parts = await Promise.all(
    sorted.map(async (tool): Promise<Part> => {
      const listing = await listingUnlessUnavailable(tool);
      if (listing === undefined) return { dropped: [drop(tool.name, "", "unavailable")] };
      const name = target.names.theirs.get(tool.name) ?? tool.name;
      return partOf(listing, { format: target.format, name });
    }),
  );
  return Object.freeze({
    tools: Object.freeze(parts.flatMap((part) => (part.tool === undefined ? [] : [part.tool]))),
    dropped: Object.freeze(parts.flatMap((part) => part.dropped)),
  });
}

type Dropped = Definitions["dropped"][number];

interface Part {
  readonly tool?: Definitions["tools"][number];
  readonly dropped: readonly Dropped[];
}

function partOf(
  listing: ToolListing,
  target: { readonly format: DefinitionFormat; readonly name: string },
): Part {
  const { format, name } = target;
  const { strict, ...input } = loweredInput(listing, format);
  const dropped = input.dropped.map(({ path, keyword }) => drop(listing.name, path, keyword));
  const { description } = listing;
  switch (format) {
    case "openai": {
      const parameters = input.schema;
      return {
        tool: frozenJson({
          type: "function",
          function: { name, description, parameters, ...(strict ? { strict } : {}) },
        }),
        dropped,
      };
    }
    case "anthropic": {
      const tool = { name, description, input_schema: input.schema, ...(strict ? { strict } : {}) };
      return { tool: frozenJson(tool), dropped };
    }
    case "gemini":
      return {
        tool: frozenJson({ name, description, parametersJsonSchema: input.schema }),
        dropped,
      };
    case "mcp":
      return mcpPart({ listing, name, inputSchema: input.schema, dropped });
  }
}

/**
 * Lowers the input schema for a provider. Strict only if the tool asked for it and strict mode would not forbid a key
 * that a call may contain.
 */
function loweredInput(
  { inputSchema, strict: isWanted }: ToolListing,
  format: DefinitionFormat,
): ReturnType<typeof downLevel> & { readonly strict: boolean } {
  const canBeStrict = format === "openai" || format === "anthropic";
  if (!isWanted || !canBeStrict) return { ...downLevel(inputSchema, format), strict: false };
  const lowered = downLevel(inputSchema, format, { strict: true });
  const lost = lowered.dropped.filter(({ keyword }) => openKeys.has(keyword));
  if (lost.length === 0) return { ...lowered, strict: true };
  const { schema, dropped } = downLevel(inputSchema, format);
  const reasons = lost.map(({ path }) => ({ path, keyword: "strict" }));
  return { schema, dropped: [...dropped, ...reasons], strict: false };
}

/**
 * Keywords that allow keys not named in the schema. A strict provider would stop the model from sending any such key.
 */
const openKeys: ReadonlySet<string> = new Set(["additionalProperties", "patternProperties"]);

function mcpPart(from: {
  readonly listing: ToolListing;
  readonly name: string;
  readonly inputSchema: JsonSchema;
  readonly dropped: readonly Dropped[];
}): Part {
  const { listing, name, inputSchema } = from;
  const dropped = [...from.dropped];
  const { flags, icon } = listing;
  let outputSchema: JsonSchema | undefined;
  // The protocol allows only an object at the root and validates every result against it.
  if (listing.outputSchema?.["type"] === "object") {
    const output = downLevel(listing.outputSchema, "mcp");
    outputSchema = output.schema;
    for (const { path, keyword } of output.dropped) {
      dropped.push(drop(listing.name, `/output${path}`, keyword));
    }
  } else if (listing.outputSchema !== undefined) {
    dropped.push(drop(listing.name, "/output", "outputSchema"));
  }
  const hasIcon = icon !== undefined && /^(?:https?:|data:)/u.test(icon);
  return {
    tool: frozenJson({
      name,
      title: listing.displayName,
      description: listing.description,
      inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      annotations: {
        title: listing.displayName,
        readOnlyHint: flags.readOnly,
        destructiveHint: flags.destructive,
        idempotentHint: flags.idempotent,
        openWorldHint: flags.openWorld,
      },
      ...(hasIcon ? { icons: [{ src: icon }] } : {}),
    }),
    dropped,
  };
}

function drop(tool: string, path: string, keyword: string): Dropped {
  return { tool, path, keyword };
}
