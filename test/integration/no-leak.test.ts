import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createToolkit, memoryHost, type Host, type ToolkitOptions } from "../../src/index.ts";
import { scriptedModel } from "../../src/agent/index.ts";
import { settled } from "../support/kit.ts";
import { moduleFlags } from "../support/from-source.ts";

let folder = "";
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-leak-")));
  await writeFile(path.join(folder, "a.txt"), "one\n");
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(`${folder}-data`, { recursive: true, force: true });
});

function options(): ToolkitOptions {
  return {
    workspace: folder,
    dataDirectory: `${folder}-data`,
    mode: "bypassPermissions",
    eventLog: "file",
  };
}

/** Everything a kit can hold: files, processes, timers, a database, an agent, children. */
async function useEverything(): Promise<void> {
  const kit = await createToolkit(options());
  await kit.callAll([
    { name: "Read", input: { file_path: "a.txt" } },
    { name: "Grep", input: { pattern: "one" } },
    { name: "Glob", input: { pattern: "*" } },
    { name: "Write", input: { file_path: "b.txt", content: "b" } },
    { name: "Bash", input: { command: "sleep 300 & echo up" } },
    { name: "Bash", input: { command: "sleep 5", timeout: 50 } },
  ]);
  const controller = new AbortController();
  const hanging = kit.call(
    { name: "Bash", input: { command: "echo up; sleep 300" } },
    { signal: controller.signal, onOutput: () => controller.abort() },
  );
  await hanging;
  const child = kit.derive({ tools: ["Read"] });
  await child.call({ name: "Read", input: { file_path: "a.txt" } });
  const model = scriptedModel({ format: 1, name: "s", turns: [{ text: "Done." }] });
  await kit.run({ task: "go", model, limits: { deadlineMs: 60_000 } }).result;
  await kit.doctor();
  await kit.undo();
  await kit.dispose();
}

function resources(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

async function openFiles(): Promise<number> {
  return (await readdir("/proc/self/fd")).length;
}

function children(): readonly string[] {
  const { stdout } = spawnSync("ps", ["--ppid", String(process.pid), "-o", "pid=,args="], {
    encoding: "utf8",
  });
  return stdout.split("\n").filter((line) => line !== "" && !line.includes("ps --ppid"));
}

test.skipIf(process.platform !== "linux")(
  "a kit that is disposed leaves no file, timer or process, however often",
  async () => {
    // The first one loads modules and starts what Node keeps for good.
    await useEverything();
    await settled();
    const before = { resources: resources(), files: await openFiles(), children: children() };

    for (let round = 0; round < 3; round += 1) await useEverything();

    // A program that has ended is released in one of the next turns.
    await settled();
    expect(resources()).toEqual(before.resources);
    expect(await openFiles()).toBe(before.files);
    expect(children()).toEqual(before.children);
  },
  120_000,
);

test("a program ends by itself once its kit is disposed, and at once", () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      ...moduleFlags,
      `import { createToolkit } from "./src/index.ts";
       const kit = await createToolkit(${JSON.stringify(options())});
       await kit.call({ name: "Bash", input: { command: "sleep 300 & echo up" } });
       await kit.call({ name: "Write", input: { file_path: "c.txt", content: "c" } });
       await kit.dispose();
       const waited = () => performance.eventLoopUtilization().idle;
       const before = waited();
       process.on("exit", () => console.log(waited() - before < 1000, process.getActiveResourcesInfo().filter((name) => !/^(TTY|Pipe)/u.test(name)).length));`,
    ],
    { encoding: "utf8", timeout: 50_000 },
  );

  expect([stdout.trim(), status]).toEqual(["true 0", 0]);
});

test("disposing twice, at once, and without ever a call is harmless", async () => {
  const kit = await createToolkit(options());

  await Promise.all([kit.dispose(), kit.dispose()]);
  await kit.dispose();

  await expect(kit.call({ name: "Read", input: {} })).rejects.toThrow(TypeError);
  await expect(kit.explain({ name: "Read", input: {} })).rejects.toThrow(TypeError);
  expect(() => kit.derive()).toThrow(TypeError);
});

test("a kit that cannot be opened leaves nothing either", async () => {
  const before = resources();

  await expect(createToolkit({ ...options(), workspace: "/nowhere/at/all" })).rejects.toMatchObject(
    {
      code: "NOT_FOUND",
    },
  );

  expect(resources()).toEqual(before);
});

test("twelve kits that run commands share one listener of the process", async () => {
  const before = process.listenerCount("exit");
  const kits = await Promise.all(Array.from({ length: 12 }, async () => createToolkit(options())));

  for (const kit of kits) await kit.call({ name: "Bash", input: { command: "true" } });

  expect(process.listenerCount("exit")).toBe(before + 1);
  await Promise.all(kits.map(async (kit) => await kit.dispose()));
  expect(process.listenerCount("exit")).toBe(before);
});

test("a derived kit that is disposed lets its own host be collected", async () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const kit = await createToolkit({ host: memoryHost({ files: { "a.txt": "1" } }) });
  const useHost = async (): Promise<WeakRef<Host>> => {
    const host = memoryHost({ files: { "a.txt": "2" } });
    const child = kit.derive({ host });
    await child.call({ name: "Read", input: { file_path: "a.txt" } });
    await child.dispose();
    await host[Symbol.asyncDispose]();
    return new WeakRef(host);
  };

  const hosts: WeakRef<Host>[] = [];
  for (let round = 0; round < 10; round += 1) hosts.push(await useHost());
  await settled();
  if (typeof collect === "function") Reflect.apply(collect, undefined, []);

  // The latest may still be on the stack of what just ran.
  expect(hosts.slice(0, -1).filter((host) => host.deref() !== undefined)).toEqual([]);
  await kit.dispose();
});
