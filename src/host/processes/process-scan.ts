import { readdirSync, readFileSync } from "node:fs";

/** One process of this machine, as /proc tells it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since the machine started: with the pid, a name that is never used twice. */
  readonly startTicks: number;
  /** False for those of the kernel itself, which run no program. */
  readonly hasMemory: boolean;
}

/** How often, a millisecond apart, one that is becoming another program is looked at. */
const becomingLooks = 100;

/** Every process that is not a zombie; none where there is no /proc. */
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
 * A scan that starts after this call, shared by all that ask in one turn: where hundreds of programs are ended together,
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

/** A child never starts before its parent. */
export function byStart(one: ProcessEntry, other: ProcessEntry): number {
  return one.startTicks - other.startTicks || one.pid - other.pid;
}

/** One process, or undefined where it is gone or a zombie. */
export function processEntry(pid: number): ProcessEntry | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const [state, parent, group, session, ...rest] = fieldsOf(stat);
  if (state === "X" || state === undefined) return undefined;
  // A first thread that has ended looks like a zombie while the others go on.
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

/** By the entries of one scan, so that each is read once for all that share the scan. */
const environments = new WeakMap<ProcessEntry, string>();

/** While a process becomes another program it shows none, and on a busy machine that can take a while. */
function environmentOf(pid: number): string | undefined {
  for (let look = 0; ; look += 1) {
    const environment = textOf(`/proc/${pid}/environ`);
    if (environment !== "" || look === becomingLooks || !isBecoming(pid)) return environment;
    if (look > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
}

/** Whether a process whose environment was empty when it was looked at has one, or will have in a moment. */
function isBecoming(pid: number): boolean {
  const fields = fieldsOf(textOf(`/proc/${pid}/stat`) ?? "");
  const [size, start, end] = [fields[20], fields[47], fields[48]];
  return size !== undefined && size !== "0" && (start === "0" || start !== end);
}

/** Whether a process was stopped by a signal and waits for another to go on. */
export function isStopped(pid: number): boolean {
  return /^[Tt]$/u.test(fieldsOf(textOf(`/proc/${pid}/stat`) ?? "")[0] ?? "");
}

/** Whether a process is the first of a process namespace below this one, which lives as long as anything in it. */
export function isNamespaceInit(pid: number): boolean {
  const [, ids = ""] = /^NSpid:(.*)$/mu.exec(textOf(`/proc/${pid}/status`) ?? "") ?? [];
  const numbers = ids.trim().split(/\s+/u);
  return numbers.length > 1 && numbers.at(-1) === "1";
}

/**
 * What tells this process from every other that had or will have its pid; undefined where there is no
 * such process any more, or no /proc.
 */
export function startTokenOf(pid: number): string | undefined {
  const ticks = processEntry(pid)?.startTicks;
  return ticks === undefined ? undefined : startToken(ticks);
}

/** The token of a process that was started at these ticks. Ticks begin anew with each start of the machine. */
export function startToken(ticks: number): string {
  bootId ??= textOf("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return `${bootId}/${ticks}`;
}

/** When a process was started, also one that has ended and whose parent has not asked yet. */
export function startTicksOf(pid: number): number | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : Number(fieldsOf(stat)[19]);
}

let bootId: string | undefined;

/** The fields of a process's stat, from its state on. */
function fieldsOf(stat: string): readonly string[] {
  // The name in parentheses may hold anything, also spaces and parentheses.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return undefined;
  }
}
