import type { Child } from "./launcher.ts";
import { processEntry } from "../process-scan.ts";
import { sendSignal } from "../process-tree.ts";

/** Between two looks at whether a killed program is gone, in milliseconds. */
const lookMs = 10;

export interface StartedProgram extends Pick<Child, "pid" | "startTicks" | "onExit"> {
  /** Ends it at once, by the helper, which alone may know what its pid stands for. */
  kill(): void;
}

interface ProgramIdentity {
  readonly pid: number;
  readonly startTicks: number | undefined;
  readonly isOurs: boolean;
}

/** A program the helper started, until the helper says how it ended. */
export class RunningProgram implements Omit<StartedProgram, "kill"> {
  readonly pid: number;
  readonly startTicks: number | undefined;
  /** Whether its pid is one of this machine as we see it. */
  readonly #isOurs: boolean;
  #untold = 0;
  #exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  #onExit: ((code: number | null, signal: string | null) => void) | undefined;

  constructor({ pid, startTicks, isOurs }: ProgramIdentity) {
    this.pid = pid;
    this.startTicks = startTicks;
    this.#isOurs = isOurs;
  }

  readonly onExit = (callback: (code: number | null, signal: string | null) => void): void => {
    this.#onExit = callback;
    const exit = this.#exit;
    if (exit !== undefined) callback(exit.code, exit.signal);
  };

  ended(code: number | null, signal: string | null): void {
    if (this.#exit !== undefined) return;
    this.#exit = { code, signal };
    this.#onExit?.(code, signal);
  }

  /** How many looks ago it had ended already, which nobody has told since. */
  get untold(): number {
    return this.#untold;
  }

  look(): void {
    const isGone = this.#isOurs && processEntry(this.pid)?.startTicks !== this.startTicks;
    this.#untold = isGone ? this.#untold + 1 : 0;
  }

  /** Nobody will tell how it ends any more, so it is ended. */
  end(): void {
    // Others go with the helper, whose namespace they are in.
    const entry = this.#isOurs ? processEntry(this.pid) : undefined;
    if (entry === undefined || entry.startTicks !== this.startTicks) {
      this.ended(null, "SIGKILL");
      return;
    }
    sendSignal(-this.pid, "SIGKILL");
    setTimeout(() => this.end(), lookMs);
  }
}
