import { ToolError, type AgentInfo, type AgentResult } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";

/** Message with which the agent that started one in the background learns of its end. */
export function completionText(info: AgentInfo): string {
  const { agentId, agent, description, status, error, text } = info;
  const failure = error === undefined ? "" : ` ${error.code}: ${error.message}`;
  return [`The agent ${agentId} (${agent}: ${description}) has ended: ${status}.${failure}`, text]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Result of an agent that could not start. */
export function failedStart(cause: unknown): AgentResult {
  const error = ToolError.is(cause)
    ? cause
    : cause instanceof TypeError
      ? new ToolError("INVALID_INPUT", cause.message, {
          hint: "Correct it, then resume the agent.",
        })
      : new ToolError("INTERNAL", `The agent could not start: ${messageOf(cause)}`, {
          hint: "This is a mistake in the program that ran it: please report it.",
          cause,
        });
  return {
    status: error.code === "ABORTED" ? "aborted" : "failed",
    text: "",
    turns: 0,
    calls: 0,
    usage: { input: 0, output: 0 },
    costUsd: 0,
    error: error.toJSON(),
  };
}

/** Reason for which an agent is stopped. */
export function stopError(reason: string): ToolError {
  const isIdle = reason.startsWith("No event");
  return new ToolError(isIdle ? "TIMEOUT" : "ABORTED", reason, {
    hint: "Continue the agent with resume.",
  });
}
