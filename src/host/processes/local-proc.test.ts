import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { environment, patience, procWorld } from "../../../test/support/proc-world.ts";
import type { SpawnHelper } from "./launch/local-launcher.ts";
import { LocalProc } from "./local-proc.ts";
import { processEntry, scanProcesses } from "./process-scan.ts";
import { moduleFlags } from "../../../test/support/from-source.ts";

const world = procWorld();
const { sh, finish, disposeAll } = world;

const isAlive = (pid: number): boolean => processEntry(pid) !== undefined;
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

async function pidFrom(file: string): Promise<number> {
  await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
  return Number(readFileSync(file, "utf8"));
}

/** Some leave a child running, which is then ended. */
async function runMany(count: number): Promise<void> {
  const stop = new AbortController();
  for (let index = 0; index < count; index += 8) {
    const batch = Array.from({ length: 8 }, async (_, offset) => {
      const id = `${index}-${offset}`;
      const argv = ["/bin/sh", "-c", offset === 0 ? "sleep 30 & echo hi" : "echo hi"];
      await world.proc.start({ id, argv, cwd: world.root, stdin: "pipe" }, { signal: stop.signal });
      const { stdout } = await finish(id);
      await world.proc.signal(id, "KILL", { tree: true });
      return stdout;
    });
    expect(new Set(await Promise.all(batch))).toEqual(new Set(["hi\n"]));
  }
}

