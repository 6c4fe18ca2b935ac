// Loaded before a server that is measured (`node --import`): answers each message of the measuring program with what
// this process retains after a full garbage collection.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface RetainedMemory {
  /** Live objects of JavaScript. */
  readonly heapUsedBytes: number;
  /** Memory outside the heap that objects own, buffers included. */
  readonly externalBytes: number;
  /** Sockets, pipes, processes, timers and requests. */
  readonly resources: number;
}

function retained(): RetainedMemory {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  const { heapUsed, external } = process.memoryUsage();
  return {
    heapUsedBytes: heapUsed,
    externalBytes: external,
    resources: process.getActiveResourcesInfo().length,
  };
}

if (process.channel !== undefined) {
  process.on("message", () => process.send?.(retained()));
  process.channel.unref();
}
