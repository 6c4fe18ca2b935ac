import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gitNeutralisers } from "../../src/shell/index.ts";
import type { World } from "./world.ts";

/** One thing that a traced program did, with an absolute path or an address. */
export interface Observation {
  readonly kind: "read" | "write" | "execute" | "connect";
  readonly target: string;
}

/** System calls that show a file opened or changed, a program started, or a network used. */
const calls =
  "open,openat,getdents64,openat2,creat,execve,execveat,connect,sendto,sendmsg,sendmmsg,bind,mkdir,mkdirat,rmdir,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,chown,lchown,fchownat,mknod,mknodat,utimensat,setxattr,lsetxattr,removexattr,mount,umount2,chdir";

/** Seconds that one command may take; one that waits for input is stopped. */
const limit = 2;

/**
 * Runs commands one after the other under strace, confined: the machine is read-only, the network is off, and only
 * the log directory can be written. Returns what each did.
 */
export async function traceCommands(
  commands: readonly (readonly string[])[],
  world: World,
  shard: number,
): Promise<readonly (readonly Observation[])[]> {
  const log = (index: number): string => path.join(world.logs, `${shard}-${index}.trace`);
  const lines = commands.map((words, index) => {
    const traced = words.map(quote).join(" ");
    return `timeout -k 1 ${limit} strace -f -qq -y -s 4096 -e signal=none -e trace=${calls} -o ${quote(log(index))} env -- ${traced} < ${quote(path.join(world.workspace, "a.txt"))} > /dev/null 2>&1`;
  });
  const script = path.join(world.logs, `${shard}.sh`);
  writeFileSync(script, `cd ${quote(world.workspace)}\n${lines.join("\n")}\n`);
  const { logs, home } = world;
  const environment = Object.entries(gitNeutralisers).flatMap(([name, value]) => [
    "--setenv",
    name,
    value,
  ]);
  const confinement = `--ro-bind / / --dev /dev --proc /proc --bind ${logs} ${logs} --unshare-pid --unshare-net --unshare-ipc --die-with-parent --clearenv --setenv PATH ${searchPath} --setenv HOME ${home} --setenv LC_ALL C.UTF-8 --setenv TERM dumb`;
  await run(["bwrap", ...confinement.split(" "), ...environment, "--", "/bin/sh", script]);
  return commands.map((_, index) => observationsIn(readTrace(log(index))));
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

function readTrace(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

const changing =
  /^(?:creat|mkdir|rmdir|unlink|rename|link|symlink|truncate|f?chmod|l?chown|fchown|mknod|utimens|l?setxattr|removexattr|mount|umount)/u;

/** Exported for its test. */
export function observationsIn(trace: string): readonly Observation[] {
  const out: Observation[] = [];
  let isFirst = true;
  for (const line of wholeCalls(trace)) {
    const match = /^(?:\d+\s+)?([a-z0-9_]+)\((.*)$/u.exec(line);
    if (match === null) continue;
    const [, call = "", rest = ""] = match;
    // A directory that is opened for writing is not changed.
    const failed = /= -1 (?:ENOENT|EISDIR)/u.test(rest);
    if (call.startsWith("execve")) {
      // The first is `env`, the second the command itself; a name that is not there is a search of PATH.
      if (failed || isFirst) {
        isFirst = false;
        continue;
      }
      out.push({ kind: "execute", target: pathIn(rest) });
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
