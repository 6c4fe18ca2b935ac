import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { InputIssue, InputSchema } from "../../core/index.ts";
import type { Defaults } from "./defaults.ts";
import type { InputShape } from "./input-shape.ts";
import type { SchemaNode } from "./schema-node.ts";

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
