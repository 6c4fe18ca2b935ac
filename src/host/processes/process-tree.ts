import { killAll, sendSignal, type FoundProcesses } from "./kill/ordered-kill.ts";
import { markerName } from "./process-tag.ts";
import {
  byStart,
  hasVariable,
  isImmuneInit,
  isNamespaceInit,
  scanProcesses,
  startTicksOf,
  type ProcessEntry,
} from "./process-scan.ts";

/** A started program; with its start time, its pid is unambiguous. */
type Leader = {
  readonly pid: number;
  readonly startTicks: number | undefined;
  /** Number of processes between this one and the program, which pass on no signal. */
  readonly depth?: number | undefined;
};

/** A program and all it started: its group, its session, its descendants, and every process with its tag. */
export class ProcessTree {
  readonly #leader: number;
  readonly #mark: string;
  readonly #startTicks: number | undefined;
  readonly #depth: number;
  /** Start times by pid of all that was found before: a process remains a member when its parent is gone. */
  readonly #known = new Map<number, number>();
  #isLeaderGone = false;

  constructor(leader: Leader, mark: string) {
    this.#leader = leader.pid;
    this.#mark = `${markerName}=${mark}\0`;
    this.#startTicks = leader.startTicks;
    this.#depth = leader.depth ?? 0;
  }

  /** Records that the program itself has ended: its pid may be reused from now on. */
  leaderEnded(): void {
    this.#isLeaderGone = true;
  }

  /** Whether any process of the group is left, in one system call; processes that left the group do not count. */
  hasGroup(): boolean {
    return sendSignal(-this.#leader, 0);
  }

  /** Remaining processes except the program itself and the processes that confine it. */
  left(processes: readonly ProcessEntry[]): readonly number[] {
    const others = this.#others(processes);
    return this.#depth === 0 ? others : others.filter((pid) => !isNamespaceInit(pid));
  }

  /** All processes of the tree except the started one. */
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
      if (found.has(entry.parent) || this.#known.get(entry.pid) === entry.startTicks) return true;
      if (!this.#isLeaderGone && entry.parent === this.#leader) return true;
      return hasVariable(entry, this.#mark);
    };
    // In order of their starts, one pass also finds descendants.
    for (const entry of processes) {
      if (entry.pid !== this.#leader && entry.pid !== process.pid && isMember(entry)) {
        found.add(entry.pid);
        this.#known.set(entry.pid, entry.startTicks);
      }
    }
    return [...found];
  }

  /**
   * Sends a signal other than KILL to every process of the tree. Returns false if only the confining process exists,
   * which is about to start the program: nothing is sent then, because some of the processes would end and the others
   * would start the program.
   */
  signal(
    name: "SIGINT" | "SIGTERM",
    processes: readonly ProcessEntry[] = scanProcesses().toSorted(byStart),
  ): boolean {
    const others = this.#others(processes);
    // A signal to the confining process would end the whole program at once, so only the processes inside get signals
    // that can be handled.
    const around = this.#around(processes);
    const inside = others.filter((pid) => !around.includes(pid));
    if (this.#depth > 0 && inside.length === 0) return false;
    const isLeaderInside = this.#depth === 0 && this.#isLeaderThere();
    const spared = this.#depth === 0 ? [] : [this.#leader, ...around];
    sendToGroups(name, {
      to: isLeaderInside ? [this.#leader, ...inside] : inside,
      spared: spared.filter((pid) => pid === this.#leader || !isImmuneInit(pid, name)),
      processes,
    });
    return true;
  }

  /** All processes of the tree, to be killed in their order. */
  members(processes: readonly ProcessEntry[] = scanProcesses().toSorted(byStart)): FoundProcesses {
    const leaders = this.leaders();
    return { pids: [...leaders, ...this.#others(processes)], leaders };
  }

  /** The program itself, if it is there. */
  leaders(): readonly number[] {
    return this.#isLeaderThere() ? [this.#leader] : [];
  }

  /** Kills every process of the tree and returns how many there were; zero is certain only after several scans. */
  kill(): number {
    return killAll(() => this.members());
  }

  /** Sends a signal to the program alone. */
  signalLeader(name: NodeJS.Signals): void {
    if (!this.#isLeaderThere()) return;
    const chain = this.#depth === 0 ? [] : this.#chain(scanProcesses(), this.#depth);
    sendSignal(chain.at(-1) ?? this.#leader, name);
  }

  /** The processes between the started one and the program, both excluded. */
  #around(processes: readonly ProcessEntry[]): readonly number[] {
    return this.#depth === 0 ? [] : this.#chain(processes, this.#depth - 1);
  }

  /** The first child of the started process, the first child of that child, and so on. */
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

  /** If another process started the program, /proc shows its end before that process reports it. */
  #isLeaderThere(): boolean {
    if (this.#isLeaderGone) return false;
    return this.#startTicks === undefined || startTicksOf(this.#leader) === this.#startTicks;
  }
}

interface GroupSignal {
  readonly to: readonly number[];
  /** Processes that must not receive it. */
  readonly spared: readonly number[];
  readonly processes: readonly ProcessEntry[];
}

/**
 * Sends a signal to the groups of these processes, because a process forked since the scan is in its parent's group and
 * the kernel signals a group as a whole. A process that shares its group with a spared one is signalled alone.
 */
function sendToGroups(signal: NodeJS.Signals, { to, spared, processes }: GroupSignal): void {
  const groups = new Map(processes.map(({ pid, group }) => [pid, group]));
  // Groups 0 and 1 would be this process's own group and every process of the machine.
  const sparedGroups = new Set([0, 1, ...[process.pid, ...spared].map((pid) => groups.get(pid))]);
  const signalled = new Set<number>();
  for (const pid of to) {
    const group = groups.get(pid) ?? pid;
    if (sparedGroups.has(group)) sendSignal(pid, signal);
    else if (!signalled.has(group)) sendSignal(-group, signal);
    signalled.add(group);
  }
}
