import type { DefinitionFormat, JsonSchema, ObjectSchema } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { dialectOf, type Dialect } from "./dialects.ts";
import { lowerProperties } from "./lower-properties.ts";
import type { DroppedKeyword, Lowering, RenamedProperty } from "./lowering.ts";
import { branchesOf, nodeAt, pointer, propertiesOf, requiredOf } from "../validate/schema-node.ts";

export interface DownLevelled {
  readonly schema: ObjectSchema;
  readonly dropped: readonly DroppedKeyword[];
  readonly renamed: readonly RenamedProperty[];
}

/**
 * Converts an input schema to a provider's dialect, byte for byte the same for the same schema, and lists what was
 * lost. A lost constraint stays in the description. Validation still enforces the original schema, even where the
 * dialect opens or closes an object.
 */
export function downLevel(
  schema: JsonSchema,
  format: DefinitionFormat,
  options: { readonly strict?: boolean | undefined } = {},
): DownLevelled {
  const dropped: DroppedKeyword[] = [];
  const dialect = dialectOf(format, options.strict === true);
  const renamed: RenamedProperty[] = [];
  const lowering: Lowering = { root: schema, dialect, dropped, renamed };
  const { type: _type, ...rest } = lower(lowering, objectRoot(lowering), "");
  return { schema: { type: "object", ...rest }, dropped, renamed };
}

/** Converts one schema of the document, with everything below it, to the dialect. */
export function lower(lowering: Lowering, schema: unknown, path: string): JsonSchema {
  if (!isRecord(schema)) return {};
  const { dialect, dropped, root } = lowering;
  const { keywords } = dialect;
  const drop = (keyword: string): void => void dropped.push({ path, keyword });
  if (typeof schema["$ref"] === "string" && !dialect.hasReferenceSiblings) {
    const { $ref, $defs, definitions, ...siblings } = schema;
    for (const keyword of Object.keys(siblings)) if (!silent.has(keyword)) drop(keyword);
    const reference = $ref.replace(/^#\/definitions\//u, "#/$defs/");
    return lowerMembers(
      lowering,
      withDefinitions({ $ref: reference }, { $defs, definitions }),
      path,
    );
  }
  const isFolded = keywords !== undefined && Array.isArray(schema["allOf"]);
  const source = rewrite(dialect, isFolded ? nodeAt(root, schema).schema : schema, drop);
  const kept: Record<string, unknown> = {};
  const lost: string[] = [];
  for (const [keyword, value] of Object.entries(source)) {
    if (carries(dialect, keyword, value)) kept[keyword] = value;
    else if (!silent.has(keyword)) {
      drop(keyword);
      if (telling.has(keyword)) lost.push(`${keyword}: ${JSON.stringify(value)}`);
    }
  }
  if (lost.length > 0) {
    const before = typeof kept["description"] === "string" ? `${kept["description"]} ` : "";
    kept["description"] = `${before}(${lost.join(", ")})`;
  }
  return lowerMembers(lowering, kept, path);
}

/** Moves definitions under `definitions` to `$defs`, in dialects that do not know the older name. */
function withDefinitions(schema: JsonSchema, { $defs, definitions }: JsonSchema): JsonSchema {
  const all = { ...(isRecord(definitions) && definitions), ...(isRecord($defs) && $defs) };
  return Object.keys(all).length === 0 ? schema : { ...schema, $defs: all };
}

/** Keywords without meaning for a call; dropping them loses nothing. */
const silent = new Set(["$schema", "$comment", "$id"]);
/** Keywords whose values help a model also as text. */
const telling = new Set([
  "default",
  "pattern",
  "format",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "examples",
]);
const rootOnly = new Set(["anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"]);

/** Converts the top level to one object schema, for dialects that accept no union there. */
function objectRoot({ root, dialect, dropped }: Lowering): JsonSchema {
  if (dialect.hasRootUnions) return root;
  const node = nodeAt(root, root);
  const { schema } = node;
  const branches = branchesOf(node);
  const flat: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!rootOnly.has(keyword)) flat[keyword] = value;
    else dropped.push({ path: "", keyword });
  }
  if (branches.length === 0) return flat;
  const properties = branches.reduceRight(
    (all, branch) => ({ ...all, ...propertiesOf(branch) }),
    {},
  );
  const shared = branches
    .map(requiredOf)
    .reduce((left, right) => left.filter((key) => right.includes(key)));
  return { ...flat, properties, required: shared };
}

