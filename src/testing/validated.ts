import { ToolError, type Repair, type Tool } from "../core/index.ts";
import { compileInput, validateInput } from "../schema/index.ts";

export interface ValidatedInput {
  /** As the tool will see it: defaults filled in, other names of its keys put right. */
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

/** The input as a kit would hand it to the tool; INVALID_INPUT where it does not fit. */
export async function validated(tool: Tool, input: unknown): Promise<ValidatedInput> {
  const result = await validateInput(compileInput(tool), input);
  if (result.ok) return { value: result.value, repairs: result.repairs };
  const { message, hint, issues } = result;
  throw new ToolError("INVALID_INPUT", message, { hint, data: { issues } });
}
