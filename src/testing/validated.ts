import { ToolError, type Repair, type Tool } from "../core/index.ts";
import { compileInput, validateInput } from "../schema/index.ts";

export interface ValidatedInput {
  /** Input as the tool receives it: defaults filled in, aliases of its keys replaced. */
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

/** Validates the input as a kit does before it runs the tool; INVALID_INPUT if it does not fit. */
export async function validated(tool: Tool, input: unknown): Promise<ValidatedInput> {
  const result = await validateInput(compileInput(tool), input);
  if (result.ok) return { value: result.value, repairs: result.repairs };
  const { message, hint, issues } = result;
  throw new ToolError("INVALID_INPUT", message, { hint, data: { issues } });
}
