import { ToolError } from "../../../core/index.ts";

/** The error for a file that changed after the session read it; `verb` is what the tool does with it. */
export function changedSinceRead(shown: string, verb: string): ToolError {
  return new ToolError("STALE_READ", `${shown} changed since you read it.`, {
    hint: `Read it again, then ${verb}.`,
  });
}

/** The error for a file that the session has not read. */
export function notRead(shown: string, hint: string): ToolError {
  return new ToolError("NOT_READ", `${shown} was not read in this session.`, { hint });
}
