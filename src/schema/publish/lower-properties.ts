import type { JsonSchema } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { Lowering } from "./lowering.ts";
import { foldName } from "../coerce/key-names.ts";
import { pointer } from "../validate/schema-node.ts";

/** Adapts the names, the required list and the openness of an object schema to a dialect. */
export function lowerProperties(
  { dialect, dropped, renamed }: Lowering,
  schema: Readonly<Record<string, unknown>>,
  path: string,
): JsonSchema {
  const { propertyName, isAllRequired, isClosed } = dialect;
  const declared = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const properties: Record<string, unknown> = {};
  const names: string[] = [];
  for (const [key, property] of Object.entries(declared)) {
    const name = wireName(key, Object.keys(declared), propertyName);
    if (name === undefined) {
      dropped.push({ path: pointer(pointer(path, "properties"), key), keyword: "properties" });
      continue;
    }
    if (name !== key) renamed.push({ path: pointer(pointer(path, "properties"), key), name });
    const isRequired = required.has(key);
    properties[name] = isAllRequired && !isRequired ? orNull(property) : property;
    if (isAllRequired || isRequired) names.push(name);
  }
  const lowered: Record<string, unknown> = { ...schema };
  if (isRecord(schema["properties"]) || isClosed) lowered["properties"] = properties;
  if (schema["required"] !== undefined || isAllRequired) lowered["required"] = names;
  if (isClosed) {
    const { additionalProperties } = schema;
    const isMap = additionalProperties !== undefined && additionalProperties !== false;
    const isOpen = additionalProperties === undefined && Object.keys(declared).length === 0;
    if (isMap || (isOpen && path !== "")) dropped.push({ path, keyword: "additionalProperties" });
    lowered["additionalProperties"] = false;
  }
  return lowered;
}

/** Name that the dialect accepts and that validation maps back to the declared one; undefined if there is none. */
function wireName(
  key: string,
  keys: readonly string[],
  propertyName: RegExp | undefined,
): string | undefined {
  if (propertyName === undefined || propertyName.test(key)) return key;
  const name = key.replaceAll(/[^A-Za-z0-9_]/gu, "_");
  const folded = foldName(key);
  const isClear =
    folded !== "" &&
    foldName(name) === folded &&
    keys.every((other) => other === key || foldName(other) !== folded);
  return isClear && propertyName.test(name) ? name : undefined;
}

/** Allows null for an optional property, in a dialect that requires all properties: null means that it was omitted. */
function orNull(property: unknown): unknown {
  if (!isRecord(property)) return property;
  const { type, enum: choices } = property;
  if (type === undefined || property["const"] !== undefined) {
    return { anyOf: [property, { type: "null" }] };
  }
  const types: unknown[] = Array.isArray(type) ? type : [type];
  const isNullable = types.includes("null");
  return {
    ...property,
    type: isNullable ? type : [...types, "null"],
    ...(Array.isArray(choices) && !choices.includes(null) && { enum: [...choices, null] }),
  };
}
