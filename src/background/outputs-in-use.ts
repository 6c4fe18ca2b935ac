import { ToolError, type Host } from "../core/index.ts";
import { joinPath } from "../text/index.ts";
import { isSame } from "./recovered-task.ts";
import { isProgramAlive } from "./current-process.ts";
import { TaskRecords, type TaskRecord } from "./task-record.ts";

/** Directories of task records. */
export interface TaskDirectories {
  /** Records of tasks on the host. */
  readonly own: string;
  /** Directories with records of tasks on several hosts. */
  readonly others: readonly string[];
}

/** Output files of running tasks, of this process and of others with the same data directory. */
export async function runningOutputs(
  host: Host,
  { own, others }: TaskDirectories,
): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  const add = async (directory: string, isRunning: (record: TaskRecord) => Promise<boolean>) => {
    for (const record of await new TaskRecords(host, directory).load()) {
      const { status, outputFile } = record.task;
      if (status !== "running" || outputFile === undefined) continue;
      if (isProgramAlive(record.owner) || (await isRunning(record))) files.add(outputFile);
    }
  };
  await add(own, async (record) => await isSame(host, record));
  // A process of another host cannot be looked for here; its output is written by its owner alone.
  for (const directory of await foldersIn(host, others)) {
    if (directory !== own) await add(directory, async () => false);
  }
  return files;
}

async function foldersIn(host: Host, directories: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const directory of directories) {
    found.push(directory);
    const hosts = joinPath(directory, "hosts");
    try {
      for await (const { name } of host.fs.list(hosts)) found.push(joinPath(hosts, name));
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
  }
  return found;
}
