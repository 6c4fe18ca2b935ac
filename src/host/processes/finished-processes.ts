import type { ProcessOutput } from "./process-output.ts";

interface Finished {
  readonly output: ProcessOutput;
}

/** How many ended processes keep their output for a reader that comes late. */
const keptProcesses = 256;
const keptBytes = 33_554_432;

/** The output of processes that ended: the newest are kept, within a bound. */
export class FinishedProcesses<T extends Finished> {
  readonly #byId = new Map<string, T>();

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  add(id: string, process: T): void {
    this.delete(id);
    this.#byId.set(id, process);
    // Looked up each time: what was read to its end may have been let go since.
    let bytes = 0;
    for (const { output } of this.#byId.values()) bytes += output.size;
    for (const [oldest, { output }] of this.#byId) {
      if (this.#byId.size <= keptProcesses && bytes <= keptBytes) break;
      bytes -= output.size;
      this.#byId.delete(oldest);
    }
  }

  delete(id: string): void {
    this.#byId.delete(id);
  }
}
