import { lstatSync, readFileSync, readlinkSync, statSync, type Stats } from "node:fs";

/** Directories that contain the system's programs, in search order. */
const systemDirectories = [
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/run/current-system/sw/bin",
  "/usr/local/bin",
];

/** Maximum number of links to follow, the same as in the kernel. */
const maxLinks = 40;
const groupOrOthersWrite = 0o022;
const othersWrite = 0o002;
const anyExecute = 0o111;

const found = new Map<string, string>();
let trustedDirectories: readonly string[] | undefined;

/**
 * Absolute path of a program that haft itself runs, or undefined if the system has none.
 *
 * Does not read PATH, because `npx` and npm scripts put workspace directories first in it. Accepts a program only if
 * root alone can replace it, its links and the directories in its path. Results are cached.
 */
export function systemProgram(name: string): string | undefined {
  const known = found.get(name);
  if (known !== undefined) return known;
  for (const directory of directories()) {
    const path = `${directory}/${name}`;
    if (!isTrustedProgram(path)) continue;
    found.set(name, path);
    return path;
  }
  return undefined;
}

/** Reason why a program cannot be used: it is missing, or every copy could be replaced. */
export function missingProgram(name: string): string {
  const untrusted = systemDirectories
    .map((directory) => `${directory}/${name}`)
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  if (untrusted === undefined) return `${name} is not installed.`;
  return `${untrusted} can be replaced by others than root, so it is not used.`;
}

/** Environment of a program that haft itself runs; inherits nothing, because a project may set haft's environment. */
export function systemEnvironment(): Readonly<Record<string, string>> {
  return { PATH: systemPath(), LC_ALL: "C" };
}

/** PATH for the programs that these programs start. */
export function systemPath(): string {
  return directories().join(":");
}

/** Whether a path resolves to a program that only root can replace. */
export function isTrustedProgram(path: string): boolean {
  const end = trustedEnd(path);
  return end?.isFile() === true && (end.mode & anyExecute) !== 0;
}

function directories(): readonly string[] {
  trustedDirectories ??= systemDirectories.filter(
    (directory) => trustedEnd(directory)?.isDirectory() === true,
  );
  return trustedDirectories;
}

/** Status of a path's target; undefined unless root alone can change every step to it, links included. */
function trustedEnd(path: string): Stats | undefined {
  let names = path.split("/").filter((name) => name !== "");
  let at = "";
  let stat = statAt("/");
  for (let links = 0; names.length > 0;) {
    const [name = "", ...rest] = names;
    if (stat?.isDirectory() !== true || !isRoots(stat)) return undefined;
    names = rest;
    if (name === "." || name === "..") {
      if (name === "..") at = at.slice(0, Math.max(0, at.lastIndexOf("/")));
      stat = statAt(at === "" ? "/" : at);
      continue;
    }
    const next = `${at}/${name}`;
    const entry = statAt(next);
    if (entry?.isSymbolicLink() !== true) {
      at = next;
      stat = entry;
      continue;
    }
    links += 1;
    if (links > maxLinks) return undefined;
    const target = readlinkSync(next);
    names = [...target.split("/").filter((part) => part !== ""), ...rest];
    if (target.startsWith("/")) {
      at = "";
      stat = statAt("/");
    }
  }
  return stat !== undefined && isRoots(stat) ? stat : undefined;
}

function isRoots({ uid, gid, mode }: Stats): boolean {
  if (!isOwnedByRoot(uid)) return false;
  // For root itself, the group of root adds no other user.
  const mask = gid === 0 && process.getuid?.() === 0 ? othersWrite : groupOrOthersWrite;
  return (mode & mask) === 0;
}

/** Whether a file with this owner belongs to root, also as seen inside a user namespace. */
export function isOwnedByRoot(uid: number): boolean {
  return uid === 0 || isOutside(uid);
}

let outside: number | undefined;

/** Whether this is the overflow ID of unmapped users, and no process in this namespace can run under it. */
function isOutside(uid: number): boolean {
  outside ??= outsideUser();
  return uid === outside;
}

function outsideUser(): number {
  try {
    const map = readFileSync("/proc/self/uid_map", "utf8");
    const overflow = Number(readFileSync("/proc/sys/kernel/overflowuid", "utf8"));
    const ranges = map
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/u).map(Number));
    const isMapped = ranges.some(
      ([first = 0, , count = 0]) => overflow >= first && overflow < first + count,
    );
    return isMapped ? -1 : overflow;
  } catch {
    return -1;
  }
}

function statAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
