import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drivers, probeDriver, probeOverlay } from "../../src/sandbox/index.ts";
import { moduleFlags } from "../support/from-source.ts";

// A program that is killed outright ends nothing itself, and what its commands run is of no use to anybody then.

const source = new URL("../../src/index.ts", import.meta.url).href;
const hasOverlay = (await probeOverlay({ directory: realpathSync(tmpdir()) })) === undefined;
const working = await Promise.all(
  drivers.map(async (driver) => ((await probeDriver(driver)).works ? driver.name : undefined)),
);

let base = "";
let mark = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-killed-program-")));
  for (const name of ["work", "temporary"]) mkdirSync(path.join(base, name));
  // In no argument of the program that is killed, but in those of its command.
  mark = `m${process.pid}${Math.trunc(performance.now())}`;
});
afterEach(() => {
  for (const pid of processesWith(mark)) endQuietly(pid);
  rmSync(base, { recursive: true, force: true });
});

/** Processes of this machine whose arguments hold a text, except for those that have ended. */
function processesWith(text: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const isOne =
        /^\d+$/u.test(name) && readFileSync(`/proc/${name}/cmdline`, "latin1").includes(text);
      return isOne && isAlive(Number(name)) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Of one process; one that has ended does not count. */
function childrenOf(parent: number | undefined): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    const [state, above] = /^\d+$/u.test(name) ? statOf(Number(name)) : [];
    return state !== "Z" && Number(above) === parent ? [Number(name)] : [];
  });
}

function isAlive(pid: number): boolean {
  return /^[^ZX]$/u.test(statOf(pid)[0] ?? "");
}

/** From the state on. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** A toolkit's program that has begun a call. */
async function began(sandbox: object, input: { readonly command: string }): Promise<ChildProcess> {
  const program = `
    const { createToolkit } = await import(${JSON.stringify(source)});
    const kit = await createToolkit({ workspace: ${JSON.stringify(path.join(base, "work"))},
      dataDirectory: ${JSON.stringify(path.join(base, "data"))}, mode: "bypassPermissions", sandbox: ${JSON.stringify(sandbox)} });
    process.stdin.on("data", async (input) => {
      await kit.call({ name: "Bash", input: JSON.parse(String(input)) });
      process.stdout.write("over");
    });
    process.stdout.write("ready");`;
  const child = spawn(process.execPath, [...moduleFlags, program], {
    // Files that it leaves behind must not be visible to others.
    env: { ...process.env, TMPDIR: path.join(base, "temporary") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.stdin.write(JSON.stringify(input));
  return child;
}

const lasting = (): string => `node -e 'setInterval(() => 0, 1e6)' ${mark}; echo over`;
const works = (driver: string): boolean =>
  driver === "none" || working.some((name) => name === driver);

test.each([
  { driver: "bwrap", on: "an overlay", sandbox: { driver: "bwrap" } },
  { driver: "landlock", on: "an overlay", sandbox: { driver: "landlock" } },
  { driver: "none", on: "an overlay", sandbox: { require: "off" } },
  { driver: "bwrap", on: "the real files", sandbox: { driver: "bwrap", overlay: "off" } },
  { driver: "landlock", on: "the real files", sandbox: { driver: "landlock", overlay: "off" } },
  { driver: "none", on: "the real files", sandbox: { require: "off", overlay: "off" } },
])(
  "what a command runs on $on, held by $driver, ends with the program that is killed",
  async ({ driver, on, sandbox }) => {
    if (!works(driver) || (on === "an overlay" && !hasOverlay)) return;
    const child = await began(sandbox, { command: lasting() });
    await expect.poll(() => processesWith(mark).length).toBeGreaterThan(1);

    child.kill("SIGKILL");
    await once(child, "close");

    await expect.poll(() => processesWith(mark)).toEqual([]);
  },
);

test.each([
  { driver: "bwrap", sandbox: { driver: "bwrap" } },
  { driver: "landlock", sandbox: { driver: "landlock" } },
  { driver: "none", sandbox: { require: "off" } },
])(
  "what was asked to run in the background, held by $driver, does not",
  async ({ driver, sandbox }) => {
    if (!works(driver)) return;
    const input = { command: `${lasting()} > "$PWD/printed"`, run_in_background: true };
    const child = await began(sandbox, input);
    await once(child.stdout ?? child, "data");
    await expect.poll(() => processesWith(mark).length).toBeGreaterThan(1);
    const running = processesWith(mark);
    const watching = childrenOf(child.pid).filter((pid) => !running.includes(pid));

    child.kill("SIGKILL");
    await once(child, "close");

    // By then whatever was to end has.
    await expect.poll(() => watching.filter(isAlive)).toEqual([]);
    expect(running.filter(isAlive)).toEqual(running);
  },
  60_000,
);
