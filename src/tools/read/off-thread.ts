import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { ToolError } from "../../core/index.ts";

export interface OffThreadWork {
  /** The package that does the work. */
  readonly packageName: string;
  /**
   * JavaScript of a function `(module, data) => result`. A text, because a thread starts from text as well in a
   * bundle as in the source.
   */
  readonly work: string;
  /** Copied to the thread. */
  readonly data: unknown;
  readonly signal: AbortSignal;
  /** What the thread may hold. A hostile file ends its thread and nothing else. */
  readonly maxMegabytes: number;
}

/** Where an optional package is, undefined where it is not installed. */
export function installedAt(packageName: string): string | undefined {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(packageName)).href;
  } catch {
    return undefined;
  }
}

/**
 * Does heavy work of a package on a thread of its own, so that nothing else waits for it, and ends the thread with
 * the call. Undefined where the package is not installed.
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
    // A package that prints must not reach the terminal of whoever embeds this.
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
