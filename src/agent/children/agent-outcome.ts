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

/** Facts about an agent whose process ended before it did. */
export function stoppedInfo(info: AgentInfo, now: number): AgentInfo {
  const error = new ToolError("ABORTED", "The program that ran the agent was interrupted.", {
    hint: "Continue the agent with resume.",
  });
  return {
    ...info,
    status: "interrupted",
    activity: "interrupted",
    endedAt: now,
    error: error.toJSON(),
  };
}

/** Text in place of the result of a call that was interrupted after it had started an agent. */
export function startedCallText(info: AgentInfo): string {
  const { agentId, agent, description, status, isBackground } = info;
  if (isBackground) {
    return `This call was interrupted after it had started the agent ${agentId} (${agent}: ${description}) in the background. The end of the agent is reported to you.`;
  }
  const next = status === "done" ? "" : `\n\nTo continue it, call Agent with resume: "${agentId}".`;
  return `This call was interrupted before it had a result. ${completionText(info)}${next}`;
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
          hint: "This is a bug in the program that ran it: please report it.",
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
