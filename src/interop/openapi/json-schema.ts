import type { JsonSchema } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { target, type Members } from "./document.ts";

/** Collects JSON Schemas of one operation, with the definitions they share. */
export interface SchemaReader {
  /** Converts a schema of the document; references become definitions, so cycles are kept. */
  read(schema: unknown): JsonSchema;
  /** Definitions of everything read so far. */
  definitions(): JsonSchema;
}

/** Converts schemas of OpenAPI 3.0 and 3.1 to JSON Schema. */
export function schemaReader(document: Members): SchemaReader {
  const names = new Map<string, string>();
  const definitions: Record<string, JsonSchema> = {};

  function define(reference: string): string {
    const known = names.get(reference);
    if (known !== undefined) return known;
    const last = reference.split("/").at(-1) ?? "";
    const base = last.replaceAll(/[^\w.-]/gu, "_");
    const name = [...names.values()].includes(base) ? `${base}_${names.size}` : base;
    names.set(reference, name);
    definitions[name] = read(target(document, reference));
    return name;
  }

  function read(schema: unknown): JsonSchema {
    if (!isRecord(schema)) return {};
    const { $ref } = schema;
    if (typeof $ref === "string") return { $ref: `#/$defs/${define($ref)}` };
    const converted: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (dropped.has(keyword) || keyword.startsWith("x-")) continue;
      if (keyword === "format" && numeric.has(value)) continue;
      converted[keyword] = readMember(keyword, value);
    }
    return nullable(limits(withoutReadOnly(converted, schema)), schema["nullable"] === true);
  }

  function readMember(keyword: string, value: unknown): unknown {
    if (maps.has(keyword) && isRecord(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, read(each)]));
    }
    if (lists.has(keyword) && Array.isArray(value)) return value.map(read);
    return single.has(keyword) && isRecord(value) ? read(value) : value;
  }

  return { read, definitions: () => definitions };
}

/** Keywords of OpenAPI that mean nothing for an input. */
const dropped: ReadonlySet<unknown> = new Set([
  "nullable",
  "discriminator",
  "xml",
  "externalDocs",
  "example",
  "deprecated",
  "readOnly",
  "writeOnly",
]);
/** Formats that describe how a server stores a value. */
const numeric: ReadonlySet<unknown> = new Set([
  "int32",
  "int64",
  "float",
  "double",
  "byte",
  "binary",
  "password",
]);
const maps: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs"]);
const lists: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const single: ReadonlySet<string> = new Set(["items", "additionalProperties", "not", "contains"]);

/** Boolean limits of version 3.0 as the numbers of JSON Schema. */
function limits(schema: Record<string, unknown>): Record<string, unknown> {
  for (const [exclusive, inclusive] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof schema[exclusive] !== "boolean") continue;
    const isExclusive = schema[exclusive];
    delete schema[exclusive];
    if (!isExclusive || schema[inclusive] === undefined) continue;
    schema[exclusive] = schema[inclusive];
    delete schema[inclusive];
  }
  return schema;
}

function nullable(schema: Record<string, unknown>, isNullable: boolean): JsonSchema {
  if (!isNullable) return schema;
  const { type, enum: choices } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [type, "null"],
    ...(Array.isArray(choices) && !choices.includes(null) ? { enum: [...choices, null] } : {}),
  };
}

/** A property that only a server sends is not part of an input. */
function withoutReadOnly(
  converted: Record<string, unknown>,
  { properties, required }: Members,
): Record<string, unknown> {
  if (!isRecord(properties) || !isRecord(converted["properties"])) return converted;
  const sent = new Set(
    Object.entries(properties)
      .filter(([, each]) => isRecord(each) && each["readOnly"] === true)
      .map(([key]) => key),
  );
  if (sent.size === 0) return converted;
  const own = Object.entries(converted["properties"]).filter(([key]) => !sent.has(key));
  converted["properties"] = Object.fromEntries(own);
  if (Array.isArray(required)) {
    converted["required"] = required.filter((key) => !sent.has(String(key)));
  }
  return converted;
}
