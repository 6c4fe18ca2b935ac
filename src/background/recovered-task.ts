import type { CommandTask, Host } from "../core/index.ts";
import { exitFileOf, leftExit } from "./exit-status-file.ts";
import type { StopPatience } from "./running-task.ts";
import { printed, startToken } from "./process-facts.ts";
import type { TaskRecord } from "./task-record.ts";

const lookMs = 50;

/** Present state of a task whose owning process is gone: still running, ended, or lost. */
export async function presentRecord(
  host: Host,
  directory: string,
  record: TaskRecord,
): Promise<TaskRecord> {
  const { task } = record;
  if (task.status !== "running" || (await isSame(host, record))) return record;
  const code = await leftExit(host, exitFileOf(directory, task.id));
  const over: CommandTask =
    code === undefined
      ? { ...task, status: "lost" }
      : { ...task, status: "ended", exitCode: code, signal: null };
  return { ...record, task: over };
}

/**
 * Ends a task with every process it started. If the host cannot identify that tree, only the process and its group end,
 * and a descendant that created its own session is missed. Nothing holds the task's input at that point.
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
    // Checked immediately before the signal: a pid is reused once its process is gone.
    if (!(await isSame(host, record))) return;
    await printed(host, [...host.info.shell, `kill -${name} -- -${record.task.pid}`]);
    for (let waited = 0; waited < ms && (await isSame(host, record)); waited += lookMs) {
      await host.clock.sleep(lookMs);
    }
  }
}

/** Whether the process of a task still runs, and is not another one that reuses its pid. */
export async function isSame(host: Host, { task, token }: TaskRecord): Promise<boolean> {
  return token !== undefined && (await startToken(host, task.pid)) === token;
}
