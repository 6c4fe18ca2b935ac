import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, expect } from "vitest";

/** The kernel ends the processes of a namespace by itself, in its own time; what is left stays for good. */
const patienceMs = 15_000;

/**
 * Fails each test of a file after which a mount, a process or a file is there that was not there before. Call it above
 * all hooks, so that its own run last. The file gets a temporary directory of its own: whatever this machine does
 * besides is not seen, and every process that a test starts is known by it.
 */
export function leaveNothing(): void {
  const usual = process.env["TMPDIR"];
  const own = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-test-"));
  // An ordinary user works there too.
  chmodSync(own, 0o1777);
  process.env["TMPDIR"] = own;
  let left = watchLeftovers(own);

  beforeEach(() => {
    left = watchLeftovers(own);
  });
  afterEach(async () => {
    expect(await left()).toEqual([]);
  });
  afterAll(() => {
    if (usual === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = usual;
    rmSync(own, { recursive: true, force: true });
  });
}

/** New entries since then, in a temporary directory and from it, once they have had the time to go again. */
export function watchLeftovers(own: string): (waitMs?: number) => Promise<readonly string[]> {
  const before = present(own);
  return async (waitMs = patienceMs) => {
    const giveUpAt = performance.now() + waitMs;
    for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.5, 200)) {
      const left = [...present(own)].filter((line) => !before.has(line));
      if (left.length === 0 || performance.now() > giveUpAt) return left;
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  };
}

/** Things that a test could leave behind, a line each. */
function present(own: string): ReadonlySet<string> {
  return new Set([
    ...readdirSync(own)
      // Of Node, for all its programs: npm asks for it.
      .filter((name) => name !== "node-compile-cache")
      .map((name) => `file ${name}`),
    ...mounts(own).map((line) => `mount ${line}`),
    ...processes(own).map((line) => `process ${line}`),
  ]);
}

/** All mounts, except for those of other tests in temporary directories of theirs. */
function mounts(own: string): readonly string[] {
  return quietly(() => readFileSync("/proc/self/mountinfo", "utf8"))
    .split("\n")
    .filter((line) => {
      const [, , , , where = ""] = line.split(" ");
      return line !== "" && (isBelow(where, own) || !isBelow(where, path.dirname(own)));
    });
}

function isBelow(where: string, folder: string): boolean {
  return where === folder || where.startsWith(`${folder}/`);
}

/**
 * Processes of this machine that have nothing to do with a test, by number and start time. Most are, and they stay so:
 * parent and environment do not change. A process that has just started may not show its environment yet.
 */
const strangers = new Set<string>();

/** Children of this process, and all that work in its temporary directory or have it in their environment. */
function processes(own: string): readonly string[] {
  return quietly(() => readdirSync("/proc").join("\n"))
    .split("\n")
    .flatMap((pid) => {
      if (!/^\d+$/u.test(pid) || pid === String(process.pid)) return [];
      const file = (name: string) => quietly(() => readFileSync(`/proc/${pid}/${name}`, "latin1"));
      const stat = file("stat").split(") ").at(-1)?.split(" ") ?? [];
      const [state, parent] = stat;
      const name = `${pid} ${stat[19]}`;
      if (state === undefined || "ZX".includes(state) || strangers.has(name)) return [];
      const [words, environment] = [file("cmdline"), file("environ")];
      const told = [words, environment, quietly(() => readlinkSync(`/proc/${pid}/cwd`))];
      const isOurs = parent === String(process.pid) || told.some((text) => text.includes(own));
      if (!isOurs && environment !== "") strangers.add(name);
      return isOurs ? [`${pid} ${words.replaceAll("\0", " ").slice(0, 200)}`] : [];
    });
}

/** A process that has ended by the time it is read counts as nothing. */
function quietly(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}
