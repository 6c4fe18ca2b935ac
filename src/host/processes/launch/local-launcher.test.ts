import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ProcessExit } from "../../../core/index.ts";
import { HelperLauncher } from "../helper/helper-launcher.ts";
import { LocalLauncher, runDirectly, type LocalLauncherOptions } from "./local-launcher.ts";
import { LocalProc } from "../local-proc.ts";
import { processEntry, scanProcesses } from "../process-scan.ts";
import { PipePool } from "../pipes/pipe-pool.ts";
import { markerName } from "../process-tag.ts";
import { processesOf } from "../kill/kill-programs.ts";
import { sendSignal } from "../kill/ordered-kill.ts";
import { areLawsFull } from "../../../../test/support/law-runs.ts";

const patience = { terminate: 300, kill: 2000, drain: 250 };
const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };

let root: string;
const opened: (() => Promise<void>)[] = [];

beforeEach(() => {
  root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-launcher-"));
});

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  rmSync(root, { recursive: true, force: true });
});

interface World {
  readonly launcher: LocalLauncher;
  readonly proc: LocalProc;
  readonly dispose: () => Promise<void>;
}

function open(options: LocalLauncherOptions): World {
  const launcher = new LocalLauncher(options);
  const proc = new LocalProc({ environment, patience, launcher });
  const dispose = async (): Promise<void> => {
    await proc.dispose();
    await launcher.dispose();
  };
  opened.push(dispose);
  return { launcher, proc, dispose };
}

async function sh(
  { proc }: World,
  text: string,
  id = text,
): Promise<{ readonly text: string; readonly exit: ProcessExit }> {
  await proc.start({ id, argv: ["/bin/sh", "-c", text], cwd: root });
  return finish(proc, id);
}

async function finish(
  proc: LocalProc,
  id: string,
): Promise<{ readonly text: string; readonly exit: ProcessExit }> {
  let text = "";
  for await (const chunk of proc.output(id, 0)) {
    if ("exit" in chunk) return { text, exit: chunk.exit };
    text += Buffer.from(chunk.bytes).toString();
  }
  throw new Error("There was no exit.");
}

const isAlive = (pid: number): boolean => processEntry(pid) !== undefined;
const descriptors = (): number => readdirSync("/proc/self/fd").length;
const childrenOfOurs = (): readonly number[] =>
  scanProcesses()
    .filter((entry) => entry.parent === process.pid)
    .map((entry) => entry.pid);

/** Waits for the effect of another process. */
async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

/** Pid of the helper, which must be running. */
function helperOf({ launcher }: World): number {
  const { helperPid } = launcher.report;
  if (helperPid === undefined) throw new Error("There is no helper.");
  return helperPid;
}

async function killHelper(world: World): Promise<void> {
  const pid = helperOf(world);
  sendSignal(pid, "SIGKILL");
  await until(() => world.launcher.report.helperPid !== pid);
}

describe("the choice", () => {
  test("a small program starts others itself", async () => {
    const world = open({ bigBytes: Number.POSITIVE_INFINITY });

    expect((await sh(world, "echo $PPID")).text).toBe(`${process.pid}\n`);
    expect(world.launcher.report).toEqual({ by: "direct" });
  });

  test("a big one has a helper do it, one for all, which ends with it", async () => {
    const world = open({ bigBytes: 0, helper: "auto" });
    await sh(world, "true");
    await until(() => world.launcher.report.by === "helper");
    const helper = helperOf(world);
    const texts = ["one", "two"].map(async (id) => (await sh(world, "echo $PPID", id)).text);

    expect(await Promise.all(texts)).toEqual([`${helper}\n`, `${helper}\n`]);
    expect(world.launcher.report).toEqual({ by: "helper", helperPid: helper });
    await world.dispose();
    expect(isAlive(helper)).toBe(false);
    expect(childrenOfOurs()).toEqual([]);
  });

  test("a helper is worth its start for the fourth program, or for any of a huge one", async () => {
    const resident = process.memoryUsage.rss();
    const big = open({ bigBytes: resident / 2 });
    const huge = open({ bigBytes: resident / 8 });
    const parents: string[] = [];
    for (const id of ["1", "2", "3"]) parents.push((await sh(big, "echo $PPID", id)).text);
    await sh(big, "true", "4");
    await sh(huge, "true");
    await until(() => big.launcher.report.by === "helper" && huge.launcher.report.by === "helper");

    expect(new Set(parents)).toEqual(new Set([`${process.pid}\n`]));
    expect((await sh(big, "echo $PPID", "5")).text).toBe(`${helperOf(big)}\n`);
  });

  test("a program that has a helper keeps to it", async () => {
    const world = open({ helper: "always" });
    await sh(world, "true");
    const helper = helperOf(world);

    expect((await sh(world, "echo $PPID")).text).toBe(`${helper}\n`);
  });
});

