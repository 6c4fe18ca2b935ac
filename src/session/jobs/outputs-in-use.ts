import type { Host } from "../../core/index.ts";

/** Files that tasks which still run print into; loads what reads their records. */
export async function outputsInUse(host: Host, directory: string): Promise<ReadonlySet<string>> {
  const { runningOutputs } = await import("./running-outputs.ts");
  return await runningOutputs(host, directory);
}
