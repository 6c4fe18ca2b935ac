import type { Host } from "../core/index.ts";
import { isSame } from "./recovered-task.ts";
import { isProgramAlive } from "./current-process.ts";
import { TaskRecords } from "./task-record.ts";

/** Output files of running tasks, of this process and of others with the same data directory. */
export async function runningOutputs(host: Host, directory: string): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  for (const record of await new TaskRecords(host, directory).load()) {
    const { status, outputFile } = record.task;
    if (status !== "running" || outputFile === undefined) continue;
    if (isProgramAlive(record.owner) || (await isSame(host, record))) files.add(outputFile);
  }
  return files;
}
