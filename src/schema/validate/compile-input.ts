import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  isStandardSchema,
  type InputIssue,
  type InputSchema,
  type JsonSchema,
} from "../../core/index.ts";
import { defaultsOf, type Defaults } from "./defaults.ts";
import { inputShape, type InputShape } from "./input-shape.ts";
import { jsonSchemaValidator } from "./json-schema-validator.ts";
import { nodeAt, type SchemaNode } from "./schema-node.ts";
import { isSchemaPair, publishedSchema } from "../publish/to-json-schema.ts";

/** Parts of a tool that determine how its input is read. */
export interface InputSource {
  readonly name: string;
  readonly input: InputSchema;
  readonly inputAliases?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly freeText?: readonly string[] | undefined;
  readonly formatIssues?: ((issues: readonly InputIssue[]) => string) | undefined;
}

/** Input schema prepared to validate calls. Its parts are created on the first call. */
export interface CompiledInput {
  readonly name: string;
  readonly source: InputSource;
  /** Created by `prepare`; undefined before the first call. */
  prepared: PreparedInput | undefined;
}

export interface PreparedInput {
  readonly check: Check;
  /** Undefined if no JSON Schema can be derived: such an input is validated, but not repaired. */
  readonly node: SchemaNode | undefined;
  readonly shape: InputShape | undefined;
  readonly defaults: Defaults | undefined;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly freeText: ReadonlySet<string>;
}

export type Check = (
  value: unknown,
) => StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>;

/** Registers a tool's schema. Nothing is loaded or compiled before the first call. */
export function compileInput(source: InputSource): CompiledInput {
  const { input } = source;
  if ((typeof input !== "object" || input === null) && typeof input !== "function") {
    throw new TypeError(`Tool ${source.name}: input must be a schema.`);
  }
  return { name: source.name, source, prepared: undefined };
}

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
