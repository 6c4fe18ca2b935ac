import type { Task } from "../../index.ts";
import { visibleText } from "./visible-text.ts";

/** Columns of a command in the list; `haft tasks ID` shows all of it. */
const titleColumns = 60;

/** Formats tasks as rows of a table: id, state, duration, bytes of output, command. */
export function describeTasks(tasks: readonly Task[], now: number): readonly string[] {
  const rows = tasks.map((task) => rowOf(task, now));
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Describes the current state of a task. */
export function stateOf({ status, exitCode, signal, endedBy }: Task): string {
  if (status === "running") return "running";
  if (status === "lost") return "lost";
  const by = endedBy === undefined ? "" : `, ${reasons[endedBy]}`;
  if (signal !== null && signal !== undefined) return `${signal}${by}`;
  return `${exitCode === null || exitCode === undefined ? "ended" : `exit ${exitCode}`}${by}`;
}

const reasons = {
  stop: "stopped",
  "session-end": "its session ended",
  "output-limit": "printed too much",
  timeout: "its time was up",
} as const satisfies Record<NonNullable<Task["endedBy"]>, string>;

function rowOf(task: Task, now: number): readonly string[] {
  return [
    task.id,
    stateOf(task),
    age((task.endedAt ?? now) - task.startedAt),
    size(task.printedBytes),
    shortTitle(task.title),
  ];
}

/** Title on one line, cut to the width of a table. */
export function shortTitle(title: string): string {
  const line = visibleText(title.replaceAll(/\s+/gu, " "));
  return line.length > titleColumns ? `${line.slice(0, titleColumns - 1)}…` : line;
}

function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
