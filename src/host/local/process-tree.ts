import { hasVariable, scanProcesses, startTicksOf, type ProcessEntry } from "./process-scan.ts";

/**
 * The variable every program started here carries, with a value of the host and the process. A child
 * that made a session of its own is found by it.
 */
export const markerName = "HAFT_PROCESS";

/** A program as it was started: with its start, its pid names no other. */
type Leader = { readonly pid: number; readonly startTicks: number | undefined };

/** A program and all it started: its group, its session, its descendants, and whatever carries its mark. */
export class ProcessTree {
  readonly #leader: number;
  readonly #mark: string;
  readonly #startTicks: number | undefined;
  #isLeaderGone = false;

  constructor(leader: Leader, mark: string) {
    this.#leader = leader.pid;
    this.#mark = `${markerName}=${mark}\0`;
    this.#startTicks = leader.startTicks;
  }

  /** The program itself has ended: from now on its pid may be given to another. */
  leaderEnded(): void {
    this.#isLeaderGone = true;
  }

  /** Whether anything of its group is left, in one system call; those who left the group are not seen. */
  hasGroup(): boolean {
    return sendSignal(-this.#leader, 0);
  }

  /** The processes left besides the program itself. */
  others(): readonly number[] {
    const processes = scanProcesses();
    const isReused = this.#isLeaderGone && processes.some((entry) => entry.pid === this.#leader);
    const found = new Set<number>();
    const isMember = (entry: ProcessEntry): boolean => {
      if (entry.startTicks < (this.#startTicks ?? 0)) return false;
      if (!isReused && (entry.group === this.#leader || entry.session === this.#leader))
        return true;
      if (found.has(entry.parent)) return true;
      if (!this.#isLeaderGone && entry.parent === this.#leader) return true;
      return hasVariable(entry.pid, this.#mark);
    };
    // A child has a higher start time than its parent, so one pass in that order finds descendants too.
    for (const entry of processes.toSorted(
      (a, b) => a.startTicks - b.startTicks || a.pid - b.pid,
    )) {
      if (entry.pid !== this.#leader && entry.pid !== process.pid && isMember(entry)) {
        found.add(entry.pid);
      }
    }
    return [...found];
  }

  /** To every process of the tree. */
  signal(name: NodeJS.Signals): void {
    const others = this.others();
    if (this.#isLeaderThere()) sendSignal(-this.#leader, name);
    for (const pid of others) sendSignal(pid, name);
  }

  /** To the program alone. */
  signalLeader(name: NodeJS.Signals): void {
    if (this.#isLeaderThere()) sendSignal(this.#leader, name);
  }

  /** Where another process started it, its end is known a moment before we are told. */
  #isLeaderThere(): boolean {
    if (this.#isLeaderGone) return false;
    return this.#startTicks === undefined || startTicksOf(this.#leader) === this.#startTicks;
  }
}

/** Every process that carries a mark beginning like this. */
export function markedProcesses(mark: string): readonly number[] {
  return scanProcesses()
    .filter((entry) => entry.pid !== process.pid && hasVariable(entry.pid, `${markerName}=${mark}`))
    .map((entry) => entry.pid);
}

/** Whether the signal found somebody; 0 only asks. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
