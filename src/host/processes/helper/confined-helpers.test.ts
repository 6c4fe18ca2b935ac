import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ConfinedHelper } from "../../../core/index.ts";
import { ConfinedHelpers, type ConfinedHelpersOptions } from "./confined-helpers.ts";
import { runDirectly } from "../launch/local-launcher.ts";
import { PipePool } from "../pipes/pipe-pool.ts";
import { processEntry } from "../process-scan.ts";
import { markerName } from "../process-tag.ts";
import { sendSignal } from "../kill/ordered-kill.ts";

let root: string;
const opened: (() => Promise<void>)[] = [];

beforeEach(() => {
  root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-helpers-"));
  // This confinement only records its data.
  writeFileSync(
    path.join(root, "confine.mjs"),
    `import { existsSync, writeFileSync } from "node:fs";
     export async function confine(data) {
       if (data === "refused" || existsSync(new URL("closed", import.meta.url))) throw new Error("It cannot be confined.");
       writeFileSync(new URL("by-" + data, import.meta.url), String(process.pid));
     }`,
  );
});

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  rmSync(root, { recursive: true, force: true });
});

function open(options: ConfinedHelpersOptions = {}): ConfinedHelpers {
  const pool = new PipePool(runDirectly);
  const helpers = new ConfinedHelpers(pool, options);
  opened.push(async () => {
    await helpers.dispose();
    await pool.dispose();
  });
  return helpers;
}

function helperOf(key: string): ConfinedHelper {
  return {
    key,
    launch: (argv) => ({ argv, cwd: "/", env: {}, descriptors: [] }),
    itself: { module: path.join(root, "confine.mjs"), data: key },
    plain: (argv, { cwd, env }) => ({ argv, cwd, env, descriptors: [] }),
  };
}

const start = async (helpers: ConfinedHelpers, key: string, script: string) =>
  await helpers.start(
    {
      helper: helperOf(key),
      argv: ["/bin/sh", "-c", script],
      cwd: root,
      env: { [markerName]: "test-mark:1" },
    },
    false,
  );

/** Undefined if the program was not started. */
async function run(helpers: ConfinedHelpers, key: string, script: string) {
  const child = await start(helpers, key, script);
  if (child === undefined) return undefined;
  let text = "";
  child.stdout.on("data", (bytes: Buffer) => {
    text += bytes.toString();
  });
  const closed = new Promise((resolve) => child.stdout.once("close", resolve));
  const code = await new Promise((resolve) => child.onExit(resolve));
  await closed;
  return { code, text };
}

async function ranAtLast(helpers: ConfinedHelpers, key: string) {
  const giveUpAt = performance.now() + 60_000;
  let ran = await run(helpers, key, "echo on");
  while (ran === undefined && performance.now() < giveUpAt) {
    await new Promise(setImmediate);
    ran = await run(helpers, key, "echo on");
  }
  return ran;
}

const parentOf = async (helpers: ConfinedHelpers, key: string) =>
  Number((await run(helpers, key, "echo $PPID"))?.text);
const isAlive = (pid: number) => processEntry(pid) !== undefined;

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

test("a helper is confined by its own data before it starts anything, and stays for its key", async () => {
  const helpers = open();

  const first = await parentOf(helpers, "one");
  const second = await parentOf(helpers, "one");
  const other = await parentOf(helpers, "two");

  expect(first).toBe(Number(readFileSync(path.join(root, "by-one"), "utf8")));
  expect(second).toBe(first);
  expect(other).toBe(Number(readFileSync(path.join(root, "by-two"), "utf8")));
  expect(helpers.pids).toEqual([first, other]);
});

test("one that cannot be confined starts nothing, and says so", async () => {
  const helpers = open();

  expect(await run(helpers, "refused", "echo x > made")).toBeUndefined();
  expect(await run(helpers, "refused", "echo x > made")).toBeUndefined();
  expect(existsSync(path.join(root, "made"))).toBe(false);
  expect(helpers.pids).toEqual([]);
});

test("one that could not be confined for a while is tried again, however often it is asked for", async () => {
  const helpers = open({ idleMs: 200 });
  writeFileSync(path.join(root, "closed"), "");
  expect(await run(helpers, "one", "true")).toBeUndefined();
  rmSync(path.join(root, "closed"));

  expect(await ranAtLast(helpers, "one")).toEqual({ code: 0, text: "on\n" });
}, 90_000);

