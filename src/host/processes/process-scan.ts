import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

/** One process of this machine, as reported by /proc. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since the machine started; together with the pid unique. */
  readonly startTicks: number;
  /** False for kernel threads, which run no program. */
  readonly hasMemory: boolean;
}

/**
 * Maximum number of reads, a millisecond apart, while a process executes a new program. That takes microseconds, but
 * on a busy machine the process may wait for its turn in between.
 */
const becomingLooks = 2000;

/** Every process that is not a zombie; empty if there is no /proc. */
export function scanProcesses(): readonly ProcessEntry[] {
  let names: readonly string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const pid = Number(name);
    const entry = Number.isInteger(pid) ? processEntry(pid) : undefined;
    return entry === undefined ? [] : [entry];
  });
}

let scanning: Promise<readonly ProcessEntry[]> | undefined;

/**
 * A scan that starts after this call, shared by all callers of one turn: when hundreds of programs are ended together,
 * a scan for each of them would take seconds.
 */
export async function freshScan(): Promise<readonly ProcessEntry[]> {
  scanning ??= new Promise((resolve) => {
    setImmediate(() => {
      scanning = undefined;
      resolve(scanProcesses().toSorted(byStart));
    });
  });
  return await scanning;
}

/** Orders by start: a child never starts before its parent. */
export function byStart(one: ProcessEntry, other: ProcessEntry): number {
  return one.startTicks - other.startTicks || one.pid - other.pid;
}

/** One process, or undefined if it is gone or a zombie. */
export function processEntry(pid: number): ProcessEntry | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const [state, parent, group, session, ...rest] = fieldsOf(stat);
  if (state === "X" || state === undefined) return undefined;
  // A process whose first thread has ended looks like a zombie while its other threads run.
  if (state === "Z" && Number(rest[13]) <= 1) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTicks: Number(rest[15]),
    hasMemory: rest[16] !== "0",
  };
}

/** Whether a process was started with this text among its environment variables. */
export function hasVariable(entry: ProcessEntry, variable: string): boolean {
  if (!entry.hasMemory) return false;
  const environment = environments.get(entry) ?? environmentOf(entry.pid);
  if (environment === undefined) return false;
  environments.set(entry, environment);
  return `\0${environment}`.includes(`\0${variable}`);
}

/** Environments by scan entry, so that each is read once for all callers that share the scan. */
const environments = new WeakMap<ProcessEntry, string>();

/**
 * The environment of a process. It is empty while the process executes a new program, which takes a while on a busy
 * machine.
 */
function environmentOf(pid: number): string | undefined {
  for (let look = 0; ; look += 1) {
    const environment = textOf(`/proc/${pid}/environ`);
    if (environment !== "" || look === becomingLooks || !isBecoming(pid)) return environment;
    if (look > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
}

/** Whether a process whose environment was empty has one now, or will have one in a moment. */
function isBecoming(pid: number): boolean {
  const fields = fieldsOf(textOf(`/proc/${pid}/stat`) ?? "");
  const [size, start, end] = [fields[20], fields[47], fields[48]];
  return size !== undefined && size !== "0" && (start === "0" || start !== end);
}

/** Whether a process was stopped by a signal and waits to be continued. */
export function isStopped(pid: number): boolean {
  return /^[Tt]$/u.test(fieldsOf(textOf(`/proc/${pid}/stat`) ?? "")[0] ?? "");
}

/** Whether a process is the first one of a nested PID namespace, which lives as long as anything in it. */
export function isNamespaceInit(pid: number): boolean {
  return isInit(textOf(`/proc/${pid}/status`) ?? "");
}

/**
 * Whether a signal has no effect on a process: it is the first one of a nested PID namespace, to which the kernel
 * delivers only what it handles, and KILL.
 */
export function isImmuneInit(pid: number, signal: "SIGINT" | "SIGTERM"): boolean {
  const status = textOf(`/proc/${pid}/status`) ?? "";
  const [, handled] = /^SigCgt:\s*([\da-f]+)$/mu.exec(status) ?? [];
  if (handled === undefined || !isInit(status)) return false;
  const bit = 1n << BigInt(constants.signals[signal] - 1);
  return (BigInt(`0x${handled}`) & bit) === 0n;
}

function isInit(status: string): boolean {
  const [, ids = ""] = /^NSpid:(.*)$/mu.exec(status) ?? [];
  const numbers = ids.trim().split(/\s+/u);
  return numbers.length > 1 && numbers.at(-1) === "1";
}

/**
 * Token that distinguishes this process from every other with the same pid, before or after; undefined if the process
 * is gone or there is no /proc.
 */
export function startTokenOf(pid: number): string | undefined {
  const ticks = processEntry(pid)?.startTicks;
  return ticks === undefined ? undefined : startToken(ticks);
}

/**
 * Token of a process that was started at these ticks. Ticks restart at zero with each boot, so the token includes the
 * boot.
 */
export function startToken(ticks: number): string {
  bootId ??= textOf("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return `${bootId}/${ticks}`;
}

/** Start time of a process in ticks, also of one that has ended but was not reaped yet. */
export function startTicksOf(pid: number): number | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : Number(fieldsOf(stat)[19]);
}

let bootId: string | undefined;

/** The fields of a process's stat, from its state on. */
function fieldsOf(stat: string): readonly string[] {
  // The name in parentheses may contain any character, including spaces and parentheses.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function textOf(file: string): string | undefined {
  try {
    // UTF-8 is decoded fastest, and the fields that are read are ASCII, which other bytes do not change.
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
