import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { pacer } from "../../text/index.ts";

/** File that a running program has locked, such as a database in use or a file of a package manager. */
export interface LockedFile {
  readonly path: string;
  /** Process id of the program; undefined if the system does not report it. */
  readonly process?: number;
  /** Name of the program in the process list. */
  readonly program?: string;
}

interface Lock {
  readonly pid: number;
  /** Major and minor number of the file system, as in the table. */
  readonly device: string;
}

const form =
  /^\d+: (?:FLOCK|POSIX|OFDLCK)\s+\S+\s+\S+\s+(?<pid>-?\d+) (?<device>[0-9a-f]+:[0-9a-f]+):(?<inode>\d+) /gmu;

/**
 * Returns those of the paths that are files locked by another program. That program continues with its open file, so it
 * does not see a replacement. Locks on directories do not count, because directories are not replaced.
 */
export async function lockedFiles(paths: readonly string[]): Promise<readonly LockedFile[]> {
  const locks = lockTable();
  if (locks.size === 0) return [];
  const pace = pacer();
  const locked: LockedFile[] = [];
  for (const path of paths) {
    await pace();
    const file = fileAt(path);
    const holder = file && holderOf(file, locks.get(file.inode) ?? []);
    if (holder !== undefined) locked.push({ path, ...holder });
  }
  return locked;
}

/** Returns acquired locks, not pending ones, by inode number; without those of this process. */
function lockTable(): ReadonlyMap<string, readonly Lock[]> {
  const locks = new Map<string, Lock[]>();
  for (const { groups } of textOf("/proc/locks").matchAll(form)) {
    const { pid = "", device = "", inode = "" } = groups ?? {};
    if (Number(pid) === process.pid) continue;
    locks.set(inode, [...(locks.get(inode) ?? []), { pid: Number(pid), device }]);
  }
  return locks;
}

interface FileNumbers {
  readonly device: bigint;
  readonly inode: string;
}

function fileAt(path: string): FileNumbers | undefined {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stat?.isFile() === true ? { device: stat.dev, inode: String(stat.ino) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the process that locked a file; undefined if the locks are on other files, which have the same inode number
 * on other file systems.
 */
function holderOf(file: FileNumbers, locks: readonly Lock[]): Omit<LockedFile, "path"> | undefined {
  for (const { pid, device } of locks) {
    const isSame = device === tableDevice(file.device);
    if (pid > 0 && (isSame || hasOpen(pid, file))) return { process: pid, ...programOf(pid) };
    // For some file systems the table shows a device number that none of their files has, and for some locks no
    // process.
    const holder = isSame ? undefined : processes().find((each) => hasOpen(each, file));
    if (holder !== undefined) return { process: holder, ...programOf(holder) };
    if (isSame) return {};
  }
  return undefined;
}

/** Formats a device number like the kernel's table: 12 bits major, 20 bits minor. */
function tableDevice(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n);
  const minor = (device & 0xffn) | ((device >> 12n) & 0xffffff00n);
  return [major, minor].map((number) => number.toString(16).padStart(2, "0")).join(":");
}

function processes(): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) && pid !== process.pid ? [pid] : [];
  });
}

function hasOpen(pid: number, { device, inode }: FileNumbers): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
      const stat = statSync(`/proc/${pid}/fd/${descriptor}`, {
        bigint: true,
        throwIfNoEntry: false,
      });
      return stat?.dev === device && String(stat.ino) === inode;
    });
  } catch {
    // The process has ended, or belongs to another user.
    return false;
  }
}

function programOf(pid: number): { readonly program?: string } {
  const program = textOf(`/proc/${pid}/comm`).trim();
  return program === "" ? {} : { program };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
