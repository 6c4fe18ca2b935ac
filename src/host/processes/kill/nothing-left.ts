import { existsSync, readFileSync, readlinkSync } from "node:fs";

/** A moment, as a clock and the kernel's count of processes tell it. */
export interface Moment {
  /** Reading of the monotonic clock, in milliseconds. */
  readonly at: number;
  /** Number of processes and threads that were started since the machine was; NaN where it is not known. */
  readonly forks: number;
}

/** A program that has ended. */
export interface EndedLeader {
  readonly pid: number;
  /** Any moment before its start. */
  readonly before: Moment;
}

/** Maximum number of pids that are looked at; beyond that a scan of everything is cheaper. */
const maxPids = 2000;
/** Pids are given out at most this often in a millisecond, on any machine. */
const maxPidsPerMs = 1000;
/** Milliseconds for which a moment stands for a later one: counting takes a large machine a while. */
const knownMs = 1000;
/** Maximum number of processes between one and the first of all. */
const maxAncestors = 100;

/**
 * Whether it is certain that nothing that a program started exists any more; false if it is unknown.
 *
 * The kernel gives out pids in ascending order until it starts again from the lowest ones. Before that, whatever the
 * program started, and whatever that started, has a pid between the program's and the latest one, wherever it is: in a
 * group, session or namespace of its own, without a tag, and without a parent. So this looks at a few pids where a scan
 * looks at every process, and it overlooks none: a process that ends during the look can only have started one with a
 * later pid, which is looked at next. A process that may choose its own pid is privileged, and could end this one as
 * well.
 *
 * Others that were started meanwhile do not count if they are below another program of this process, in `others`, or
 * below an older process that this one does not descend from: an orphan goes to an ancestor of what started it. A process
 * with a later pid than one below it is older, too: it has its pid from before the pids started again.
 */
export function isNothingLeftOf(
  { pid: leader, before }: EndedLeader,
  others: ReadonlySet<number>,
): boolean {
  const ancestors = new Set<number>();
  for (let looked = leader; ;) {
    const latest = numberIn("/proc/sys/kernel/ns_last_pid");
    // Also where the file does not exist.
    if (!(latest >= looked) || latest - leader > maxPids) return false;
    if (latest === looked) return !mayRepeat(before) && isOwnProc();
    for (let pid = looked + 1; pid <= latest; pid += 1) {
      // A look without an exception, because most of them are gone.
      if (!existsSync(`/proc/${pid}`)) continue;
      const facts = factsOf(pid);
      if (facts === undefined || facts.isThread) continue;
      if (ancestors.size === 0) for (const each of ownAncestors()) ancestors.add(each);
      const parentOf = (one: number): number | undefined => factsOf(one)?.parent;
      if (!isUnrelated(pid, { leader, others, ancestors, parentOf })) return false;
    }
    looked = latest;
  }
}

let lastMoment: Moment | undefined;

/** A moment that is not later than this call. */
export function recentMoment(): Moment {
  const at = performance.now();
  if (lastMoment === undefined || at - lastMoment.at > knownMs) lastMoment = { at, forks: forks() };
  return lastMoment;
}

/** Whether all pids may have been given out since then, so that they are in no order. */
function mayRepeat(before: Moment): boolean {
  const all = numberIn("/proc/sys/kernel/pid_max");
  if ((performance.now() - before.at) * maxPidsPerMs < all) return false;
  // Half of them, because a start that fails takes a pid and does not count.
  return !(forks() - before.forks < all / 2);
}

function forks(): number {
  return Number(/^processes (\d+)$/mu.exec(textOf("/proc/stat"))?.[1]);
}

export interface Relatives {
  readonly leader: number;
  readonly others: ReadonlySet<number>;
  /** This process and its ancestors. */
  readonly ancestors: ReadonlySet<number>;
  /** Parent of a process; undefined if it is gone. */
  readonly parentOf: (pid: number) => number | undefined;
}

/** Whether it is certain that the leader did not start a process with a later pid, and nothing that did. */
export function isUnrelated(
  pid: number,
  { leader, others, ancestors, parentOf }: Relatives,
): boolean {
  let isBelowOlder = false;
  for (let at = pid, steps = 0; steps < maxAncestors; steps += 1) {
    if (others.has(at)) return true;
    // Below this process are the helpers that start programs as well.
    if (at === process.pid) return false;
    if (at <= 1 || ancestors.has(at)) return isBelowOlder;
    if (at < leader || at > pid) isBelowOlder = true;
    const parent = parentOf(at);
    if (parent === undefined) return false;
    at = parent;
  }
  return false;
}

/** Whether /proc shows the processes that this one sees, and not those of another namespace. */
function isOwnProc(): boolean {
  try {
    return readlinkSync("/proc/self") === String(process.pid);
  } catch {
    return false;
  }
}

function ownAncestors(): readonly number[] {
  const found = [process.pid];
  for (let at = process.ppid; at > 1 && found.length < maxAncestors;) {
    found.push(at);
    at = factsOf(at)?.parent ?? 0;
  }
  return found;
}

interface ProcessFacts {
  readonly parent: number;
  readonly isThread: boolean;
}

/** Facts of a process or thread; undefined if it is gone or a zombie. */
function factsOf(pid: number): ProcessFacts | undefined {
  const status = textOf(`/proc/${pid}/status`);
  const state = fieldOf(status, /^State:\s*(\S+)/mu);
  if (state === undefined || state === "X") return undefined;
  // A process whose first thread has ended looks like a zombie while its other threads run.
  if (state === "Z" && Number(fieldOf(status, /^Threads:\s*(\S+)/mu)) <= 1) return undefined;
  const parent = Number(fieldOf(status, /^PPid:\s*(\S+)/mu));
  return { parent, isThread: fieldOf(status, /^Tgid:\s*(\S+)/mu) !== String(pid) };
}

function fieldOf(status: string, field: RegExp): string | undefined {
  return field.exec(status)?.[1];
}

function numberIn(file: string): number {
  const text = textOf(file).trim();
  return text === "" ? Number.NaN : Number(text);
}

function textOf(file: string): string {
  try {
    // UTF-8 is decoded fastest, and the fields that are read are ASCII.
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
