import type { DefinitionFormat, Definitions, JsonSchema, ToolListing } from "../core/index.ts";
import { downLevel } from "../schema/index.ts";
import { isClosedSchema } from "./closed-schema.ts";
import { frozenJson } from "./frozen.ts";
import { byName } from "./name-index.ts";
import { listingUnlessUnavailable, type RegisteredTool } from "./registered-tool.ts";
import { wireName } from "./wire-name.ts";

/**
 * The tools in a provider's own shape: Chat Completions for `openai`, Messages for `anthropic`, function
 * declarations for `gemini`, `tools/list` for `mcp`. Sorted by name, frozen, and the same bytes for the same
 * tools however they were registered. A lazy tool that cannot be loaded now is left out and named in `dropped`
 * with the keyword `unavailable`.
 */
export async function definitionsOf(
  tools: readonly RegisteredTool[],
  format: DefinitionFormat,
): Promise<Definitions> {
  const sorted = tools.toSorted(byName);
  const names = new Set(sorted.map((tool) => tool.name));
  const parts = await Promise.all(
    sorted.map(async (tool): Promise<Part> => {
      const listing = await listingUnlessUnavailable(tool);
      if (listing === undefined) return { dropped: [drop(tool.name, "", "unavailable")] };
      return partOf(listing, {
        format,
        name: wireName(tool.name, format, (name) => names.has(name)),
      });
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
  const input = downLevel(listing.inputSchema, format);
  const dropped = input.dropped.map(({ path, keyword }) => drop(listing.name, path, keyword));
  const { description } = listing;
  switch (format) {
    case "openai": {
      const strict = listing.strict && isClosedSchema(input.schema, { allRequired: true });
      if (listing.strict && !strict) dropped.push(drop(listing.name, "", "strict"));
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
      const strict = listing.strict && isClosedSchema(input.schema, { allRequired: false });
      if (listing.strict && !strict) dropped.push(drop(listing.name, "", "strict"));
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
  if (listing.outputSchema !== undefined) {
    const output = downLevel(listing.outputSchema, "mcp");
    dropped.push(
      ...output.dropped.map(({ path, keyword }) => drop(listing.name, `/output${path}`, keyword)),
    );
    // The protocol allows an object at the root only, and holds every result to it.
    if (output.schema["type"] === "object") outputSchema = output.schema;
    else dropped.push(drop(listing.name, "/output", "outputSchema"));
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
