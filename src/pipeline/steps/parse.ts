import { ToolError } from "../../core/index.ts";
import { parseInput } from "../../schema/index.ts";
import type { Step } from "../step.ts";

/**
 * Parses JSON text into a value, and refuses an incomplete call.
 *
 * Runs before validate, because a schema checks values, and after resolve, because an incomplete call may still
 * run if its tool can only read.
 */
export const parse: Step<"input" | "text" | "repairs", "tool", "parsed"> = (state) => {
  const { input, incomplete } = state.call;
  if (typeof input !== "string") {
    if (incomplete === true && !canOnlyRead(state.tool.touches))
      throw cutOff("the model's answer ended early");
    state.input = input ?? {};
    return undefined;
  }
  const parsed = parseInput(input, incomplete === true ? { incomplete } : undefined);
  switch (parsed.kind) {
    case "ok":
      state.input = parsed.value;
      state.text = input;
      state.repairs = parsed.repairs;
      return undefined;
    case "incomplete":
      if (parsed.value === undefined || !canOnlyRead(state.tool.touches))
        throw cutOff(parsed.because);
      state.input = parsed.value;
      state.repairs = parsed.repairs;
      return undefined;
    case "invalid":
      throw new ToolError("INVALID_JSON", parsed.message, { hint: parsed.hint });
  }
};

function canOnlyRead(touches: readonly string[]): boolean {
  return touches.every((kind) => kind === "read" || kind === "interact");
}

function cutOff(because: string): ToolError {
  return new ToolError(
    "INCOMPLETE_CALL",
    `The call was cut off: ${because.replace(/\.$/u, "")}. Nothing was run.`,
    {
      hint: "Send the call again, whole; split the work into smaller calls if it was too long.",
    },
  );
}
