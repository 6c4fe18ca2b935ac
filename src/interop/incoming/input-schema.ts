import { isStandardSchema, ToolError, type InputSchema } from "../../core/index.ts";
import { isRecord, messageOf } from "../../text/index.ts";

/** Schema of a tool of another framework. */
export interface ForeignInput {
  readonly input: InputSchema;
  /** Applies the validation of the tool's own library to an input that fits the schema. */
  readonly refine: (input: unknown) => Promise<unknown>;
}

/**
 * Reads the schema of a tool of another framework: Standard Schema (Zod, Valibot, ArkType), JSON Schema, the AI SDK's
 * own wrapper, or a function that returns one of them. Throws a TypeError for anything else.
 */
export async function inputSchemaOf(tool: string, given: unknown): Promise<ForeignInput> {
  const schema: unknown = isFunction(given) && !isStandardSchema(given) ? given(undefined) : given;
  if (schema === undefined || schema === null) {
    return { input: { type: "object", properties: {} }, refine: same };
  }
  if (isStandardSchema(schema)) return { input: schema, refine: same };
  if (!isRecord(schema)) throw new TypeError(`The input schema of ${tool} is not a schema.`);
  if (!("jsonSchema" in schema)) return { input: schema, refine: same };
  const jsonSchema: unknown = await schema["jsonSchema"];
  if (!isRecord(jsonSchema)) throw new TypeError(`The input schema of ${tool} has no JSON Schema.`);
  const { validate } = schema;
  // The kit validates against the JSON Schema, whose errors name the path and can be repaired.
  const refine = isFunction(validate) ? refineBy(tool, validate) : same;
  return { input: jsonSchema, refine };
}

async function same(input: unknown): Promise<unknown> {
  return input;
}

function refineBy(
  tool: string,
  validate: (value: unknown) => unknown,
): (input: unknown) => Promise<unknown> {
  return async (input) => {
    const checked = await validate(input);
    if (isRecord(checked) && checked["success"] === true) return checked["value"];
    const error = isRecord(checked) ? checked["error"] : undefined;
    throw new ToolError("INVALID_INPUT", `${tool} refuses the input: ${messageOf(error)}`, {
      hint: "Change the input.",
    });
  };
}

function isFunction(value: unknown): value is (value: unknown) => unknown {
  return typeof value === "function";
}
