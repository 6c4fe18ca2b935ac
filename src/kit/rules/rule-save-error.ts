import { ToolError } from "../../core/index.ts";

/**
 * Why a rule could not be stored, for the person who wanted it saved: they said yes to the call as well, so that is no
 * error of the call. What is a fault of ours is thrown.
 */
export function whyUnsaved(error: unknown): string {
  if (!ToolError.is(error)) throw error;
  const { code, message, hint } = error;
  // What the file system says is followed by advice to a model.
  const isToPerson = code === "OUTSIDE_WORKSPACE" || code === "INVALID_INPUT";
  const next = isToPerson && hint !== undefined ? ` ${hint}` : "";
  return `The rule was not saved, so the yes counts for this call only. ${message}${next}`;
}
