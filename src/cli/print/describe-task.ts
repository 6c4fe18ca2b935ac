import type { CommandTask, Task, Todo } from "../../index.ts";
import { visibleText } from "./visible-text.ts";

/** Columns of a title in the list; `haft tasks ID` shows all of it. */
const titleColumns = 60;

/** Formats tasks as rows of a table: id, kind, state, duration, bytes of output, title. */
export function describeTasks(tasks: readonly Task[], now: number): readonly string[] {
  const rows = tasks.map((task) => rowOf(task, now));
  const widths = [0, 1, 2, 3, 4].map((column) =>
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
export function stateOf(task: Task): string {
  switch (task.kind) {
    case "command":
      return commandState(task);
    case "agent":
    case "delegation":
      return task.reason === undefined
        ? task.status
        : `${task.status}: ${visibleText(task.reason)}`;
    case "todo":
      return task.status;
  }
}

/** Describes a todo with its details. */
export function describeTodo({ title, status, owner, dependsOn, description }: Todo): string {
  const lines = [
    `${title}: ${status}`,
    ...(owner === undefined ? [] : [`Owner: ${owner}`]),
    ...(dependsOn.length === 0 ? [] : [`After: ${dependsOn.join(", ")}`]),
    ...(description === undefined ? [] : ["", description]),
  ];
  return `${lines.map(visibleText).join("\n")}\n`;
}

function commandState({ status, exitCode, signal, endedBy }: CommandTask): string {
  if (status === "running") return "running";
  if (status === "lost") return "lost";
  const by = endedBy === undefined ? "" : `, ${reasons[endedBy]}`;
  if (signal !== null && signal !== undefined) return `${signal}${by}`;
  return `${exitCode === null || exitCode === undefined ? "ended" : `exit ${exitCode}`}${by}`;
}

const reasons = {
  stop: "stopped",
  "session-end": "its session ended",
  "output-limit": "too much output",
  timeout: "timed out",
} as const satisfies Record<NonNullable<CommandTask["endedBy"]>, string>;

function rowOf(task: Task, now: number): readonly string[] {
  const title = shortTitle(task.title);
  if (task.kind === "todo") {
    const after = task.dependsOn.length === 0 ? "" : ` (after ${task.dependsOn.join(", ")})`;
    const owner = task.owner === undefined ? "" : ` @${visibleText(task.owner)}`;
    return [
      task.id,
      "todo",
      stateOf(task),
      age(now - task.createdAt),
      "",
      `${title}${after}${owner}`,
    ];
  }
  const { id, kind, startedAt, endedAt = now, printedBytes } = task;
  return [
    id,
    kind,
    stateOf(task),
    age(endedAt - startedAt),
    size(printedBytes),
    title + doingOf(task),
  ];
}

/** Activity of a running agent, and usage of agents. */
function doingOf(task: Exclude<Task, { kind: "todo" }>): string {
  if (task.kind === "command") return "";
  const { status, activity, calls, tokens, costUsd } = task;
  const facts = [
    ...(status === "running" && activity !== undefined ? [visibleText(activity)] : []),
    ...(calls === undefined ? [] : [`${calls} calls`]),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(2)}`]),
  ];
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
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
