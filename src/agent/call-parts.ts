import { toolSearchName, type Call, type Outcome } from "../core/index.ts";
import type { ToolCallPart, ToolResultPart } from "../session/index.ts";

/** Call for the toolkit; what only the provider needs of it stays in the message. */
export function asCall({ id, name, input, incomplete }: ToolCallPart): Call & { id: string } {
  return { id, name, input, ...(incomplete === true ? { incomplete } : {}) };
}

/** Result of a call for the model. */
export function asResult(call: ToolCallPart, result: ResultContent): ToolResultPart {
  const { content, isError } = result;
  const loadedTools = loadedBy(result);
  return {
    type: "tool-result",
    callId: call.id,
    name: call.name,
    content,
    isError,
    ...(loadedTools.length === 0 ? {} : { loadedTools }),
  };
}

type ResultContent = Pick<Outcome, "content" | "isError"> &
  Partial<Pick<Outcome, "tool" | "metadata">>;

/** Tools that a search has found. Another tool cannot load any, whatever its result says. */
function loadedBy({ tool, metadata }: ResultContent): readonly string[] {
  const found: unknown = tool === toolSearchName ? metadata?.["activated"] : undefined;
  return Array.isArray(found) ? found.filter((name) => typeof name === "string") : [];
}
