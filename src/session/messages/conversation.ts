import type { Call, HaftEvent } from "../../core/index.ts";
import { userMessage, type AssistantPart, type Message, type ToolResultPart } from "./messages.ts";
import { repairMessages } from "./repair-messages.ts";

export interface ConversationQuery {
  readonly sessionId: string;
  /** Agent whose events are used. Default: the agent that talks to the user, not one that it started. */
  readonly agentId?: string;
}

/**
 * Rebuilds the conversation from a session's events, in a form that every provider accepts, even if the events stop in
 * the middle of a turn. Reasoning is omitted: without the provider's signature it must not be sent back.
 */
export function messagesFromEvents(
  events: Iterable<HaftEvent>,
  query: ConversationQuery,
): readonly Message[] {
  const messages: Message[] = [];
  let turn: Turn = emptyTurn();
  const closeTurn = (): void => {
    const { text, calls, results } = turn;
    const content: AssistantPart[] = text === "" ? calls : [{ type: "text", text }, ...calls];
    if (content.length > 0) messages.push({ role: "assistant", content });
    if (results.length > 0) messages.push({ role: "tool", content: results });
    turn = emptyTurn();
  };
  for (const event of events) {
    if (event.sessionId !== query.sessionId || event.agentId !== query.agentId) continue;
    switch (event.type) {
      case "run-start":
        closeTurn();
        messages.push(userMessage(event.task));
        break;
      case "turn-start":
        closeTurn();
        break;
      case "turn-discard":
        turn.text = "";
        break;
      case "user-message":
        closeTurn();
        messages.push(event.message);
        break;
      case "model-text":
        turn.text += event.text;
        break;
      case "call-start":
        turn.calls.push({
          type: "tool-call",
          id: event.callId,
          name: event.call.name,
          input: inputText(event.call),
          ...(event.call.incomplete === true ? { incomplete: true } : {}),
        });
        break;
      case "call-end":
        turn.results.push({
          type: "tool-result",
          callId: event.callId,
          name: event.outcome.tool,
          content: event.outcome.content,
          isError: event.outcome.isError,
        });
        break;
      case "call-decided":
      case "permission-ask":
      case "permission-answer":
      case "call-progress":
      case "call-output":
      case "agent-start":
      case "agent-event":
      case "agent-end":
      case "task-start":
      case "task-end":
      case "task-change":
      case "mode-change":
      case "settings-change":
      case "tools-change":
      case "model-reasoning":
      case "turn-end":
      case "model-retry":
      case "compaction":
      case "hook":
      case "events-dropped":
      case "request-start":
      case "request-end":
      case "run-wait":
      case "run-end":
        break;
    }
  }
  closeTurn();
  return repairMessages(messages);
}

interface Turn {
  text: string;
  readonly calls: AssistantPart[];
  readonly results: ToolResultPart[];
}

function emptyTurn(): Turn {
  return { text: "", calls: [], results: [] };
}

function inputText(call: Call): string {
  if (typeof call.input === "string") return call.input;
  return call.input === undefined ? "{}" : JSON.stringify(call.input);
}
