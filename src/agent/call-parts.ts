import type { Call, Outcome } from "../core/index.ts";
import type { ToolCallPart, ToolResultPart } from "../session/index.ts";

/** Call for the toolkit; what only the provider needs of it stays in the message. */
export function asCall({ id, name, input, incomplete }: ToolCallPart): Call & { id: string } {
  return { id, name, input, ...(incomplete === true ? { incomplete } : {}) };
}

/** Result of a call for the model. */
export function asResult(call: ToolCallPart, { content, isError }: ResultContent): ToolResultPart {
  return { type: "tool-result", callId: call.id, name: call.name, content, isError };
}

type ResultContent = Pick<Outcome, "content" | "isError">;