/** Both ways of starting a program must behave the same. */
describe.each<SpawnHelper>(["never", "always"])("with a helper process: %s", (chosen) => {
  beforeAll(() => {
    world.helper = chosen;
  });

  describe("settling", () => {
    test("a child that keeps the pipe does not keep the call, and is named", async () => {
      const { stdout, exit } = await sh("sleep 30 & echo hi; echo $! > pid");
      const pid = await pidFrom(`${world.root}/pid`);

      expect(stdout).toBe("hi\n");
      expect(exit).toEqual({ code: 0, signal: null, leftRunning: [pid] });
      expect(isAlive(pid)).toBe(true);
      expect(await world.proc.list()).toEqual([]);
    });

    test("nor does one that holds only stderr, or made its own session", async () => {
      const held = await sh("sleep 30 >/dev/null & echo $! > one");
      const escaped = await sh("setsid sleep 30 & echo $! > two; sleep 0.05");

      expect(held.exit.leftRunning).toEqual([await pidFrom(`${world.root}/one`)]);
      expect(escaped.exit.leftRunning).toHaveLength(1);
      expect(escaped.exit.leftRunning.every(isAlive)).toBe(true);
    });

    test("a child of the group is named though it holds no pipe", async () => {
      const { exit } = await sh("sleep 30 >/dev/null 2>&1 & echo $! > pid");

      expect(exit.leftRunning).toEqual([await pidFrom(`${world.root}/pid`)]);
    });

    test("what was printed before the exit arrives whole, however much it is", async () => {
      const { stdout, lost, exit } = await sh("head -c 3000000 /dev/zero | tr '\\0' x; echo end");

      expect(stdout).toHaveLength(3_000_004);
      expect(stdout.endsWith("xend\n")).toBe(true);
      expect({ lost, exit }).toEqual({ lost: 0, exit: { code: 0, signal: null, leftRunning: [] } });
    });

    test("a slow reader makes the program wait and loses nothing", async () => {
      await world.proc.start({
        id: "a",
        argv: ["/bin/sh", "-c", "head -c 8000000 /dev/zero; echo done > done"],
        cwd: world.root,
      });
      let total = 0;
      let lost = 0;
      let wasDone: boolean | undefined;
      for await (const chunk of world.proc.output("a", 0)) {
        lost += chunk.lostBefore ?? 0;
        if ("exit" in chunk) break;
        if (total === 0) {
          await new Promise((resolve) => {
            setTimeout(resolve, 200);
          });
          wasDone = existsSync(`${world.root}/done`);
        }
        total += chunk.bytes.length;
      }

      expect({ total, lost, wasDone }).toEqual({ total: 8_000_000, lost: 0, wasDone: false });
    });

    test("without a reader the program continues and memory stays bounded", async () => {
      await world.proc.start({
        id: "a",
        argv: ["/bin/sh", "-c", "head -c 50000000 /dev/zero; echo done > done"],
        cwd: world.root,
      });
      await until(() => existsSync(`${world.root}/done`));
      const { stdout, lost } = await finish("a");

      expect(stdout.length).toBeLessThanOrEqual(1_048_576);
      expect(stdout.length + lost).toBe(50_000_000);
    });

    test("two readers see the same", async () => {
      await world.proc.start({
        id: "a",
        argv: ["/bin/sh", "-c", "echo one; echo two >&2"],
        cwd: world.root,
      });
      const [one, two] = await Promise.all([finish("a"), finish("a")]);

      expect(one).toEqual(two);
      expect(one).toMatchObject({ stdout: "one\n", stderr: "two\n" });
    });

    test("a signal that ends the program is its exit", async () => {
      expect((await sh("kill -SEGV $$")).exit).toMatchObject({ code: null, signal: "SIGSEGV" });
      expect((await sh("exit 41")).exit).toMatchObject({ code: 41, signal: null });
    });
  });

  describe("ending", () => {
    test("a program that ends on TERM is not killed", async () => {
      await world.proc.dispose();
      const patient = { ...patience, terminate: 15_000 };
      world.proc = new LocalProc({ environment, patience: patient, launcher: world.launcher });
      const script = "trap 'echo bye; exit 7' TERM; echo $$ > pid; while :; do sleep 0.01; done";
      const stop = new AbortController();
      const ended = sh(script, {}, stop.signal);
      await pidFrom(`${world.root}/pid`);
      stop.abort();

      const exit = { code: 7, signal: null, endedBy: "abort", leftRunning: [] };
      expect(await ended).toMatchObject({ stdout: "bye\n", exit });
    });

    test("one that ignores TERM is killed after the grace, with all its group", async () => {
      const stop = new AbortController();
      const script = "trap '' TERM; (trap '' TERM; sleep 30) & echo $! > pid; sleep 30; sleep 30";
      const ended = sh(script, {}, stop.signal);
      const pid = await pidFrom(`${world.root}/pid`);
      const start = performance.now();
      stop.abort();
      const { exit } = await ended;

      expect(exit).toEqual({ code: null, signal: "SIGKILL", endedBy: "abort", leftRunning: [] });
      expect(performance.now() - start).toBeGreaterThanOrEqual(patience.terminate - 1);
      expect(isAlive(pid)).toBe(false);
    });

    test("a program may have a grace of its own", async () => {
      await world.proc.dispose();
      const patient = { ...patience, terminate: 600_000 };
      world.proc = new LocalProc({ environment, patience: patient, launcher: world.launcher });
      const stop = new AbortController();
      const limits = { terminateMs: 20, killMs: 2000 };
      const ended = sh("trap '' TERM; echo $$ > pid; sleep 30; sleep 30", { limits }, stop.signal);
      await pidFrom(`${world.root}/pid`);
      stop.abort();

      expect((await ended).exit).toMatchObject({ signal: "SIGKILL", endedBy: "abort" });
    });

    test("a child that ignores TERM does not outlive a program that obeys it", async () => {
      const stop = new AbortController();
      const script = "(trap '' TERM; while :; do sleep 1; done) & echo $! > pid; exec sleep 30";
      const ended = sh(script, {}, stop.signal);
      const pid = await pidFrom(`${world.root}/pid`);
      stop.abort();
      const { exit } = await ended;

      expect(exit).toMatchObject({ signal: "SIGTERM", endedBy: "abort", leftRunning: [] });
      expect(isAlive(pid)).toBe(false);
    });

    test("a timeout ends a child in a session of its own as well", async () => {
      const { exit } = await sh("setsid sh -c 'echo $$ > pid; exec sleep 30' & sleep 30", {
        limits: { timeoutMs: 300 },
      });

      expect(exit).toMatchObject({ endedBy: "timeout", leftRunning: [] });
      // On a busy machine it may not have been started yet.
      const pid = existsSync(`${world.root}/pid`)
        ? Number(readFileSync(`${world.root}/pid`, "utf8"))
        : 0;
      expect(pid > 0 && isAlive(pid)).toBe(false);
    });

    test("a timeout longer than a timer can be does not fire at once", async () => {
      const { exit } = await sh("sleep 0.05; echo hi", { limits: { timeoutMs: 2 ** 40 } });

      expect(exit).toEqual({ code: 0, signal: null, leftRunning: [] });
    });

    test("output just within the limit is no reason to end it", async () => {
      const limits = { maxOutputBytes: 5 };

      expect((await sh("printf 12345", { limits })).exit.endedBy).toBeUndefined();
      expect((await sh("printf 123456; sleep 30", { limits })).exit.endedBy).toBe("output-limit");
    });

    test("a signal goes to the program alone, or with tree to all of it", async () => {
      const script = "sleep 30 & echo $! > pid; wait";
      await world.proc.start({ id: "a", argv: ["/bin/sh", "-c", script], cwd: world.root });
      const child = await pidFrom(`${world.root}/pid`);
      await world.proc.signal("a", "TERM");
      const { exit } = await finish("a");

      expect(exit).toMatchObject({ signal: "SIGTERM", leftRunning: [child] });
      await expect(world.proc.signal("a", "KILL")).rejects.toMatchObject({ code: "NOT_FOUND" });
      await world.proc.signal("a", "KILL", { tree: true });
      await until(() => !isAlive(child));
    });

    test("ending one process leaves the others alone", async () => {
      await world.proc.start({ id: "1", argv: ["sleep", "30"], cwd: world.root });
      const others = await Promise.all(
        Array.from({ length: 10 }, async (_, index) =>
          world.proc.start({ id: `1${index}`, argv: ["sleep", "30"], cwd: world.root }),
        ),
      );
      await world.proc.signal("1", "KILL", { tree: true });
      await finish("1");

      expect(others.every(({ pid }) => isAlive(pid))).toBe(true);
    });

    test("writing to a program that does not read ends with the program", async () => {
      await world.proc.start({ id: "a", argv: ["sleep", "0.1"], cwd: world.root, stdin: "pipe" });
      await world.proc.write("a", new Uint8Array(1_000_000));

      expect((await finish("a")).exit.code).toBe(0);
    });
  });

  describe("disposing", () => {
    test("nothing is left, whatever it did to get away", async () => {
      const script = [
        "(trap '' TERM; while :; do sleep 1; done) & echo $! > ignoring",
        "sleep 30 >/dev/null 2>&1 & echo $! > silent",
        "setsid sh -c 'echo $$ > escaped; exec sleep 30' >/dev/null 2>&1 &",
        "setsid sh -c 'cd /; echo $$ > '$PWD'/daemon; trap \"\" TERM HUP; sleep 30; sleep 30' >/dev/null 2>&1 </dev/null &",
        "echo started",
      ].join("\n");
      await sh(script);
      await world.proc.start({ id: "running", argv: ["sleep", "30"], cwd: world.root });
      const files = ["ignoring", "silent", "escaped", "daemon"];
      const pids = await Promise.all(files.map(async (file) => pidFrom(`${world.root}/${file}`)));
      expect(pids.every(isAlive)).toBe(true);
      await disposeAll();

      expect(pids.filter(isAlive)).toEqual([]);
      expect(childrenOfOurs()).toEqual([]);
    });

    test("a hundred commands leave no process, no descriptor and no listener", async () => {
      await runMany(8);
      const descriptors = readdirSync("/proc/self/fd").length;
      const listeners = process.listenerCount("exit");
      await runMany(96);
      await disposeAll();
      await until(() => readdirSync("/proc/self/fd").length <= descriptors);

      expect(childrenOfOurs()).toEqual([]);
      expect(process.listenerCount("exit")).toBe(listeners - 1);
    });

    test("a program of ours that exits without disposing leaves nothing either", async () => {
      const module = path.join(import.meta.dirname, "local-proc.ts");
      const launcherModule = path.join(import.meta.dirname, "launch/local-launcher.ts");
      const script = `
      const { LocalProc } = await import(${JSON.stringify(module)});
      const { LocalLauncher } = await import(${JSON.stringify(launcherModule)});
      const launcher = new LocalLauncher({ helper: ${JSON.stringify(chosen)} });
      const patience = ${JSON.stringify(patience)};
      const proc = new LocalProc({ environment: process.env, patience, launcher });
      const argv = ["/bin/sh", "-c", "setsid sleep 30 >/dev/null 2>&1 & echo $!; sleep 30"];
      const { pid } = await proc.start({ id: "a", argv, cwd: "/" });
      for await (const { bytes } of proc.output("a", 0)) {
        console.log([pid, Buffer.from(bytes).toString().trim()].join());
        process.exit(0);
      }
    `;
      const printed = execFileSync(process.execPath, [...moduleFlags, script], {
        encoding: "utf8",
      });
      const [pid = 0, child = 0] = printed.trim().split(",").map(Number);

      expect(pid).toBeGreaterThan(1);
      await until(() => !isAlive(pid) && !isAlive(child));
    });
  });
});