describe("a helper that is not to be had", () => {
  test.for([
    {
      helperCommand: ["/does/not/exist"],
      failure: "it ended before it could be used, or did not answer",
    },
    {
      helperCommand: ["/bin/false"],
      failure: "it ended before it could be used, or did not answer",
    },
    { helperCommand: ["a\0b"], failure: expect.stringContaining("it could not be started") },
  ])("$helperCommand: programs are started directly, and the report says why", async (given) => {
    const world = open({ helper: "always", helperCommand: given.helperCommand });

    expect((await sh(world, "echo $PPID")).text).toBe(`${process.pid}\n`);
    expect(world.launcher.report).toEqual({ by: "direct", failure: given.failure });
    expect((await sh(world, "echo again")).text).toBe("again\n");
  });

  test("nobody waits long for one that does not answer, and it is not left behind", async () => {
    const helperCommand = ["/bin/sh", "-c", "trap '' TERM; sleep 300; sleep 300"];
    const world = open({ bigBytes: 0, helperCommand });

    // Waiting for the helper would take longer than the test's time limit.
    expect((await sh(world, "echo $PPID")).text).toBe(`${process.pid}\n`);
    // The helper and the watchdog.
    expect(childrenOfOurs()).toHaveLength(2);
    await world.dispose();
    expect(childrenOfOurs()).toEqual([]);
  });
});

test("the watchdog is started again after it was killed", async () => {
  const world = open({ helper: "never" });
  await sh(world, "true", "first");
  const [first = 0, ...more] = childrenOfOurs();
  sendSignal(first, "SIGKILL");
  let starts = 0;
  // The end of the helper is reported a moment later.
  const watching = async (): Promise<readonly number[]> => {
    starts += 1;
    await sh(world, "true", `start ${starts}`);
    return childrenOfOurs().filter((pid) => pid !== first);
  };
  await expect.poll(watching).toEqual([expect.any(Number)]);
  await world.dispose();

  expect(more).toEqual([]);
  expect(childrenOfOurs()).toEqual([]);
});

test("a disposed launcher starts no helper", async () => {
  const pool = new PipePool(runDirectly);
  const launcher = new HelperLauncher(pool);
  await launcher.dispose();

  expect(await launcher.open()).toBe(false);
  expect(await launcher.run(["true"])).toBe(false);
  expect(childrenOfOurs()).toEqual([]);
});

