import type { JsonSchema } from "../../core/index.ts";
import { deepEqual, isRecord } from "../../text/index.ts";

export type JsonType = "null" | "boolean" | "number" | "integer" | "string" | "array" | "object";

/** A subschema with the document into which its references point. */
export interface SchemaNode {
  readonly root: JsonSchema;
  readonly schema: JsonSchema;
}

/**
 * Creates a node with references followed and `allOf` merged, as far as possible: what is omitted makes it wider, never
 * narrower.
 */
export function nodeAt(root: JsonSchema, schema: unknown): SchemaNode {
  return { root, schema: flatten(root, schema, 0) };
}

/** Node of a subschema in the same document. */
export function below(node: SchemaNode, schema: unknown): SchemaNode {
  return nodeAt(node.root, schema);
}

/** Subschema of each declared property. */
export function propertiesOf(node: SchemaNode): Readonly<Record<string, unknown>> {
  const { properties } = node.schema;
  return isRecord(properties) ? properties : {};
}

export function requiredOf(node: SchemaNode): readonly string[] {
  const { required } = node.schema;
  return Array.isArray(required) ? required.filter((key) => typeof key === "string") : [];
}

/** Schema of the item at `index`, or undefined if any item is valid. */
export function itemOf(node: SchemaNode, index: number): unknown {
  const { prefixItems, items } = node.schema;
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  if (index < tuple.length) return tuple[index];
  return Array.isArray(items) ? node.schema["additionalItems"] : items;
}

/** Alternatives of `anyOf` and `oneOf`; [] if the node has none. */
export function branchesOf(node: SchemaNode): readonly SchemaNode[] {
  const alternatives = [node.schema["anyOf"], node.schema["oneOf"]].find(Array.isArray) ?? [];
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = node.schema;
  return alternatives.map((branch: unknown) => below(node, { allOf: [rest, branch] }));
}

/** Values that a node allows by `enum` or `const`, or undefined if it does not list them. */
export function choicesOf(node: SchemaNode): readonly unknown[] | undefined {
  if ("const" in node.schema) return [node.schema["const"]];
  const { enum: choices } = node.schema;
  return Array.isArray(choices) ? choices : undefined;
}

/** Types that a node allows, or undefined if it does not restrict them. */
export function typesOf(node: SchemaNode): readonly JsonType[] | undefined {
  const { type, nullable } = node.schema;
  const named = (Array.isArray(type) ? type : [type]).filter(isJsonType);
  if (named.length > 0) return nullable === true ? [...named, "null"] : named;
  const choices = choicesOf(node);
  return choices === undefined ? undefined : [...new Set(choices.map(typeOf))];
}

/** JSON type of a value; a whole number is an "integer". */
export function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return "object";
}

/** Whether a value is of one of these types. */
export function isOfType(value: unknown, types: readonly JsonType[]): boolean {
  const type = typeOf(value);
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

/** Whether undeclared keys are content: in a map, or in an object that allows additional keys. */
export function takesAnyKey(node: SchemaNode): boolean {
  const { additionalProperties, patternProperties, properties } = node.schema;
  if (isRecord(patternProperties)) return true;
  if (additionalProperties === undefined) return !isRecord(properties);
  return additionalProperties !== false;
}

/** Appends a key to a JSON pointer. */
export function pointer(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

const maxReferences = 32;
const typeNames: ReadonlySet<unknown> = new Set<JsonType>([
  "null",
  "boolean",
  "number",
  "integer",
  "string",
  "array",
  "object",
]);

function isJsonType(name: unknown): name is JsonType {
  return typeNames.has(name);
}

function flatten(root: JsonSchema, schema: unknown, depth: number): JsonSchema {
  if (schema === false) return { not: {} };
  if (!isRecord(schema) || depth > maxReferences) return {};
  const { $ref, allOf, ...rest } = schema;
  const parts: unknown[] = [];
  if (typeof $ref === "string") parts.push(lookUp(root, $ref));
  if (Array.isArray(allOf)) parts.push(...allOf);
  if (parts.length === 0) return schema;
  return parts.map((part) => flatten(root, part, depth + 1)).reduce(merge, rest);
}

function lookUp(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith("#")) return {};
  let found: unknown = root;
  for (const part of decodeURIComponent(reference.slice(1)).split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found =
      typeof found === "object" && found !== null
        ? Object.getOwnPropertyDescriptor(found, key)?.value
        : undefined;
  }
  return found;
}

function merge(left: JsonSchema, right: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...right, ...left };
  const properties = [left["properties"], right["properties"]].filter(isRecord);
  const [first, second] = properties;
  if (first !== undefined && second !== undefined) {
    const both: Record<string, unknown> = { ...second, ...first };
    for (const key of Object.keys(first)) {
      if (key in second && !deepEqual(first[key], second[key])) {
        both[key] = { allOf: [first[key], second[key]] };
      }
    }
    merged["properties"] = both;
  }
  const required = [left["required"], right["required"]].filter(Array.isArray).flat();
  if (required.length > 0) merged["required"] = [...new Set(required)];
  const types = [left["type"], right["type"]];
  if (types.every((type) => type !== undefined)) {
    const [ours, theirs] = types.map((type) => (Array.isArray(type) ? type : [type]));
    const shared = ours?.filter((type) => theirs?.includes(type)) ?? [];
    if (shared.length > 0) merged["type"] = shared;
  }
  return merged;
}
