import type { HostFs } from "../../core/index.ts";
import { abortError, throwIfAborted } from "../aborted.ts";
import { fileError } from "../files/file-error.ts";

/** Something that goes wrong on purpose. */
export interface MemoryFault {
  /** Where; left out: everywhere. */
  readonly path?: string;
  /** In which operation; left out: in every one but `canonical`. */
  readonly operation?: keyof HostFs;
  /** `ENOSPC`, `EACCES` and the like, or "hang": the operation ends only when it is aborted. */
  readonly fails: string;
  /** How often. Default: always. */
  readonly times?: number;
}

/** The faults planted in one memory host. */
export class MemoryFaults {
  readonly #faults: { readonly fault: MemoryFault; left: number }[] = [];

  /** Plants a fault; the returned function removes it. */
  plant(fault: MemoryFault): () => void {
    const planted = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
    this.#faults.push(planted);
    return () => {
      planted.left = 0;
    };
  }

  /** Stands at the door of every operation: aborts, fails or hangs it where that was planted. */
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
