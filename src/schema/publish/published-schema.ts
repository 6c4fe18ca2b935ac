import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isStandardSchema, type InputSchema, type JsonSchema } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";

/** Like `toJsonSchema`, but synchronous if no converter has to be loaded, and undefined if there is no JSON Schema. */
export function publishedSchema(
  input: InputSchema,
): JsonSchema | undefined | Promise<JsonSchema | undefined> {
  const known = published.get(input);
  if (known !== undefined) return known;
  const made = makeSchema(input);
  if (made instanceof Promise) {
    return made.then((schema) => remember(input, schema));
  }
  return remember(input, made);
}

/** Whether an input is given as a validator with its published JSON Schema. */
export function isSchemaPair(
  input: InputSchema,
): input is { readonly schema: StandardSchemaV1; readonly jsonSchema: JsonSchema } {
  return "schema" in input && "jsonSchema" in input && isStandardSchema(input.schema);
}

const published = new WeakMap<object, JsonSchema>();

function remember(input: InputSchema, schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema !== undefined) published.set(input, schema);
  return schema;
}

function makeSchema(input: InputSchema): JsonSchema | undefined | Promise<JsonSchema | undefined> {
  if (isSchemaPair(input)) return input.jsonSchema;
  if (!isStandardSchema(input)) return asObjectSchema(input);
  const { vendor } = input["~standard"];
  const converter: unknown = Object.getOwnPropertyDescriptor(
    input["~standard"],
    "jsonSchema",
  )?.value;
  if (isConverter(converter)) {
    try {
      // Dates and similar types become "anything", so that one such field does not make the whole schema unavailable.
      const libraryOptions = vendor === "zod" ? { unrepresentable: "any" } : undefined;
      return tidy(
        converter.input({ target: "draft-2020-12", ...(libraryOptions && { libraryOptions }) }),
      );
    } catch {
      return undefined;
    }
  }
  return vendor === "valibot" ? fromValibot(input) : undefined;
}

interface Converter {
  input(options: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

function isConverter(value: unknown): value is Converter {
  return isRecord(value) && typeof value["input"] === "function";
}

/** Loads Valibot's converter on first use; only users of Valibot have it. */
async function fromValibot(input: StandardSchemaV1): Promise<JsonSchema | undefined> {
  const name = "@valibot/to-json-schema";
  const converter: unknown = await import(name).catch(() => undefined);
  if (!isValibotConverter(converter)) return undefined;
  return tidy(
    converter.toJsonSchema(input, {
      typeMode: "input",
      target: "draft-2020-12",
      errorMode: "ignore",
    }),
  );
}

function isValibotConverter(value: unknown): value is {
  toJsonSchema(schema: StandardSchemaV1, options: object): Record<string, unknown>;
} {
  return isRecord(value) && typeof value["toJsonSchema"] === "function";
}

/** Removes what only costs tokens: the dialect, and the limits of a double on every integer. */
function tidy(schema: Record<string, unknown>): JsonSchema {
  const { $schema: _dialect, ...rest } = schema;
  return asObjectSchema(withoutDoubleLimits(rest));
}

function withoutDoubleLimits(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isDoubleLimit(key, value))
      .map(([key, value]) => [key, tidyValue(key, value)]),
  );
}

function isDoubleLimit(key: string, value: unknown): boolean {
  const isLimit = (key === "minimum" || key === "maximum") && typeof value === "number";
  return isLimit && Math.abs(value) >= Number.MAX_SAFE_INTEGER;
}

function tidyValue(key: string, value: unknown): unknown {
  if (verbatim.has(key)) return value;
  if (Array.isArray(value)) {
    return value.map((item: unknown) => (isRecord(item) ? withoutDoubleLimits(item) : item));
  }
  return isRecord(value) ? withoutDoubleLimits(value) : value;
}

/** Keywords whose values are data, not schemas. */
const verbatim = new Set(["default", "const", "enum", "examples"]);

/** Adds `type: "object"` to a schema without a type: arguments are always an object. */
function asObjectSchema(schema: JsonSchema): JsonSchema {
  const isSaid = ["type", "$ref", "anyOf", "oneOf", "allOf"].some((key) => key in schema);
  return isSaid ? schema : { type: "object", ...schema };
}
