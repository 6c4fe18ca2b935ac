import { accepts } from "./check-schema.ts";
import { isRecord } from "./deep-equal.ts";
import { below, propertiesOf, requiredOf, type SchemaNode } from "./schema-node.ts";

/** What to fill in where an input leaves it out. */
export type Defaults = readonly (readonly [string, unknown])[];

/**
 * Collects the defaults of an input's optional properties; undefined where there are none. A default that its
 * own schema refuses is documentation and is not filled in, and an object inside an input stays as it was sent.
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

/** The value with its defaults; the very same value where none is missing. The given value is not changed. */
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
