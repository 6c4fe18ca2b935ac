import { isStandardSchema, type InputSchema, type JsonSchema } from "../../core/index.ts";
import type { Check, CompiledInput, PreparedInput } from "./compile-input.ts";
import { defaultsOf } from "./defaults.ts";
import { inputShape } from "./input-shape.ts";
import { jsonSchemaValidator } from "./json-schema-validator.ts";
import { nodeAt } from "./schema-node.ts";
import { isSchemaPair, publishedSchema } from "../publish/published-schema.ts";

/** Creates the parts of an input; returns a promise only if a converter has to be loaded first. */
export function prepare(compiled: CompiledInput): PreparedInput | Promise<PreparedInput> {
  const published = publishedSchema(compiled.source.input);
  if (!(published instanceof Promise)) return keep(compiled, published);
  return published.then((schema) => keep(compiled, schema));
}

function keep(compiled: CompiledInput, published: JsonSchema | undefined): PreparedInput {
  const { input, inputAliases = {}, freeText = [] } = compiled.source;
  const node = published === undefined ? undefined : nodeAt(published, published);
  const isPlain = !isSchemaPair(input) && !isStandardSchema(input);
  const prepared: PreparedInput = {
    check: checkOf(input),
    node,
    shape: node === undefined ? undefined : inputShape(node),
    defaults: node === undefined || !isPlain ? undefined : defaultsOf(node),
    aliases: new Map(Object.entries(inputAliases)),
    freeText: new Set(freeText),
  };
  compiled.prepared = prepared;
  return prepared;
}

function checkOf(input: InputSchema): Check {
  const schema = isSchemaPair(input) ? input.schema : input;
  if (!isStandardSchema(schema)) return jsonSchemaValidator(schema);
  const standard = schema["~standard"];
  return (value) => standard.validate(value);
}