test("one that ran before and could not be replaced for a while is tried again as well", async () => {
  const helpers = open({ idleMs: 500 });
  sendSignal(await parentOf(helpers, "one"), "SIGKILL");
  await until(() => helpers.pids.length === 0);
  writeFileSync(path.join(root, "closed"), "");
  expect(await run(helpers, "one", "true")).toBeUndefined();
  rmSync(path.join(root, "closed"));

  expect(await ranAtLast(helpers, "one")).toEqual({ code: 0, text: "on\n" });
}, 90_000);

test("a missing program is the program's own error, not the helper's", async () => {
  const helpers = open();
  const missing = { helper: helperOf("one"), argv: ["/no/such"], cwd: root, env: {} };

  await expect(helpers.start(missing, false)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("with too many the one that was not used for longest makes room", async () => {
  const helpers = open({ max: 2 });
  const one = await parentOf(helpers, "one");
  const two = await parentOf(helpers, "two");
  await parentOf(helpers, "one");

  const three = await parentOf(helpers, "three");

  expect(helpers.pids).toEqual([one, three]);
  await until(() => !isAlive(two));
});

test("a helper whose program runs is never closed: while it fills the pool, nothing else is started", async () => {
  const helpers = open({ max: 1, idleMs: 1 });
  const child = await start(helpers, "one", "sleep 300");
  const [helper = 0] = helpers.pids;

  expect(await run(helpers, "two", "echo x > made")).toBeUndefined();
  expect(existsSync(path.join(root, "made"))).toBe(false);
  expect(isAlive(helper)).toBe(true);
  child?.kill();
  await new Promise((resolve) => child?.onExit(resolve));
  await until(() => !isAlive(helper));
});

test("one that has nothing to do ends after a while, and leaves alone what a command left running", async () => {
  const helpers = open({ idleMs: 50 });
  const result = await run(helpers, "one", "sleep 300 >/dev/null 2>&1 & echo $! $PPID");
  const [left = 0, helper = 0] = (result?.text ?? "").split(" ").map(Number);

  await until(() => !isAlive(helper));

  expect(helpers.pids).toEqual([]);
  expect(isAlive(left)).toBe(true);
  sendSignal(left, "SIGKILL");
  expect(await parentOf(helpers, "one")).not.toBe(helper);
});

test("disposing ends every helper, and what their programs left", async () => {
  const helpers = open();
  const result = await run(helpers, "one", "sleep 300 >/dev/null 2>&1 & echo $! $PPID");
  const pids = (result?.text ?? "").split(" ").map(Number);

  await helpers.dispose();

  expect(pids.filter(isAlive)).toEqual([]);
  expect(await run(helpers, "one", "true")).toBeUndefined();
});

test("a place that changes before each command costs one helper at a time, and one for each command that stays", async () => {
  const helpers = open({ max: 2 });
  const helper = { ...helperOf("one"), places: [path.join(root, "place")] };
  const replace = (): void => {
    writeFileSync(path.join(root, "next"), "");
    renameSync(path.join(root, "next"), path.join(root, "place"));
  };
  const begin = async (script: string) => {
    replace();
    return await helpers.start(
      { helper, argv: ["/bin/sh", "-c", script], cwd: root, env: { [markerName]: "test-mark:1" } },
      false,
    );
  };
  const seen = new Set<number>();
  for (let count = 0; count < 2; count += 1) {
    const child = await begin("exit 0");
    await new Promise((resolve) => child?.onExit(resolve));
    expect(helpers.pids).toHaveLength(1);
    seen.add(helpers.pids[0] ?? 0);
  }
  expect(seen.size).toBe(2);

  const staying = [await begin("sleep 300"), await begin("sleep 300")];
  // Without room for another helper, the caller confines the program itself.
  expect(await begin("echo x > made")).toBeUndefined();

  expect(staying).not.toContain(undefined);
  expect(helpers.pids).toHaveLength(2);
  expect(existsSync(path.join(root, "made"))).toBe(false);
  await until(() => [...seen].every((pid) => helpers.pids.includes(pid) || !isAlive(pid)));
}, 90_000);

test("a helper that was killed is replaced; what it did not begin is left to who asked", async () => {
  const helpers = open();
  const first = await parentOf(helpers, "one");

  sendSignal(first, "SIGKILL");
  const during = await run(helpers, "one", "echo x >> made");

  // Whether or not the replacement was noticed, the program ran at most once.
  const made = existsSync(path.join(root, "made"))
    ? readFileSync(path.join(root, "made"), "utf8")
    : "";
  expect(made).toBe(during === undefined ? "" : "x\n");
  expect(await parentOf(helpers, "one")).not.toBe(first);
});
