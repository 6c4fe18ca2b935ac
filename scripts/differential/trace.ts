import { spawn } from "node:child_process";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gitNeutralisers } from "../../src/shell/index.ts";
import type { World } from "./world.ts";

/** One thing that a traced program did, with an absolute path or an address. */
export interface Observation {
  readonly kind: "read" | "write" | "execute" | "connect";
  readonly target: string;
}

/**
 * System calls that show a file opened or changed, a program started, or a network used, and those that show
 * which process started which.
 */
const calls =
  "clone,clone3,fork,vfork,open,openat,getdents64,openat2,creat,execve,execveat,connect,sendto,sendmsg,sendmmsg,bind,mkdir,mkdirat,rmdir,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,chown,lchown,fchownat,mknod,mknodat,utimensat,setxattr,lsetxattr,removexattr,mount,umount2,chdir";

/** Seconds that one command may take; one that waits for input is stopped. */
const limit = 2;

/** A path that is nowhere; the shell of a batch tries to open it with a number before each command. */
const marker = "/haft-differential-command";

/**
 * Runs commands one after the other, confined: the machine is read-only, the network is off, and only the log
 * directory can be written. Returns what each did.
 *
 * One strace follows the shell that runs them all, because starting a tracer costs more than most commands do. A
 * process belongs to the command during which the shell started it or an ancestor of it, so one that outlives its
 * command is still counted there.
 */
export async function traceCommands(
  commands: readonly (readonly string[])[],
  world: World,
  shard: number,
): Promise<readonly (readonly Observation[])[]> {
  const { logs, home, workspace } = world;
  const log = path.join(logs, `${shard}.trace`);
  const script = path.join(logs, `${shard}.sh`);
  const lines = commands.flatMap((words, index) => [
    mark(index),
    `timeout -k 1 ${limit} ${words.map(quote).join(" ")} < ${quote(path.join(workspace, "a.txt"))} > /dev/null 2>&1`,
  ]);
  // The parent of the shell is strace, which would wait for programs that detached themselves.
  writeFileSync(
    script,
    [`cd ${quote(workspace)}`, ...lines, mark(commands.length), "kill -TERM $PPID", ""].join("\n"),
  );
  const environment = Object.entries(gitNeutralisers).flatMap(([name, value]) => [
    "--setenv",
    name,
    value,
  ]);
  const confinement = `--ro-bind / / --dev /dev --proc /proc --bind ${logs} ${logs} --unshare-pid --unshare-net --unshare-ipc --die-with-parent --clearenv --setenv PATH ${searchPath} --setenv HOME ${home} --setenv LC_CTYPE C.UTF-8 --setenv TERM dumb`;
  const tracer = `strace -f --seccomp-bpf -qq -y -s 4096 -e signal=none -e trace=${calls} -o ${log}`;
  await run([
    "bwrap",
    ...confinement.split(" "),
    ...environment,
    "--",
    ...tracer.split(" "),
    "/bin/sh",
    script,
  ]);
  const traces = splitTrace(readFileSync(log, "latin1"));
  rmSync(log);
  if (traces.length !== commands.length + 1) {
    throw new Error(`The trace of ${script} shows ${traces.length - 1} of ${commands.length}.`);
  }
  return traces.slice(0, -1).map(observationsIn);
}

/** A line of the batch that shows in its trace that the command of this number starts. */
function mark(index: number): string {
  return `true 2> /dev/null < ${marker}/${index}`;
}

export const searchPath = "/usr/sbin:/usr/bin:/sbin:/bin";

