import { ToolError } from "../core/index.ts";

/** Error of an aborted operation: the signal's reason if that is a ToolError. */
export function abortError(signal: AbortSignal): ToolError {
  if (ToolError.is(signal.reason)) return signal.reason;
  return new ToolError("ABORTED", "The call was aborted before this finished.", {
    cause: signal.reason,
  });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal);
}
