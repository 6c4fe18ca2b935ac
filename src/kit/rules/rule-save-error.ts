import { ToolError } from "../../core/index.ts";

/**
 * Returns why a rule could not be stored, for the user who wanted it saved. The user approved the call as well, so the
 * call does not fail. Internal errors are thrown.
 */
export function whyUnsaved(error: unknown): string {
  if (!ToolError.is(error)) throw error;
  const { code, message, hint } = error;
  // Other errors, as of the file system, have a hint addressed to a model.
  const isToPerson = code === "OUTSIDE_WORKSPACE" || code === "INVALID_INPUT";
  const next = isToPerson && hint !== undefined ? ` ${hint}` : "";
  return `The rule was not saved, so the yes counts for this call only. ${message}${next}`;
}
