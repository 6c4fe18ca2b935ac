import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { ToolError } from "../../core/index.ts";

export interface OffThreadWork {
  /** Package that does the work. */
  readonly packageName: string;
  /**
   * JavaScript source of a function `(module, data) => result`. Source text, because a thread starts from it equally
   * well in a bundle and in the sources.
   */
  readonly work: string;
  /** Copied to the thread. */
  readonly data: unknown;
  readonly signal: AbortSignal;
  /** Maximum memory of the thread. A hostile file ends its thread and nothing else. */
  readonly maxMegabytes: number;
}

/** URL of an optional package, undefined if it is not installed. */
export function installedAt(packageName: string): string | undefined {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(packageName)).href;
  } catch {
    return undefined;
  }
}

/**
 * Runs expensive work of a package on a thread of its own, so that it blocks nothing else, and ends the thread with the
 * call. Undefined if the package is not installed.
 */
export async function runOffThread(task: OffThreadWork): Promise<unknown> {
  const { packageName, work, data, signal, maxMegabytes } = task;
  const module = installedAt(packageName);
  if (module === undefined) return undefined;
  if (signal.aborted) throw aborted();
  const worker = new Worker(threadSource(work), {
    eval: true,
    workerData: { module, data },
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
    env: {},
    // Output of a package must not reach the terminal of the embedding program.
    stdout: true,
    stderr: true,
  });
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<unknown>((resolve, reject) => {
      onAbort = () => reject(aborted());
      signal.addEventListener("abort", onAbort, { once: true });
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) => reject(new Error(`the thread ended with ${code}`)));
    });
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}

function aborted(): ToolError {
  return new ToolError("ABORTED", "The read was stopped.", { hint: "Read a smaller part." });
}

function threadSource(work: string): string {
  return [
    `const { parentPort, workerData } = require("node:worker_threads");`,
    `const work = ${work};`,
    `import(workerData.module)`,
    `  .then((module) => work(module, workerData.data))`,
    `  .then((result) => parentPort.postMessage(result));`,
  ].join("\n");
}
