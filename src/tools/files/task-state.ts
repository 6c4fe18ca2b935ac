import type { Task } from "../../core/index.ts";

/** Describes the state of a task in a few words. */
export function taskState(task: Task): string {
  switch (task.status) {
    case "running":
      return "running";
    case "lost":
      return "gone, and nobody saw its end";
    case "ended":
      return `${endOf(task)}${task.endedBy === undefined ? "" : `, ${reasons[task.endedBy]}`}`;
  }
}

/** Whether it ended without success. */
export function hasFailed({ status, exitCode, signal }: Task): boolean {
  return status === "ended" && (exitCode !== 0 || (signal ?? null) !== null);
}

const reasons = {
  stop: "stopped",
  "session-end": "stopped with its session",
  "output-limit": "stopped because it printed too much",
  timeout: "stopped because its timeout had passed",
} as const satisfies Record<NonNullable<Task["endedBy"]>, string>;

function endOf({ exitCode, signal }: Task): string {
  if (signal !== null && signal !== undefined) return `ended by ${signal}`;
  return exitCode === null || exitCode === undefined ? "ended" : `ended with exit code ${exitCode}`;
}
