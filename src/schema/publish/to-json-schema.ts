import { ToolError, type InputSchema, type JsonSchema } from "../../core/index.ts";
import type { publishedSchema } from "./published-schema.ts";

let publish: typeof publishedSchema | undefined;

/**
 * JSON Schema (draft 2020-12) of an input schema; the same object for each call. Fails with UNAVAILABLE and a hint if
 * the schema's library cannot produce one. What derives it is loaded on first use; from then on, the schema is returned
 * at once unless it needs a converter that has to be loaded too.
 */
export function toJsonSchema(input: InputSchema): JsonSchema | Promise<JsonSchema> {
  if (publish === undefined) return loaded().then(() => toJsonSchema(input));
  const schema = publish(input);
  if (schema instanceof Promise) return schema.then((made) => made ?? Promise.reject(noSchema()));
  return schema ?? Promise.reject(noSchema());
}

async function loaded(): Promise<void> {
  publish = (await import("./published-schema.ts")).publishedSchema;
}

function noSchema(): ToolError {
  return new ToolError("UNAVAILABLE", "This input schema has no JSON Schema.", {
    hint: "Pass {schema, jsonSchema}, or for Valibot install @valibot/to-json-schema.",
  });
}