describe("a helper that is lost", () => {
  test("takes what it started with it, and another one is started", async () => {
    const world = open({ helper: "always" });
    const script = "trap '' TERM; echo ready; sleep 30; sleep 30";
    const { pid } = await world.proc.start({
      id: "a",
      argv: ["/bin/sh", "-c", script],
      cwd: root,
    });
    const first = helperOf(world);
    await killHelper(world);
    const { exit } = await finish(world.proc, "a");

    expect(exit).toMatchObject({ code: null, signal: "SIGKILL" });
    expect(isAlive(pid)).toBe(false);
    // Its children are killed with it, and may still be exiting.
    await expect.poll(() => exit.leftRunning.filter(isAlive)).toEqual([]);
    const second = (await sh(world, "echo $PPID")).text;
    expect(second).toBe(`${helperOf(world)}\n`);
    expect(second).not.toBe(`${first}\n`);
  });

  test("while it starts a program, that start fails and nothing of it is left", async () => {
    const world = open({ helper: "always" });
    await sh(world, "true");
    const helper = helperOf(world);
    sendSignal(helper, "SIGSTOP");
    const started = world.proc.start({ id: "a", argv: ["sleep", "30"], cwd: root });
    sendSignal(helper, "SIGKILL");

    await expect(started).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "The process that starts programs ended while it was starting sleep.",
      hint: "Try again; another one takes its place.",
      retryable: true,
    });
    expect(await world.proc.list()).toEqual([]);
    expect((await sh(world, "echo hi")).text).toBe("hi\n");
  });

  test("before it told what it started does not leave that running", async () => {
    const helper = `
      console.log(JSON.stringify({ kind: "ready" }));
      process.stdin.once("data", (line) => {
        const { argv: [program, ...words], env } = JSON.parse(line);
        const options = { env, detached: true, stdio: "ignore" };
        require("node:child_process").spawn(program, words, options).unref();
        process.exit();
      });`;
    const helperCommand = [process.execPath, "-e", helper, "--"];
    const pool = new PipePool(runDirectly);
    const launcher = new HelperLauncher(pool, { command: helperCommand });
    opened.push(
      async () => pool.dispose(),
      async () => launcher.dispose(),
    );
    const mark = `test-${process.pid}:1`;
    const start = async (value: string): Promise<unknown> =>
      launcher.start({
        argv: ["sleep", "30"],
        cwd: "/",
        env: { ...environment, [markerName]: value },
        hasInput: false,
      });
    await expect(start(`${mark}0`)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(start(mark)).rejects.toMatchObject({ code: "UNAVAILABLE" });

    await until(() => processesOf({ leaders: [], marks: new Set([mark]) }).length === 0);
  });

  test("three times is not started a fourth time", async () => {
    const world = open({ helper: "always" });
    for (const round of ["one", "two", "three"]) {
      await sh(world, "true", round);
      await killHelper(world);
    }

    expect((await sh(world, "echo $PPID")).text).toBe(`${process.pid}\n`);
    expect(world.launcher.report).toEqual({
      by: "direct",
      failure: "it ended 3 times by itself",
    });
  });
});

test.for(["never", "always"] as const)(
  "with a helper process: %s, a program can open its output by name",
  async (helper) => {
    const world = open({ helper });

    expect((await sh(world, "echo out > /dev/stdout; echo error > /dev/stderr")).text).toBe(
      "out\nerror\n",
    );
  },
);

describe("many programs", () => {
  test("at once each have their own output and exit", async () => {
    const world = open({ helper: "always" });
    const ids = Array.from({ length: 60 }, (_, index) => index);
    const results = await Promise.all(
      ids.map(async (index) => sh(world, `echo ${index}; exit ${index}`)),
    );

    expect(results.map(({ text }) => Number(text))).toEqual(ids);
    expect(results.map(({ exit }) => exit.code)).toEqual(ids);
  });

  test("hundreds leave no process and no descriptor", { timeout: 120_000 }, async () => {
    const world = open({ helper: "always" });
    const before = descriptors();
    await sh(world, "true", "first");
    const helper = helperOf(world);
    const held = readdirSync(`/proc/${helper}/fd`).length;
    for (let index = 0; index < (areLawsFull ? 1000 : 300); index += 10) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, offset) =>
          world.proc
            .start({ id: `${index + offset}`, argv: ["true"], cwd: root, stdin: "pipe" })
            .then(async () => finish(world.proc, `${index + offset}`)),
        ),
      );
    }

    expect(helperOf(world)).toBe(helper);
    expect(readdirSync(`/proc/${helper}/fd`)).toHaveLength(held);
    expect(scanProcesses().filter((entry) => entry.parent === helper)).toEqual([]);
    await world.dispose();
    expect(childrenOfOurs()).toEqual([]);
    await until(() => descriptors() <= before);
  });

  test("that cannot be started leave no descriptor either", async () => {
    const world = open({ helper: "always" });
    await sh(world, "true");
    const before = descriptors();
    for (let index = 0; index < 40; index += 1) {
      const failing = world.proc.start({ id: "a", argv: ["no-such-program"], cwd: root });
      await expect(failing).rejects.toMatchObject({ code: "NOT_FOUND" });
    }

    // The number of free pipes may differ from before.
    expect(descriptors()).toBeLessThanOrEqual(before + 16);
  });
});
