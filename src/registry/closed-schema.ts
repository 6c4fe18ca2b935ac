import type { JsonSchema } from "../core/index.ts";

/**
 * Whether a provider's strict mode takes this schema: every object in it names all its keys, and, where
 * `allRequired`, requires them.
 */
export function isClosedSchema(
  schema: JsonSchema,
  options: { readonly allRequired: boolean },
): boolean {
  return isClosed(schema, options.allRequired);
}

function isClosed(node: unknown, allRequired: boolean): boolean {
  if (Array.isArray(node)) return node.every((item) => isClosed(item, allRequired));
  if (typeof node !== "object" || node === null) return true;
  const keywords = new Map<string, unknown>(Object.entries(node));
  if (keywords.get("type") === "object" || keywords.has("properties")) {
    if (keywords.get("additionalProperties") !== false) return false;
    const required = keywords.get("required");
    const names = Object.keys(keywords.get("properties") ?? {});
    if (allRequired && !names.every((name) => Array.isArray(required) && required.includes(name))) {
      return false;
    }
  }
  return [...keywords].every(([keyword, value]) => {
    if (dataKeywords.has(keyword)) return true;
    if (!schemaMaps.has(keyword)) return isClosed(value, allRequired);
    return Object.values(value ?? {}).every((item) => isClosed(item, allRequired));
  });
}

/** Their values are data that may look like a schema. */
const dataKeywords: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** Their values map names, which may look like keywords, to schemas. */
const schemaMaps: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
