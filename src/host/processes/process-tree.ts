import { markerName } from "./process-tag.ts";
import {
  byStart,
  hasVariable,
  isNamespaceInit,
  scanProcesses,
  startTicksOf,
  type ProcessEntry,
} from "./process-scan.ts";

/** A program as it was started: with its start, its pid names no other. */
type Leader = {
  readonly pid: number;
  readonly startTicks: number | undefined;
  /** Processes between it and the program it stands for, which pass on no signal. */
  readonly depth?: number | undefined;
};

/** A program and all it started: its group, its session, its descendants, and whatever carries its mark. */
export class ProcessTree {
  readonly #leader: number;
  readonly #mark: string;
  readonly #startTicks: number | undefined;
  readonly #depth: number;
  #isLeaderGone = false;

  constructor(leader: Leader, mark: string) {
    this.#leader = leader.pid;
    this.#mark = `${markerName}=${mark}\0`;
    this.#startTicks = leader.startTicks;
    this.#depth = leader.depth ?? 0;
  }

  /** The program itself has ended: from now on its pid may be given to another. */
  leaderEnded(): void {
    this.#isLeaderGone = true;
  }

  /** Whether anything of its group is left, in one system call; those who left the group are not seen. */
  hasGroup(): boolean {
    return sendSignal(-this.#leader, 0);
  }

  /** The processes left besides the program itself, and besides what only stands around them. */
  left(processes: readonly ProcessEntry[]): readonly number[] {
    const others = this.#others(processes);
    return this.#depth === 0 ? others : others.filter((pid) => !isNamespaceInit(pid));
  }

  /** Every process besides the one that was started. */
  others(
    processes: readonly ProcessEntry[] = scanProcesses().toSorted(byStart),
  ): readonly number[] {
    return this.#others(processes);
  }

  #others(processes: readonly ProcessEntry[]): readonly number[] {
    const isReused = this.#isLeaderGone && processes.some((entry) => entry.pid === this.#leader);
    const found = new Set<number>();
    const isMember = (entry: ProcessEntry): boolean => {
      if (entry.startTicks < (this.#startTicks ?? 0)) return false;
      if (!isReused && (entry.group === this.#leader || entry.session === this.#leader))
        return true;
      if (found.has(entry.parent)) return true;
      if (!this.#isLeaderGone && entry.parent === this.#leader) return true;
      return hasVariable(entry, this.#mark);
    };
    // In the order of their starts one pass finds descendants too.
    for (const entry of processes) {
      if (entry.pid !== this.#leader && entry.pid !== process.pid && isMember(entry)) {
        found.add(entry.pid);
      }
    }
    return [...found];
  }

  /**
   * Sends a signal other than KILL to every process of the tree. False where there is only what confines the program,
   * which is about to start it: nothing is sent then, because part of it would end and the rest start the program.
   */
  signal(
    name: "SIGINT" | "SIGTERM",
    processes: readonly ProcessEntry[] = scanProcesses().toSorted(byStart),
  ): boolean {
    const others = this.#others(processes);
    if (this.#depth === 0) {
      if (this.#isLeaderThere()) sendSignal(-this.#leader, name);
      for (const pid of others) sendSignal(pid, name);
      return true;
    }
    // A process that confines the program would take all of it along at once, so it gets no signal that can be handled.
    const around = this.#around(processes);
    const inside = others.filter((pid) => !around.includes(pid));
    for (const pid of inside) sendSignal(pid, name);
    return inside.length > 0;
  }

  /** Kills every process of the tree and answers how many there were; zero is certain only after several looks. */
  kill(processes?: readonly ProcessEntry[]): number {
    const others = this.others(processes);
    const isThere = this.#isLeaderThere();
    if (isThere) sendSignal(-this.#leader, "SIGKILL");
    for (const pid of others) sendSignal(pid, "SIGKILL");
    return others.length + (isThere ? 1 : 0);
  }

  /** To the program alone. */
  signalLeader(name: NodeJS.Signals): void {
    if (!this.#isLeaderThere()) return;
    const chain = this.#depth === 0 ? [] : this.#chain(scanProcesses(), this.#depth);
    sendSignal(chain.at(-1) ?? this.#leader, name);
  }

  /** What stands between the one that was started and the program, both left out. */
  #around(processes: readonly ProcessEntry[]): readonly number[] {
    return this.#depth === 0 ? [] : this.#chain(processes, this.#depth - 1);
  }

  /** The first child of the one that was started, the first child of that, and so on. */
  #chain(processes: readonly ProcessEntry[], length: number): readonly number[] {
    const chain: number[] = [];
    for (let parent = this.#leader; chain.length < length;) {
      const [first] = processes
        .filter((entry) => entry.parent === parent)
        .toSorted((a, b) => a.startTicks - b.startTicks || a.pid - b.pid);
      if (first === undefined) break;
      chain.push(first.pid);
      parent = first.pid;
    }
    return chain;
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
    .filter((entry) => entry.pid !== process.pid && hasVariable(entry, `${markerName}=${mark}`))
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
