import { ToolError, type Tool } from "../../core/index.ts";
import { sentenceOf } from "../../text/index.ts";

/** The error of a call that was aborted. */
export function aborted(): ToolError {
  return new ToolError("ABORTED", "The call was aborted.", {
    hint: "Changes made until then remain; check them before you repeat it.",
  });
}

/** The error of a call that took longer than its tool may. */
export function timedOut(tool: Tool, timeoutMs: number): ToolError {
  return new ToolError(
    "TIMEOUT",
    `${tool.name} did not finish within ${timeoutMs / 1000} s and was stopped.`,
    {
      hint: "Do less in one call; changes made until then remain.",
      data: { timeoutMs },
    },
  );
}

/** The error as it is if it is one of haft's; anything else that a tool throws is a fault in the tool. */
export function errorOfTool(tool: string, cause: unknown): ToolError {
  if (ToolError.is(cause)) return cause;
  return new ToolError("INTERNAL", `${tool} failed unexpectedly: ${sentenceOf(cause)}`, {
    hint: "This is a fault in the tool, not in the call; try another way.",
    cause,
  });
}

/** The same for what is thrown outside of a tool: a fault in haft or in a hook. */
export function toolErrorOf(cause: unknown): ToolError {
  if (ToolError.is(cause)) return cause;
  return new ToolError("INTERNAL", `The call failed unexpectedly: ${sentenceOf(cause)}`, {
    hint: "This is a fault in haft or in a tool, not in the call.",
    cause,
  });
}
