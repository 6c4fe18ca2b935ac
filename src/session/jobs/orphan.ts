import type { Host, Task } from "../../core/index.ts";
import { exitFileOf, leftExit } from "./exit-file.ts";
import type { StopPatience } from "./live-task.ts";
import { printed, startToken } from "./process-facts.ts";
import type { TaskRecord } from "./task-record.ts";

const lookMs = 50;

/** What is true now of a task whose program has ended without it: still running, ended, or lost. */
export async function lookAgain(
  host: Host,
  directory: string,
  record: TaskRecord,
): Promise<TaskRecord> {
  const { task } = record;
  if (task.status !== "running" || (await isSame(host, record))) return record;
  const code = await leftExit(host, exitFileOf(directory, task.id));
  const over: Task =
    code === undefined
      ? { ...task, status: "lost" }
      : { ...task, status: "ended", exitCode: code, signal: null };
  return { ...record, task: over };
}

/**
 * Ends it and all it started; where the host has no name for that, it and its group, and what made a session of its own
 * is not found. By then nobody holds its input.
 */
export async function stopOrphan(
  host: Host,
  record: TaskRecord,
  patience: StopPatience,
): Promise<void> {
  if (record.tree !== undefined && host.proc.endTree !== undefined) {
    await host.proc.endTree(record.tree, patience);
    return;
  }
  const { terminateMs, killMs } = patience;
  for (const [name, ms] of [
    ["TERM", terminateMs],
    ["KILL", killMs],
  ] as const) {
    // Looked at right before: a pid is given to another program once its own is gone.
    if (!(await isSame(host, record))) return;
    await printed(host, [...host.info.shell, `kill -${name} -- -${record.task.pid}`]);
    for (let waited = 0; waited < ms && (await isSame(host, record)); waited += lookMs) {
      await host.clock.sleep(lookMs);
    }
  }
}

/** Whether the process of a task still runs, and is not another that was given its id. */
export async function isSame(host: Host, { task, token }: TaskRecord): Promise<boolean> {
  return token !== undefined && (await startToken(host, task.pid)) === token;
}
