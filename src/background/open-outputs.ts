import type { Host } from "../core/index.ts";

/** Output files of running tasks. Loads the reader of task records on demand. */
export async function outputsInUse(host: Host, directory: string): Promise<ReadonlySet<string>> {
  const { runningOutputs } = await import("./running-outputs.ts");
  return await runningOutputs(host, directory);
}
