import type { Host } from "../core/index.ts";
import type { TaskDirectories } from "./outputs-in-use.ts";

/** Output files of running tasks. Loads the reader of task records on demand. */
export async function outputsInUse(
  host: Host,
  directories: TaskDirectories,
): Promise<ReadonlySet<string>> {
  const { runningOutputs } = await import("./outputs-in-use.ts");
  return await runningOutputs(host, directories);
}
