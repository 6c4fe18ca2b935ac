import type { ToolListing } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import type { McpToolkit } from "./mcp-toolkit.ts";
import type { ProtocolOptions } from "../protocol/server-context.ts";
import type { Era } from "../protocol/versions.ts";

type Described = Readonly<Record<string, unknown>>;

/**
 * Tools for `tools/list`: every tool the kit offers, sorted by name and the same from one request to the next. Requests
 * only definitions from the kit, so a tool whose listing is known is not loaded.
 */
export async function listTools(
  toolkit: McpToolkit,
  era: Era,
  { tools: selected, tasks }: Pick<ProtocolOptions, "tools" | "tasks"> = {},
): Promise<readonly Described[]> {
  const { tools } = await toolkit.definitions("mcp", { variants: true, all: true });
  const listings = new Map(toolkit.listings().map((listing) => [listing.name, listing]));
  return tools
    .filter(({ name }) => isSelected(String(name), selected))
    .map((definition) => {
      const name = String(definition["name"]);
      const support = hasExecution(era) ? tasks?.support({ name }) : undefined;
      const described = describe(definition, listings.get(name), era);
      return support === undefined
        ? described
        : { ...described, execution: { taskSupport: support } };
    })
    .toSorted((left, right) => (String(left["name"]) < String(right["name"]) ? -1 : 1));
}

/** Whether a tool is among those that a server offers. */
export function isSelected(name: string, selected: readonly string[] | undefined): boolean {
  return selected === undefined || selected.some((pattern) => matches(name, pattern.split("*")));
}

/** Whether a name consists of the parts in order, with anything between them. */
function matches(name: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.slice(first.length).endsWith(last)) return false;
  let left = name.slice(first.length, name.length - last.length);
  for (const part of rest) {
    const at = left.indexOf(part);
    if (at === -1) return false;
    left = left.slice(at + part.length);
  }
  return true;
}

function describe(definition: Described, listing: ToolListing | undefined, era: Era): Described {
  const { name, description } = definition;
  const outputSchema = listing?.outputSchema;
  return {
    name,
    ...(listing === undefined ? {} : { title: listing.displayName }),
    description,
    inputSchema: objectSchema(definition["inputSchema"]),
    ...(isPublishable(outputSchema, era) ? { outputSchema } : {}),
    ...(listing === undefined ? {} : { annotations: annotations(listing) }),
    ...(isIconAddress(listing?.icon) ? { icons: [{ src: listing?.icon }] } : {}),
  };
}

function annotations({ displayName, flags }: ToolListing): Described {
  return {
    title: displayName,
    readOnlyHint: flags.readOnly,
    destructiveHint: flags.destructive,
    idempotentHint: flags.idempotent,
    openWorldHint: flags.openWorld,
  };
}

/** Every revision requires an object at the root, even for a tool without parameters. */
function objectSchema(schema: unknown): Described {
  if (!isRecord(schema)) return { type: "object" };
  return schema["type"] === "object" ? schema : { type: "object", ...schema };
}

/** Whether a client of this era can validate results against the schema; the legacy era accepts only objects. */
export function isPublishable(schema: unknown, era: Era): boolean {
  if (!isRecord(schema)) return false;
  if (era.kind === "modern") return true;
  return carriesStructure(era) && schema["type"] === "object";
}

/** Whether a tool of the revision says that its calls may be tasks; in later ones the server decides. */
function hasExecution(era: Era): boolean {
  return era.kind === "legacy" && era.version >= "2025-11-25";
}

/** Whether the revision has structured results, which were added in 2025-06-18. */
export function carriesStructure(era: Era): boolean {
  return era.kind === "modern" || era.version >= "2025-06-18";
}

function isIconAddress(icon: string | undefined): boolean {
  return icon !== undefined && /^(?:https:|data:image\/)/u.test(icon);
}
