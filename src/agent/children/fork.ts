import { ToolError, type AgentCaller, type AgentRequest } from "../../core/index.ts";
import {
  interruptedResult,
  repairMessages,
  toolCallsOf,
  userMessage,
  type Message,
} from "../../session/index.ts";

const resultText = "The conversation was forked during this call, which continues in the original.";

const preamble =
  "You are a fork of this conversation: you work on the task below, and the original continues without you. Tools that start agents or sessions do not work for you. Only your last message reaches the original: put into it what you did, what you found and what you could not do.";

/**
 * Conversation of a fork: that of the original, unchanged up to the calls that are made now, so that a provider reads it
 * from its cache.
 */
export function forkedMessages(messages: readonly Message[], task: string): readonly Message[] {
  const last = messages.at(-1);
  const results: readonly Message[] =
    last?.role === "assistant" && toolCallsOf(last).length > 0
      ? [
          {
            role: "tool",
            content: toolCallsOf(last).map((call) => ({
              ...interruptedResult(call, resultText),
              isError: false,
            })),
          },
        ]
      : [];
  return [...repairMessages([...messages, ...results]), userMessage(`${preamble}\n\n${task}`)];
}

/** Refuses what a fork cannot have: it has what its original has, and the rest of the request can only limit it. */
export function checkFork(request: AgentRequest, { runId }: AgentCaller): void {
  if (request.isFork !== true) return;
  const { agent, model, resume, isWorktree } = request;
  const given = { agent, model, resume, worktree: isWorktree === true ? true : undefined };
  const other = Object.entries(given).find(([, value]) => value !== undefined);
  if (runId !== undefined && other === undefined) return;
  throw new ToolError(
    "INVALID_INPUT",
    other === undefined
      ? "Only a run can be forked."
      : `A fork has the conversation and model of its original, so ${other[0]} has no effect.`,
    { hint: other === undefined ? "Leave fork out." : `Leave out fork or ${other[0]}.` },
  );
}
