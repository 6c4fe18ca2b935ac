import { ToolError } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import type { Limits } from "./limits.ts";
import type { RunStatus } from "./run-result.ts";

/** Reason for which a run ended before the model was done. */
export interface RunStop {
  readonly status: Exclude<RunStatus, "done">;
  readonly error: ToolError;
}

export function outOfTurns({ maxTurns }: Limits): RunStop {
  return limitStop("max-turns", `The run used ${all(maxTurns, "turn")}.`, "maxTurns");
}

function all(count: number, noun: string): string {
  return count === 1 ? `its only ${noun}` : `all of its ${count} ${noun}s`;
}

/** Stop for calls that were not run, because of the limit of the run or because a shared budget is used up. */
export function outOfCalls({ maxCalls }: Limits, used: number): RunStop {
  const message =
    used < maxCalls ? "The budget of calls is used up." : `The run used ${all(maxCalls, "call")}.`;
  return limitStop("max-calls", message, "maxCalls");
}

export function cutAnswer(): RunStop {
  return {
    status: "max-tokens",
    error: new ToolError("LIMIT_REACHED", "The model's answer was cut off at its output limit.", {
      hint: "Continue from the conversation, or raise limits.maxOutputTokens.",
    }),
  };
}

export function looping(note: string): RunStop {
  return {
    status: "looping",
    error: new ToolError("LIMIT_REACHED", note, {
      hint: "Say what to do differently, and continue the conversation.",
    }),
  };
}

export function filtered(model: string): RunStop {
  return {
    status: "failed",
    error: new ToolError("MODEL_FAILED", `The provider's content filter stopped ${model}.`, {
      hint: "Word the task differently, or use another model.",
      retryable: false,
    }),
  };
}

export function emptyAnswers(model: string): RunStop {
  return {
    status: "failed",
    error: new ToolError("MODEL_FAILED", `${model} gave an empty answer twice.`, {
      hint: "Continue from the conversation with another model, or word the task differently.",
    }),
  };
}

export function pastDeadline(deadlineMs: number): RunStop {
  return {
    status: "deadline",
    error: new ToolError("TIMEOUT", `The run did not finish within ${deadlineMs} ms.`, {
      hint: "Continue from the conversation, or raise limits.deadlineMs.",
    }),
  };
}

export function aborted(reason: string): RunStop {
  return {
    status: "aborted",
    error: new ToolError("ABORTED", reason, {
      hint: "Continue from the conversation when you like.",
    }),
  };
}

/** Status of a run that a limit of its budget ended. */
const limitStatus = new Map<unknown, RunStop["status"]>([
  ["maxTurns", "max-turns"],
  ["maxCalls", "max-calls"],
  ["maxTokens", "max-tokens"],
  ["maxCost", "max-cost"],
  ["maxAgents", "max-agents"],
]);

/** Stop for a failure of the model or of the loop itself. */
export function failed(cause: unknown): RunStop {
  if (ToolError.is(cause)) {
    const limit = cause.code === "LIMIT_REACHED" ? cause.data?.["limit"] : undefined;
    return { status: limitStatus.get(limit) ?? "failed", error: cause };
  }
  return {
    status: "failed",
    error: new ToolError("INTERNAL", `The run broke: ${messageOf(cause)}`, {
      hint: "This is a bug in the program that ran it: please report it.",
      cause,
    }),
  };
}

function limitStop(status: RunStop["status"], message: string, limit: keyof Limits): RunStop {
  return {
    status,
    error: new ToolError("LIMIT_REACHED", message, {
      hint: `Continue from the conversation, or raise limits.${limit}.`,
    }),
  };
}
