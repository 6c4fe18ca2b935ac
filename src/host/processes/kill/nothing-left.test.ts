import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { procWorld } from "../../../../test/support/proc-world.ts";
import { processEntry } from "../process-scan.ts";
import { isNothingLeftOf, isUnrelated, recentMoment, type EndedLeader } from "./nothing-left.ts";
import { sendSignal } from "./ordered-kill.ts";

const nobody: ReadonlySet<number> = new Set();
const started: number[] = [];

afterEach(() => {
  for (const pid of started.splice(0)) sendSignal(pid, "SIGKILL");
});

/** Runs a shell script to its end; resolves to what is known of it and to the pids that it printed. */
async function ran(script: string): Promise<{ leader: EndedLeader; pids: readonly number[] }> {
  const before = recentMoment();
  const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
  await once(child, "close");
  const pids = text.split("\n").filter(Boolean).map(Number);
  started.push(...pids);
  return { leader: { pid: child.pid ?? 0, before }, pids };
}

/**
 * Tries until one look is certain. Each try has a program of its own: other programs of the machine may be ending at a
 * look, and with every later look more pids would lie between.
 */
async function isOnceCertain(tryOnce: () => Promise<EndedLeader>): Promise<boolean> {
  return await vi.waitUntil(async () => isNothingLeftOf(await tryOnce(), nobody), {
    interval: 5,
    timeout: 20_000,
  });
}

async function allEnded(): Promise<EndedLeader> {
  return (await ran("true & /bin/true | /bin/true; wait")).leader;
}

describe.skipIf(process.platform !== "linux")("what a program left running", () => {
  test("is nothing where all it started has ended", async () => {
    expect(await isOnceCertain(allEnded)).toBe(true);
  });

  test.each([
    ["a child", "sleep 1000 >/dev/null & echo $!"],
    [
      "an orphan in a session of its own without environment",
      "setsid env -i sh -c 'echo $$; exec sleep 1000 >/dev/null' & wait $!; true",
    ],
    [
      "an orphan whose parents have ended",
      "(setsid env -i sh -c '(sh -c \"echo \\$\\$; exec sleep 1000 >/dev/null\") & exit') & wait",
    ],
  ])("is noticed: %s", async (_what, script) => {
    const noticed = async (): Promise<EndedLeader> => {
      const before = recentMoment();
      const child = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
      const [first] = (await once(child.stdout, "data")) as [Buffer];
      const left = Number(first.toString().split("\n")[0]);
      started.push(left);
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      const leader = { pid: child.pid ?? 0, before };

      expect(processEntry(left)).toBeDefined();
      expect(isNothingLeftOf(leader, nobody)).toBe(false);

      sendSignal(left, "SIGKILL");
      await expect.poll(() => processEntry(left)).toBeUndefined();
      return leader;
    };

    expect(await isOnceCertain(noticed)).toBe(true);
  });

  test("does not include what other programs start meanwhile", async () => {
    const other = spawn("/bin/sh", ["-c", "read go; sleep 1000 & echo $!; wait"], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    const { pid = 0 } = other;
    started.push(pid);
    const { leader } = await ran("true");
    other.stdin.end("go\n");
    const [printed] = (await once(other.stdout, "data")) as [Buffer];
    started.push(Number(printed.toString()));

    expect(isNothingLeftOf(leader, nobody)).toBe(false);
    await expect.poll(() => isNothingLeftOf(leader, new Set([pid]))).toBe(true);
  });

  test("is unknown once pids may have been given out again", async () => {
    let leader: EndedLeader = { pid: 0, before: recentMoment() };
    const again = async (): Promise<EndedLeader> => {
      ({ leader } = await ran("true"));
      return leader;
    };
    expect(await isOnceCertain(again)).toBe(true);
    const all = Number(readFileSync("/proc/sys/kernel/pid_max", "utf8"));
    const longAgo = performance.now() - all;
    const { forks } = leader.before;

    expect(isNothingLeftOf({ ...leader, before: { at: longAgo, forks } }, nobody)).toBe(true);
    expect(
      isNothingLeftOf({ ...leader, before: { at: longAgo, forks: forks - all } }, nobody),
    ).toBe(false);
    expect(isNothingLeftOf({ ...leader, before: { at: longAgo, forks: Number.NaN } }, nobody)).toBe(
      false,
    );
  });

  test("is unknown of a program with a pid above the latest", () => {
    const all = Number(readFileSync("/proc/sys/kernel/pid_max", "utf8"));

    expect(isNothingLeftOf({ pid: all - 1, before: recentMoment() }, nobody)).toBe(false);
  });
});

describe("a process with a pid after the leader's, 500", () => {
  const [own, init, above] = [process.pid, 1, 20_000_000];

  test.each([
    { chain: [600, 450, init], unrelated: true, because: "450 is older" },
    {
      chain: [600, above, init],
      unrelated: true,
      because: "an ancestor with a later pid is older",
    },
    { chain: [600, above, 40, init], unrelated: true, because: "the latest program is older" },
    { chain: [600, 510, init], unrelated: false, because: "the leader may have started 510" },
    { chain: [600, init], unrelated: false, because: "it may be an orphan of the leader" },
    {
      chain: [600, 70, init],
      unrelated: false,
      because: "orphans may go to 70, above this process",
    },
    { chain: [600, above, own], unrelated: false, because: "a helper of this process started it" },
    { chain: [600, 450, own], unrelated: false, because: "a helper of this process started it" },
    { chain: [600, above], unrelated: false, because: "its ancestors are not known" },
    { chain: [600, 80, own], unrelated: true, because: "another program of this process did" },
  ])("$chain: $because", ({ chain, unrelated }) => {
    const parents = new Map(chain.map((pid, at) => [pid, chain[at + 1]]));

    const found = isUnrelated(600, {
      leader: 500,
      others: new Set([80]),
      ancestors: new Set([own, 70]),
      parentOf: (pid) => parents.get(pid),
    });

    expect(found).toBe(unrelated);
  });
});

describe.skipIf(process.platform !== "linux")("a kill of the tree of an ended program", () => {
  const world = procWorld();

  test("ends what is in a session of its own, and returns at once where nothing is left", async () => {
    await world.proc.start({
      id: "a",
      argv: ["/bin/sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' & wait"],
      cwd: world.root,
      limits: { timeoutMs: 60_000 },
    });
    const reading = world.finish("a");
    for await (const chunk of world.proc.output("a", 0)) {
      if ("bytes" in chunk) started.push(Number(Buffer.from(chunk.bytes).toString()));
      break;
    }
    const [daemon = 0] = started;
    await world.proc.signal("a", "KILL");
    await reading;
    expect(processEntry(daemon)).toBeDefined();

    await world.proc.signal("a", "KILL", { tree: true });
    expect(processEntry(daemon)).toBeUndefined();

    await world.proc.signal("a", "KILL", { tree: true });
  });
});
