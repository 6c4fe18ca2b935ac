import { ToolError, type InputSchema, type JsonSchema } from "../../core/index.ts";

/**
 * JSON Schema (draft 2020-12) of an input schema; the same object for each call. Fails with UNAVAILABLE and a hint if
 * the schema's library cannot produce one. What derives it is loaded on first use.
 */
export async function toJsonSchema(input: InputSchema): Promise<JsonSchema> {
  const { publishedSchema } = await import("./published-schema.ts");
  const schema = await publishedSchema(input);
  if (schema === undefined) {
    throw new ToolError("UNAVAILABLE", "This input schema has no JSON Schema.", {
      hint: "Pass {schema, jsonSchema}, or for Valibot install @valibot/to-json-schema.",
    });
  }
  return schema;
}
