import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { ToolkitOptions } from "../../src/index.ts";
import { moduleFlags } from "../support/from-source.ts";
import { kitFolder } from "../support/kit-folder.ts";
import { argumentsNaming, isAlive, isSleeping } from "../support/machine-processes.ts";

const { at, open } = kitFolder("haft-background-", async (place) => {
  await mkdir(place("work"), { recursive: true });
});

const options = (): ToolkitOptions => ({
  workspace: at("work"),
  dataDirectory: at("data"),
  mode: "bypassPermissions",
});

const count = async (): Promise<number> => (await readdir("/proc/self/fd")).length;

const crashing = (command: string, more: ToolkitOptions): string => `
  import { createToolkit } from "./src/index.ts";
  const kit = await createToolkit(${JSON.stringify({ ...options(), ...more })});
  const { metadata } = await kit.call({ name: "Bash", input: { command: ${JSON.stringify(command)}, run_in_background: true } });
  console.log(metadata.taskId, metadata.pid);
  process.kill(process.pid, "SIGKILL");`;

function crash(command: string, more: ToolkitOptions = {}): readonly string[] {
  const words = [...moduleFlags, crashing(command, more)];
  return spawnSync(process.execPath, words, { encoding: "utf8" }).stdout.trim().split(" ");
}

test.skipIf(process.platform !== "linux")(
  "after a crash a task is found again, running or over, and can be stopped",
  async () => {
    const [id = "", pid = ""] = crash(
      "setsid sleep 4731.7 & trap '' PIPE HUP TERM; while :; do read -t 1 x < <(sleep 5); done",
    );
    const [over = ""] = crash("exit 7");
    const kit = await open();
    const state = async (task_id: string): Promise<unknown> =>
      (
        await kit.call({
          name: "TaskOutput",
          input: { task_id, block: true, timeout: 30_000 },
        })
      ).summary;

    expect(await state(over)).toBe("ended with exit code 7");
    expect(isAlive(pid)).toBe(true);
    expect(isSleeping("4731.7")).toBe(true);
    expect((await kit.tasks.list()).find((each) => each.id === id)?.status).toBe("running");
    await kit.call({ name: "TaskStop", input: { task_id: id } });
    expect(isAlive(pid)).toBe(false);
    // Neither what it started nor what stood around it in a sandbox.
    expect(isSleeping("4731.7")).toBe(false);
    expect(argumentsNaming(at(""))).toEqual([]);
    const stopped = (await kit.tasks.list()).find((each) => each.id === id);
    expect(stopped).toMatchObject({ status: "ended", endedBy: "stop" });
    const record = await readFile(at(`data/tasks/${id}.json`), "utf8");
    expect(JSON.parse(record)).toMatchObject({ version: 1, task: { id } });
  },
  60_000,
);

test.skipIf(process.platform !== "linux")(
  "where nothing names all that a task started, its group is stopped",
  async () => {
    const [id = "", pid = ""] = crash("sleep 4732.3 & sleep 4732.3", {
      sandbox: { driver: "none" },
    });
    const file = at(`data/tasks/${id}.json`);
    const { tree: _tree, ...record } = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify(record));
    const kit = await open();
    // The started process may not have become its program yet.
    await expect.poll(() => [isAlive(pid), isSleeping("4732.3")]).toEqual([true, true]);

    await kit.call({ name: "TaskStop", input: { task_id: id } });

    await expect.poll(() => [isAlive(pid), isSleeping("4732.3")]).toEqual([false, false]);
  },
  60_000,
);

test.skipIf(process.platform !== "linux")(
  "two hundred commands leave no process and no descriptor",
  async () => {
    const calls = Array.from({ length: 100 }, (_, index) => ({
      name: "Bash",
      input: { command: index % 2 === 0 ? "true" : `echo ${index} | cat` },
    }));
    const first = await open();
    await first.callAll(calls.slice(0, 4));
    await first.dispose();
    const before = await count();
    const kit = await open();
    const run = async (): Promise<void> => {
      const outcomes = await kit.callAll(calls);
      expect(outcomes.filter(({ status }) => status !== "ok")).toEqual([]);
    };

    // The first hundred start the processes that the host keeps ready; the second hundred find them there.
    await run();
    const ready = await count();
    await run();

    // A leak of one in ten shows here; a thousand programs run in the tests of the launcher.
    await expect.poll(count).toBeLessThan(ready + 10);
    expect(argumentsNaming(at(""))).toEqual([]);
    await kit.dispose();
    await expect.poll(count).toBeLessThanOrEqual(before);
  },
  120_000,
);
