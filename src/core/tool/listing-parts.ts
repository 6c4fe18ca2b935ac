import type { JsonSchema } from "./json.ts";
import { deriveFlags } from "./flags.ts";
import type { ToolListing, ToolParameter, ToolTraits } from "./tool.ts";

type Parts = Pick<ToolListing, "enabled" | "autoExecute" | "kind">;

/** The parts of a listing that interfaces show, derived from a tool's traits. */
export function listingParts(traits: ToolTraits): Parts {
  return {
    enabled: traits.enabled ?? true,
    autoExecute: traits.autoExecute ?? false,
    kind: kindOf(traits),
  };
}

function kindOf({ touches, flags }: ToolTraits): ToolListing["kind"] {
  if (deriveFlags(touches, flags).readOnly) return "readonly";
  const onlyWrites = touches.every((kind) => ["read", "write", "interact"].includes(kind));
  return onlyWrites ? "write" : "execute";
}

/** The parameters at the top of a schema; one that is composed has those of none of its parts. */
function parametersOf({ properties, required }: JsonSchema): readonly ToolParameter[] {
  if (!isSchema(properties)) return [];
  const names: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, given]) => {
    const schema = isSchema(given) ? given : {};
    const { type, description, enum: choices } = schema;
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    return {
      name,
      type: types.every((each) => typeof each === "string") ? types.join(" | ") : "any",
      description: typeof description === "string" ? description : "",
      required: names.has(name),
      ...(Array.isArray(choices) ? { enum: choices } : {}),
    };
  });
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const derivedParameters = {
  enumerable: true,
  get(this: Pick<ToolListing, "inputSchema">): readonly ToolParameter[] {
    return parametersOf(this.inputSchema);
  },
};

/**
 * Adds the parameters, derived when they are read: most callers need none. All listings have the same getter, because
 * objects with getters of their own share no shape and take several times the memory.
 */
export function withParameters<T extends Pick<ToolListing, "inputSchema">>(
  listing: T,
): T & Pick<ToolListing, "parameters">;
export function withParameters(listing: object): object {
  return Object.defineProperty(listing, "parameters", derivedParameters);
}
