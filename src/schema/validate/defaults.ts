import { accepts } from "./check-schema.ts";
import { isRecord } from "../../text/index.ts";
import { below, propertiesOf, requiredOf, type SchemaNode } from "./schema-node.ts";

/** Keys and values to fill in if an input omits them. */
export type Defaults = readonly (readonly [string, unknown])[];

/**
 * Collects the defaults of an input's optional properties; undefined if there are none. A default that its own schema
 * refuses is documentation and is not filled in, and an object inside an input is left as sent.
 */
export function defaultsOf(node: SchemaNode): Defaults | undefined {
  const required = new Set(requiredOf(node));
  const values = Object.entries(propertiesOf(node)).flatMap(([key, schema]) => {
    const property = below(node, schema);
    const { default: value } = property.schema;
    const isUsable = value !== undefined && !required.has(key) && accepts(property, value);
    return isUsable ? [[key, value] as const] : [];
  });
  return values.length === 0 ? undefined : values;
}

/** Fills in defaults; returns the same value if none is missing. Does not modify its argument. */
export function fillDefaults(defaults: Defaults, value: unknown): unknown {
  if (!isRecord(value)) return value;
  let filled = value;
  for (const [key, fallback] of defaults) {
    if (Object.hasOwn(value, key)) continue;
    if (filled === value) filled = { ...value };
    const isContainer = typeof fallback === "object" && fallback !== null;
    filled[key] = isContainer ? structuredClone(fallback) : fallback;
  }
  return filled;
}
