import type { AgentTask, CommandTask, Task } from "../../core/index.ts";

/** Describes the state of a task in a few words. */
export function taskState(task: Task): string {
  switch (task.kind) {
    case "command":
      return commandState(task);
    case "agent":
    case "delegation":
      return agentState(task);
    case "todo":
      return task.status;
  }
}

/** Whether it ended without success. */
export function hasFailed(task: Task): boolean {
  if (task.kind !== "command") return task.status === "failed";
  const { status, exitCode, signal } = task;
  return status === "ended" && (exitCode !== 0 || (signal ?? null) !== null);
}

function commandState(task: CommandTask): string {
  switch (task.status) {
    case "running":
      return "running";
    case "lost":
      return "gone, with an unknown end";
    case "ended":
      return `${endOf(task)}${task.endedBy === undefined ? "" : `, ${reasons[task.endedBy]}`}`;
  }
}

function agentState({ status, reason }: AgentTask): string {
  if (status === "lost") return "gone: its process ended before it did";
  return reason === undefined ? status : `${status}: ${reason}`;
}

const reasons = {
  stop: "stopped",
  "session-end": "stopped with its session",
  "output-limit": "stopped because it printed too much output",
  timeout: "stopped because its timeout had passed",
} as const satisfies Record<NonNullable<CommandTask["endedBy"]>, string>;

function endOf({ exitCode, signal }: CommandTask): string {
  if (signal !== null && signal !== undefined) return `ended by ${signal}`;
  return exitCode === null || exitCode === undefined ? "ended" : `ended with exit code ${exitCode}`;
}