/** Expresses a schema in keywords that the dialect accepts. */
function rewrite(
  dialect: Dialect,
  schema: JsonSchema,
  drop: (keyword: string) => void,
): JsonSchema {
  const { keywords } = dialect;
  if (keywords === undefined) return schema;
  const { const: only, oneOf, exclusiveMinimum, exclusiveMaximum, prefixItems, ...others } = schema;
  const { definitions, $defs, ...rest } = others;
  const source: Record<string, unknown> = { ...withDefinitions(rest, { $defs, definitions }) };
  if (only !== undefined) {
    if (keywords.has("const")) source["const"] = only;
    else source["enum"] = [only];
  }
  if (oneOf !== undefined) {
    const keyword = keywords.has("oneOf") || source["anyOf"] !== undefined ? "oneOf" : "anyOf";
    source[keyword] = oneOf;
    if (keyword === "anyOf") drop("oneOf");
  }
  const isWhole = schema["type"] === "integer";
  for (const [keyword, limit, step] of [
    ["exclusiveMinimum", exclusiveMinimum, 1],
    ["exclusiveMaximum", exclusiveMaximum, -1],
  ] as const) {
    if (limit === undefined) continue;
    const inclusive = step === 1 ? "minimum" : "maximum";
    const isShifted = !keywords.has(keyword) && isWhole && typeof limit === "number";
    if (isShifted && source[inclusive] === undefined) source[inclusive] = Math.floor(limit) + step;
    else source[keyword] = limit;
  }
  if (prefixItems !== undefined) {
    if (keywords.has("prefixItems")) source["prefixItems"] = prefixItems;
    else {
      drop("prefixItems");
      source["items"] = { anyOf: prefixItems };
    }
  }
  return source;
}

function carries(
  { keywords, formats, patternLimit }: Dialect,
  keyword: string,
  value: unknown,
): boolean {
  if (keyword === "format" && typeof value === "string" && formats?.has(value) === false)
    return false;
  if (keyword === "pattern" && typeof value === "string" && patternLimit?.test(value) === true)
    return false;
  return keywords === undefined || keywords.has(keyword);
}

function lowerMembers(lowering: Lowering, schema: JsonSchema, path: string): JsonSchema {
  const lowered: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    lowered[keyword] = lowerMember(lowering, { keyword, value }, pointer(path, keyword));
  }
  const isObject = lowered["type"] === "object" || isRecord(schema["properties"]);
  return isObject ? lowerProperties(lowering, lowered, path) : lowered;
}

function lowerMember(
  lowering: Lowering,
  { keyword, value }: { keyword: string; value: unknown },
  path: string,
): unknown {
  switch (keyword) {
    case "properties":
    case "patternProperties":
    case "$defs":
    case "definitions":
    case "dependentSchemas":
      return isRecord(value)
        ? Object.fromEntries(
            Object.entries(value).map(([key, schema]) => [
              key,
              isRecord(schema) ? lower(lowering, schema, pointer(path, key)) : schema,
            ]),
          )
        : value;
    case "items":
    case "prefixItems":
    case "anyOf":
    case "oneOf":
    case "allOf":
      if (Array.isArray(value)) {
        return value.map((schema, index) => lower(lowering, schema, pointer(path, index)));
      }
      return isRecord(value) ? lower(lowering, value, path) : value;
    case "additionalProperties":
    case "propertyNames":
    case "contains":
    case "not":
      return isRecord(value) ? lower(lowering, value, path) : value;
    default:
      return value;
  }
}
