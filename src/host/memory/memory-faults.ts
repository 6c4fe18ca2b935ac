import type { HostFs } from "../../core/index.ts";
import { abortError, throwIfAborted } from "../aborted.ts";
import { fileError } from "../files/file-error.ts";

/** A deliberate failure of file system operations. */
export interface MemoryFault {
  /** Path that fails. Default: all paths. */
  readonly path?: string;
  /** Operation that fails. Default: all except `canonical`. */
  readonly operation?: keyof HostFs;
  /** An errno such as `ENOSPC` or `EACCES`, or "hang": the operation ends only when it is aborted. */
  readonly fails: string;
  /** Number of failures. Default: unlimited. */
  readonly times?: number;
}

/** The faults of one memory host. */
export class MemoryFaults {
  readonly #faults: { readonly fault: MemoryFault; left: number }[] = [];

  /** Adds a fault; the returned function removes it. */
  plant(fault: MemoryFault): () => void {
    const planted = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
    this.#faults.push(planted);
    return () => {
      planted.left = 0;
    };
  }

  /** Called at the start of every operation: throws if it was aborted, and applies a matching fault. */
  async enter(
    operation: keyof HostFs,
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    throwIfAborted(signal);
    if (this.#faults.length === 0) return;
    const hit = this.#faults.find(({ fault, left }) => left > 0 && matches(fault, operation, path));
    if (hit === undefined) return;
    hit.left -= 1;
    if (hit.fault.fails !== "hang") throw fileError(hit.fault.fails, path);
    await new Promise<never>((_resolve, reject) => {
      signal?.addEventListener("abort", () => reject(abortError(signal)), { once: true });
    });
  }
}

function matches(fault: MemoryFault, operation: keyof HostFs, path: string): boolean {
  if (fault.path !== undefined && fault.path !== path) return false;
  return fault.operation === undefined ? operation !== "canonical" : fault.operation === operation;
}
