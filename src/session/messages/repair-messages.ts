import {
  toolCallsOf,
  type AssistantMessage,
  type Message,
  type ToolCallPart,
  type ToolResultPart,
} from "./messages.ts";

const interrupted =
  "This call was interrupted before it had a result. It may or may not have taken effect: look before you repeat it.";

/**
 * Makes a conversation legal for every provider: each call has exactly one result, right after the message that made it
 * and in call order. Results without a call and messages without content are removed. A legal conversation is returned
 * equal.
 */
export function repairMessages(messages: readonly Message[]): readonly Message[] {
  const repaired: Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") continue;
    if (message.role === "user") {
      if (message.content.length > 0) repaired.push(message);
      continue;
    }
    const legal = withoutRepeatedCalls(message);
    const calls = toolCallsOf(legal);
    if (calls.length === 0 && !legal.content.some(isAnswer)) continue;
    repaired.push(legal);
    if (calls.length === 0) continue;
    repaired.push({ role: "tool", content: resultsFor(calls, messages.slice(index + 1)) });
  }
  return repaired;
}

/** Result in place of one that never arrived. */
export function interruptedResult(call: ToolCallPart, text: string = interrupted): ToolResultPart {
  return {
    type: "tool-result",
    callId: call.id,
    name: call.name,
    content: [{ type: "text", text }],
    isError: true,
  };
}

/** Whether a part may end a message. Providers refuse reasoning alone, or empty text, at the end. */
export function isAnswer(part: AssistantMessage["content"][number]): boolean {
  if (part.type === "provider") return part.kind !== "source";
  return part.type === "text" && part.text !== "";
}

function withoutRepeatedCalls(message: AssistantMessage): AssistantMessage {
  const seen = new Set<string>();
  const content = message.content.filter((part) => {
    if (part.type !== "tool-call") return true;
    if (seen.has(part.id)) return false;
    seen.add(part.id);
    return true;
  });
  return content.length === message.content.length ? message : { ...message, content };
}

/** Results count up to the next assistant message: a later turn may reuse an id. */
function resultsFor(
  calls: readonly ToolCallPart[],
  following: readonly Message[],
): readonly ToolResultPart[] {
  const found = new Map<string, ToolResultPart>();
  for (const message of following) {
    if (message.role === "assistant") break;
    if (message.role !== "tool") continue;
    for (const result of message.content) {
      if (!found.has(result.callId)) found.set(result.callId, result);
    }
  }
  return calls.map((call) => found.get(call.id) ?? interruptedResult(call));
}
