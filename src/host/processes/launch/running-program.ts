import type { Child } from "./launcher.ts";
import { processEntry } from "../process-scan.ts";
import { sendSignal } from "../process-tree.ts";

/** Milliseconds between checks that a killed program is gone. */
const lookMs = 10;

export interface StartedProgram extends Pick<Child, "pid" | "startTicks" | "onExit"> {
  /** Kills the program through the helper, which may be the only process that can resolve its pid. */
  kill(): void;
}

interface ProgramIdentity {
  readonly pid: number;
  readonly startTicks: number | undefined;
  readonly isOurs: boolean;
}

/** A program that the helper started, until the helper reports its end. */
export class RunningProgram implements Omit<StartedProgram, "kill"> {
  readonly pid: number;
  readonly startTicks: number | undefined;
  /** Whether its pid is valid in the PID namespace of this process. */
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

  /** Number of checks since the program was found ended without a report of the helper. */
  get untold(): number {
    return this.#untold;
  }

  look(): void {
    const isGone = this.#isOurs && processEntry(this.pid)?.startTicks !== this.startTicks;
    this.#untold = isGone ? this.#untold + 1 : 0;
  }

  /** Ends the program, because nothing will report its end any more. */
  end(): void {
    // Other programs end with the helper, whose PID namespace they are in.
    const entry = this.#isOurs ? processEntry(this.pid) : undefined;
    if (entry === undefined || entry.startTicks !== this.startTicks) {
      this.ended(null, "SIGKILL");
      return;
    }
    sendSignal(-this.pid, "SIGKILL");
    setTimeout(() => this.end(), lookMs);
  }
}
