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
  #bytes = 0;

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  add(id: string, process: T): void {
    this.delete(id);
    this.#byId.set(id, process);
    this.#bytes += process.output.size;
    for (const oldest of this.#byId.keys()) {
      if (this.#byId.size <= keptProcesses && this.#bytes <= keptBytes) break;
      this.delete(oldest);
    }
  }

  delete(id: string): void {
    const process = this.#byId.get(id);
    if (process === undefined) return;
    this.#byId.delete(id);
    this.#bytes -= process.output.size;
  }
}
