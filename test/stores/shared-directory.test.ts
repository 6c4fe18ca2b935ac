import { mkdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createToolkit, type Kit } from "../../src/kit/index.ts";
import { createProtocol, type McpTaskRecord, type McpTaskStore } from "../../src/mcp/index.ts";
import { kitLibrary, kitTasks, openKitEvents } from "../../src/server/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const at = temporaryFolder("shared-data-directory");

/** Opens a workspace; all of this file have one data directory. */
async function open(workspace: string): Promise<Kit> {
  mkdirSync(at(workspace), { recursive: true });
  const kit = await createToolkit({
    workspace: at(workspace),
    dataDirectory: at("data"),
    rules: { allow: ["Bash"] },
  });
  onTestFinished(async () => await kit.dispose());
  return kit;
}

/** Runs a command whose output is shortened; returns the file of the whole output. */
async function print(kit: Kit): Promise<string> {
  const { artifact } = await kit.call({ name: "Bash", input: { command: "seq 1 20000" } });
  if (artifact === undefined) throw new Error("The output was not shortened.");
  return artifact.path;
}

async function artifactsOf(kit: Kit): Promise<readonly string[]> {
  const uris = (await kitLibrary(kit).resources()).map(({ uri }) => uri);
  return uris.filter((uri) => uri.startsWith("haft://artifacts/"));
}

test("of a shared data directory, a workspace offers only its own artifacts", async () => {
  const one = await open("one");
  const other = await open("other");
  await print(one);

  const [uri = ""] = await artifactsOf(one);

  expect(await artifactsOf(other)).toEqual([]);
  expect(await kitLibrary(one).read(uri)).toMatchObject([{ text: expect.stringContaining("42") }]);
  expect(await kitLibrary(other).read(uri)).toBeUndefined();
  const template = "haft://artifacts/{name}";
  expect(await kitLibrary(other).complete({ template }, "name", "")).toEqual([]);
});

test("of a shared data directory, tools read only the artifacts of their workspace", async () => {
  const one = await open("one");
  const other = await open("other");
  const file = await print(one);
  const read = { name: "Read", input: { file_path: file } };

  const own = await one.call(read);
  const foreign = await other.call(read);
  const command = await other.call({ name: "Bash", input: { command: `cat ${file}` } });

  expect(own.isError).toBe(false);
  expect(foreign).toMatchObject({ isError: true, error: { code: "APPROVAL_REQUIRED" } });
  expect(command).toMatchObject({ isError: true, error: { code: "APPROVAL_REQUIRED" } });
});

test("of a shared data directory, a session sees no commands of another workspace", async () => {
  const one = await open("one");
  const other = await open("other");
  const started = await one.call(
    { name: "Bash", input: { command: "sleep 60", run_in_background: true } },
    { sessionId: "s" },
  );
  const [task] = await one.tasks.list();
  const read = { name: "TaskOutput", input: { task_id: task?.id ?? "" } };
  const stop = { name: "TaskStop", input: { task_id: task?.id ?? "" } };

  expect(started.isError).toBe(false);
  for (const sessionId of ["s", undefined]) {
    const options = sessionId === undefined ? {} : { sessionId };
    expect(await other.call(read, options)).toMatchObject({ error: { code: "NOT_FOUND" } });
    expect(await other.call(stop, options)).toMatchObject({ error: { code: "NOT_FOUND" } });
  }
  expect(await one.call(stop, { sessionId: "s" })).toMatchObject({ isError: false });
});

test("of a shared data directory, MCP clients see no tasks of another workspace", async () => {
  const one = await open("one");
  const other = await open("other");
  const record = { ...taskRecord, id: crypto.randomUUID() };
  const store = await kitTasks(async () => one).store();
  await store.save(record);
  const storeOfOther = await kitTasks(async () => other).store();

  const inOne = connect(one, store);
  const inOther = connect(other, storeOfOther);

  expect(await inOne("tasks/list")).toMatchObject({ result: { tasks: [{ taskId: record.id }] } });
  expect(await inOther("tasks/list")).toMatchObject({ result: { tasks: [] } });
  for (const method of ["tasks/get", "tasks/cancel", "tasks/result"]) {
    expect(await inOther(method, { taskId: record.id })).toMatchObject({
      error: { code: -32_602, data: { code: "NOT_FOUND" } },
    });
  }
  expect(await inOne("tasks/get", { taskId: record.id })).toMatchObject({
    result: { status: "completed" },
  });
});

const taskRecord: McpTaskRecord = {
  id: "",
  tool: "Bash",
  callId: "mcp-1",
  status: "completed",
  createdAt: Date.now(),
  updatedAt: Date.now(),
  ttlMs: 600_000,
  result: { content: [] },
};

/** Returns what asks a server of a kit, over the protocol of 2025-11-25. */
function connect(
  kit: Kit,
  store: McpTaskStore,
): (method: string, params?: object) => Promise<unknown> {
  const sent: { readonly id?: unknown }[] = [];
  const protocol = createProtocol(kit, {
    name: "haft",
    version: "1.0.0",
    tasks: { support: () => "optional", store: async () => store },
  });
  const connection = protocol.connect({ send: (message) => void sent.push(message as object) });
  let id = 0;
  const ask = async (method: string, params: object = {}): Promise<unknown> => {
    id += 1;
    await connection.handle({ jsonrpc: "2.0", id, method, params });
    return sent.find((message) => message.id === id);
  };
  const greeting = ask("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  return async (method, params) => {
    await greeting;
    return await ask(method, params);
  };
}

test("a workspace finds its artifacts of an earlier toolkit in a shared data directory", async () => {
  const earlier = await open("one");
  await print(earlier);
  const uris = await artifactsOf(earlier);
  await earlier.dispose();

  const later = await open("one");

  expect(uris.length).toBeGreaterThan(0);
  expect(await artifactsOf(later)).toEqual(uris);
});

async function callIn(workspace: string): Promise<Kit> {
  mkdirSync(at(workspace), { recursive: true });
  const dataDirectory = at("events");
  const kit = await createToolkit({ workspace: at(workspace), dataDirectory, eventLog: "file" });
  await kit.call({ name: "ListDir", input: {} }, { sessionId: "s" });
  await kit.dispose();
  return kit;
}

async function countEvents({ storage, workspace }: Kit): Promise<number> {
  const log = await openKitEvents(storage.directory, { workspace: workspace.path });
  const events = await log.readEvents({ sessionId: "s" });
  await log.close();
  return events.length;
}

test("workspaces with one data directory do not read the events of each other's session", async () => {
  const one = await callIn("first");
  const alone = await countEvents(one);
  const other = await callIn("second");

  expect(alone).toBeGreaterThan(0);
  expect([await countEvents(one), await countEvents(other)]).toEqual([alone, alone]);
});
