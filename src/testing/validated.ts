import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolError, type InputSchema, type Tool } from "../core/index.ts";

/** The input as the tool will see it, defaults filled in; INVALID_INPUT where it does not fit the schema. */
export async function validated(tool: Tool, input: unknown): Promise<unknown> {
  const schema = validatorOf(tool.input);
  if (schema === undefined) return input;
  const result = await schema["~standard"].validate(input);
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map(({ message, path = [] }) => {
    const pointer = path.map((part) => `/${String(typeof part === "object" ? part.key : part)}`);
    return { path: pointer.join(""), message };
  });
  const all = issues.map((issue) => `${issue.path || "the input"}: ${issue.message}`).join("; ");
  throw new ToolError("INVALID_INPUT", `The input of ${tool.name} does not fit: ${all}.`, {
    hint: "Compare it with the tool's schema.",
    data: { issues },
  });
}

/** Undefined for plain JSON Schema, which has no validator of its own. */
function validatorOf(input: InputSchema): StandardSchemaV1 | undefined {
  if (isStandardSchema(input)) return input;
  return "schema" in input && isStandardSchema(input.schema) ? input.schema : undefined;
}

function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  const isHolder = (typeof value === "object" && value !== null) || typeof value === "function";
  return isHolder && "~standard" in value;
}
