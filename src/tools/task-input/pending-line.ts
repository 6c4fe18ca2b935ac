import type { Jobs } from "../../core/index.ts";

/** Text typed into the tasks of a session since the last line end, by task. */
const begun = new WeakMap<Jobs, Map<string, string>>();

/** Unfinished line of a task; the next text is judged as its continuation. */
export function begunLine(jobs: Jobs, taskId: string): string {
  return begun.get(jobs)?.get(taskId) ?? "";
}

export function typedInto(jobs: Jobs, taskId: string, typed: string): void {
  const lines = begun.get(jobs) ?? new Map<string, string>();
  begun.set(jobs, lines);
  const text = begunLine(jobs, taskId) + typed;
  let end = text.lastIndexOf("\n");
  // A line end after a backslash does not end the line.
  while (end > 0 && text[end - 1] === "\\") end = text.lastIndexOf("\n", end - 1);
  const rest = text.slice(end + 1);
  if (rest === "") lines.delete(taskId);
  else lines.set(taskId, rest);
}
