import type { ProcessOutput } from "./process-output.ts";

interface Finished {
  readonly output: ProcessOutput;
}

/** Maximum number of ended processes whose output is stored for a reader that starts late. */
const keptProcesses = 256;
const keptBytes = 33_554_432;

/** Output of ended processes: the newest are stored, within a bound. */
export class FinishedProcesses<T extends Finished> {
  readonly #byId = new Map<string, T>();

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  add(id: string, process: T): void {
    this.delete(id);
    this.#byId.set(id, process);
    // Computed each time: output that was read to its end may have been released since.
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
