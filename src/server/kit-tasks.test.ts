import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Task } from "../core/index.ts";
import { localHost } from "../host/index.ts";
import type { McpTaskRecord } from "../mcp/index.ts";
import { kitTasks, type TaskKit } from "./kit-tasks.ts";

const host = await localHost();
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map(async (each) => await rm(each, { recursive: true })));
});

async function fakeKit(
  tasks: readonly Task[] = [],
  output = "",
  workspace = "/w",
): Promise<TaskKit> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "haft-mcp-tasks-"));
  folders.push(dataDirectory);
  return {
    workspace: { path: workspace },
    storage: { directory: dataDirectory, fs: host.fs },
    tasks: {
      list: async () => tasks,
      read: async (_id, { from = 0, maxBytes = 1 } = {}) => ({
        text: output.slice(from, from + maxBytes),
        total: output.length,
      }),
      stop: async () => undefined,
    },
  };
}

const open = async (kit: TaskKit) => await kitTasks(async () => kit).store();

function recordOf(change: Partial<McpTaskRecord> = {}): McpTaskRecord {
  const now = Date.now();
  return {
    id: crypto.randomUUID(),
    tool: "Bash",
    callId: "mcp-1",
    status: "working",
    createdAt: now,
    updatedAt: now,
    ttlMs: 60_000,
    ...change,
  };
}

const command = (change: Partial<Task>): Task =>
  ({
    id: "task-1",
    kind: "command",
    status: "running",
    callId: "mcp-1",
    ...change,
  }) as Task;

test("a stored task is known to a store that is opened later, for its workspace only", async () => {
  const kit = await fakeKit();
  const record = recordOf({ result: { content: [] } });
  await (await open(kit)).save(record);

  const later = await open(kit);

  expect(await later.get(record.id)).toEqual({ record, isOwned: true });
  const elsewhere = await open({ ...kit, workspace: { path: "/other" } });
  expect(await elsewhere.get(record.id)).toBeUndefined();
  expect(await elsewhere.list()).toEqual([]);
});

test("tasks are readable by their owner only", async () => {
  const kit = await fakeKit();
  const record = recordOf();
  await (await open(kit)).save(record);

  const directory = path.join(kit.storage.directory, "mcp-tasks");
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(directory, `${record.id}.json`))).mode & 0o777).toBe(0o600);
});

test("the list has tasks of this store and of processes that ended, not those of another that runs", async () => {
  const kit = await fakeKit();
  const record = recordOf();
  await (await open(kit)).save(record);
  const own = recordOf();
  const later = await open(kit);
  await later.save(own);

  // Both stores are of this process, which runs.
  expect((await later.list()).map(({ id }) => id)).toEqual([own.id]);
});

test("an invalid id names no file", async () => {
  const kit = await fakeKit();
  const store = await open(kit);
  await writeFile(path.join(kit.storage.directory, "secret.json"), "{}");

  for (const id of ["../secret", "", "a", `${crypto.randomUUID()}/../x`]) {
    expect(await store.get(id)).toBeUndefined();
  }
});

test("expired, damaged and surplus tasks are removed when a store opens", async () => {
  const kit = await fakeKit();
  const store = await open(kit);
  const directory = path.join(kit.storage.directory, "mcp-tasks");
  await store.save(recordOf({ createdAt: Date.now() - 120_000 }));
  await writeFile(path.join(directory, `${crypto.randomUUID()}.json`), "{ half");
  await Promise.all(Array.from({ length: 205 }, async () => await store.save(recordOf())));

  await open(kit);

  expect(await readdir(directory)).toHaveLength(200);
});

test("surplus tasks of one workspace take none of another", async () => {
  const kit = await fakeKit();
  const record = recordOf();
  await (await open(kit)).save(record);
  const busy = await open({ ...kit, workspace: { path: "/busy" } });
  for (let count = 0; count < 201; count += 1) await busy.save(recordOf());

  const later = await open(kit);

  expect(await later.get(record.id)).toEqual({ record, isOwned: true });
  expect(await readdir(path.join(kit.storage.directory, "mcp-tasks"))).toHaveLength(201);
});

test.each([
  [{ status: "running" }, "running", false],
  [{ status: "ended", exitCode: 0 }, "exit code 0", false],
  [{ status: "ended", exitCode: 3 }, "exit code 3", true],
  [{ status: "ended", exitCode: null, signal: "SIGTERM" }, "ended by SIGTERM", true],
  [{ status: "lost" }, "lost", true],
] as const)("a command that is %j is the work of its call", async (state, end, isFailure) => {
  const store = await open(await fakeKit([command(state)], "line\n"));

  const work = await store.work("mcp-1");

  expect(work?.isRunning).toBe(state.status === "running");
  expect(work?.isRunning === true || work?.isError === isFailure).toBe(true);
  expect(await work?.text()).toBe(`line\n[task-1: ${end}]`);
  expect(await store.work("mcp-2")).toBeUndefined();
});

test("of long output the end is sent, with the number of bytes before it", async () => {
  const store = await open(
    await fakeKit([command({ status: "ended", exitCode: 0 })], "x".repeat(60_000)),
  );

  const text = await (await store.work("mcp-1"))?.text();

  expect(text).toMatch(/^\[the first 10000 of 60000 bytes are left out\]\nx{50000}\n\[task-1/u);
});

test("a directory that is removed while it is served has no tasks", async () => {
  const kit = await fakeKit();
  const store = await open(kit);
  await store.save(recordOf());
  expect(await store.list()).toHaveLength(1);

  await rm(path.join(kit.storage.directory, "mcp-tasks"), { recursive: true });

  expect(await store.list()).toEqual([]);
});
