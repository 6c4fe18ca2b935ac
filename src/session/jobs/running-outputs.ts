import type { Host } from "../../core/index.ts";
import { isSame } from "./orphan.ts";
import { isProgramAlive } from "./own-program.ts";
import { TaskRecords } from "./task-record.ts";

/** Files that tasks which still run print into, of this program and of others that keep their tasks here. */
export async function runningOutputs(host: Host, directory: string): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  for (const record of await new TaskRecords(host, directory).load()) {
    const { status, outputFile } = record.task;
    if (status !== "running" || outputFile === undefined) continue;
    if (isProgramAlive(record.owner) || (await isSame(host, record))) files.add(outputFile);
  }
  return files;
}
