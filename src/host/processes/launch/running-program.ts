import type { Child } from "./launcher.ts";
import { processEntry } from "../process-scan.ts";
import { killPrograms } from "../kill/kill-programs.ts";

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
  /** Tag of all that it starts. */
  readonly mark: string | undefined;
}

/** A program that the helper started, until the helper reports its end. */
export class RunningProgram implements Omit<StartedProgram, "kill"> {
  readonly pid: number;
  readonly startTicks: number | undefined;
  /** Whether its pid is valid in the PID namespace of this process. */
  readonly #isOurs: boolean;
  readonly #mark: string | undefined;
  #untold = 0;
  #exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  #onExit: ((code: number | null, signal: string | null) => void) | undefined;

  constructor({ pid, startTicks, isOurs, mark }: ProgramIdentity) {
    this.pid = pid;
    this.startTicks = startTicks;
    this.#isOurs = isOurs;
    this.#mark = mark;
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
    this.#untold = this.#isOurs && !this.#isThere() ? this.#untold + 1 : 0;
  }

  /**
   * Kills programs with all they started, because nothing will report their end any more. Those in the PID namespace of
   * their helper have ended with it.
   */
  static endAll(programs: readonly RunningProgram[]): void {
    const left = programs.filter((program) => program.#isOurs && program.#isThere());
    for (const program of programs) {
      if (!left.includes(program)) program.ended(null, "SIGKILL");
    }
    if (left.length === 0) return;
    killPrograms({
      leaders: left.map(({ pid }) => pid),
      marks: new Set(left.flatMap((program) => program.#mark ?? []).map((mark) => `${mark}\0`)),
    });
    setTimeout(() => RunningProgram.endAll(left), lookMs);
  }

  #isThere(): boolean {
    const entry = processEntry(this.pid);
    return entry !== undefined && entry.startTicks === this.startTicks;
  }
}
