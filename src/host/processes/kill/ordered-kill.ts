import { isStopped, processEntry } from "../process-scan.ts";

/** Maximum number of scans for processes that are not stopped yet. */
const maxScans = 100;

/** Result of one scan. */
export interface FoundProcesses {
  /** In order of their starts: a child never comes before its parent. */
  readonly pids: readonly number[];
  /** Those of them with a group of their own, which is killed as a whole where no scan shows its members. */
  readonly leaders: readonly number[];
}

/**
 * Kills the processes that several scans find, so that none is lost with the process that leads to it.
 *
 * A process without a tag, in a session of its own, is known by its parent alone. So all of them are stopped first,
 * after which none starts another, and children are killed before their parents: if this process is killed meanwhile,
 * another that scans later still finds the remaining ones.
 */
export class OrderedKill {
  readonly #stopped = new Set<number>();
  #scans = 0;
  #areAllStopped = false;
  #isSent = false;

  /** Whether the last processes that were found were killed, and not only stopped. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /** Stops the processes of a scan, or kills them if it can have missed none. Returns how many there are. */
  next({ pids, leaders }: FoundProcesses): number {
    this.#scans += 1;
    const running = pids.filter((pid) => !this.#stopped.has(pid));
    this.#isSent = (running.length === 0 && this.#areAllStopped) || this.#scans > maxScans;
    if (this.#isSent) {
      for (const pid of pids.toReversed()) sendSignal(pid, "SIGKILL");
      for (const pid of leaders) sendSignal(-pid, "SIGKILL");
      return pids.length;
    }
    for (const pid of running) {
      sendSignal(pid, "SIGSTOP");
      this.#stopped.add(pid);
    }
    // A signal does not interrupt a fork that has begun: only what is seen stopped starts nothing before the next scan.
    this.#areAllStopped = !pids.some(isRunning);
    return pids.length;
  }
}

/** Whether a process has not obeyed SIGSTOP yet; false for the process of another user, which gets no signal. */
function isRunning(pid: number): boolean {
  return sendSignal(pid, 0) && !isStopped(pid) && processEntry(pid) !== undefined;
}

/** Kills what `find` returns, looked up again for each scan. Returns how many processes there were. */
export function killAll(find: () => FoundProcesses): number {
  const kill = new OrderedKill();
  let count = 0;
  while (!kill.isSent) count = kill.next(find());
  return count;
}

/** Sends a signal; whether a process received it. Signal 0 only checks. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