async function run([program = "", ...words]: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, words, { stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}

/** A word as a shell reads it back unchanged. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The part of a trace that belongs to each command of a batch. Exported for its test. */
export function splitTrace(trace: string): readonly string[] {
  const lines = wholeCalls(trace);
  const parents = new Map<string, string>();
  for (const line of lines) {
    const [, parent = "", child = ""] =
      /^(\d+)\s+(?:clone3?|v?fork)\(.* = (\d+)(?:<[^>]*>)?$/u.exec(line) ?? [];
    if (child !== "") parents.set(child, parent);
  }
  const [shell = ""] = /^\d+/u.exec(trace) ?? [];
  const parts: string[][] = [];
  const commandOf = new Map<string, number>();
  // A process may show up before the call that made it returns: its ancestor that the shell started counts.
  const rootOf = (id: string): string => {
    let at = id;
    for (let up = parents.get(at); up !== undefined && up !== shell; up = parents.get(at)) at = up;
    return at;
  };
  for (const line of lines) {
    const [id = ""] = /^\d+/u.exec(line) ?? [];
    if (id === shell) {
      if (line.includes(`"${marker}/`)) parts.push([]);
      continue;
    }
    const root = rootOf(id);
    const command = commandOf.get(root) ?? parts.length - 1;
    commandOf.set(root, command);
    parts[command]?.push(line);
  }
  return parts.map((part) => part.join("\n"));
}

const changing =
  /^(?:creat|mkdir|rmdir|unlink|rename|link|symlink|truncate|f?chmod|l?chown|fchown|mknod|utimens|l?setxattr|removexattr|mount|umount)/u;

/** Observations in the trace of one command. Exported for its test. */
export function observationsIn(trace: string): readonly Observation[] {
  const out: Observation[] = [];
  // The first program is `timeout`; before it the shell opens the input and output of the command.
  let isStarted = false;
  for (const line of wholeCalls(trace)) {
    const match = /^(?:\d+\s+)?([a-z0-9_]+)\((.*)$/u.exec(line);
    if (match === null) continue;
    const [, call = "", rest = ""] = match;
    // A directory that is opened for writing is not changed.
    const failed = /= -1 (?:ENOENT|EISDIR)/u.test(rest);
    if (call.startsWith("execve")) {
      // A name that is not there is a search of PATH.
      if (isStarted && !failed) out.push({ kind: "execute", target: pathIn(rest) });
      isStarted ||= !failed;
    } else if (!isStarted) {
      continue;
    } else if (call.startsWith("open")) {
      const isWrite = /O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/u.test(rest);
      if (isWrite && !rest.includes("= -1 EISDIR"))
        out.push({ kind: "write", target: pathIn(rest) });
      else if (!failed && !rest.includes("O_PATH") && !isDirectory(pathIn(rest))) {
        out.push({ kind: "read", target: pathIn(rest) });
      }
    } else if (call === "getdents64") {
      // A directory counts as read when it is listed; many programs only open the one they work in.
      out.push({ kind: "read", target: /^\d+<([^>]*)>/u.exec(rest)?.[1] ?? "" });
    } else if (changing.test(call)) {
      for (const target of allPathsIn(rest)) out.push({ kind: "write", target });
    } else if (/sa_family=AF_(?:INET6?|VSOCK|PACKET)/u.test(rest)) {
      out.push({
        kind: "connect",
        target: /inet_addr\("[^"]*"\)|htons\(\d+\)/u.exec(rest)?.[0] ?? "",
      });
    }
  }
  return out;
}

/** Lines of the trace, a call that another process interrupted in one piece: only its end says whether it failed. */
function wholeCalls(trace: string): readonly string[] {
  const begun = new Map<string, string>();
  return trace.split("\n").flatMap((line) => {
    const [, process = ""] = /^(\d+)\s/u.exec(line) ?? [];
    const start = /^(.*)<unfinished \.\.\.>$/u.exec(line)?.[1];
    if (start !== undefined) {
      begun.set(process, start);
      return [];
    }
    const end = /<\.\.\. \w+ resumed>(.*)$/u.exec(line)?.[1];
    return end === undefined ? [line] : [`${begun.get(process) ?? ""}${end}`];
  });
}

function isDirectory(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // Of a process that has ended, or that is another user's.
    return false;
  }
}

/** The first path of a call, with the directory that `-y` prints for a descriptor or the working directory. */
function pathIn(rest: string): string {
  return allPathsIn(rest)[0] ?? "";
}

function allPathsIn(rest: string): readonly string[] {
  const out: string[] = [];
  let directory = "";
  for (const match of rest.matchAll(/(?:AT_FDCWD|\d+)<([^>]*)>|"((?:[^"\\]|\\.)*)"/gu)) {
    if (match[1] !== undefined) directory = match[1];
    else if (match[2] !== undefined) out.push(path.resolve(directory || "/", match[2]));
  }
  return out;
}
