import { expect, test } from "vitest";
import { client, defineTool, type Tool } from "../../../core/index.ts";
import { listToolkit } from "../../../../test/mcp/list-toolkit.ts";
import { modernMeta, wireTo, type Wire } from "../../../../test/mcp/wire.ts";
import { metaKeys } from "../protocol/versions.ts";
import type { McpTaskRecord, McpTaskStore, McpTaskWork } from "./task-store.ts";

const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: { elicitation: {} },
  clientInfo: { name: "test", version: "1.0.0" },
};
const withTasks = {
  ...modernMeta,
  [metaKeys.clientCapabilities]: {
    elicitation: {},
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
};
const noInput = { type: "object", properties: {} } as const;
const form = {
  type: "object",
  properties: { ok: { type: "boolean" } },
  required: ["ok"],
} as const;

interface MemoryTasks extends McpTaskStore {
  readonly records: Map<string, McpTaskRecord>;
  /** Work in the background, by call. */
  readonly left: Map<string, McpTaskWork>;
  isOwned: boolean;
}

function memoryTasks(): MemoryTasks {
  const records = new Map<string, McpTaskRecord>();
  const left = new Map<string, McpTaskWork>();
  const store: MemoryTasks = {
    records,
    left,
    isOwned: true,
    save: async (record) => void records.set(record.id, record),
    async get(id) {
      const record = records.get(id);
      return record === undefined ? undefined : { record, isOwned: store.isOwned };
    },
    list: async () => [...records.values()],
    work: async (callId) => left.get(callId),
  };
  return store;
}

/** A tool that ends when it is finished or aborted. */
function waiting(): { readonly tool: Tool; readonly finish: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "wait",
    description: "Waits.",
    touches: [],
    input: noInput,
    run: async (_input, { signal }) => {
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
      await Promise.race([promise, aborted]);
      return { content: "waited" };
    },
  });
  return { tool, finish: resolve };
}

const asking = defineTool({
  name: "ask",
  description: "Asks.",
  touches: [],
  input: noInput,
  run: async (_input, context) => {
    await untilSlow;
    const answer = await context
      .service(client)
      .elicit({ name: "sure", message: "Sure?", schema: form });
    return { content: answer.action };
  },
});
let untilSlow: Promise<void> = Promise.resolve();

function serve(tools: readonly Tool[], store: McpTaskStore, sessionId?: string): Wire {
  return wireTo(listToolkit(tools), {
    tasks: {
      support: ({ name }) => (name === "must" ? "required" : "optional"),
      store: async () => store,
    },
    ...(sessionId === undefined ? {} : { sessionId }),
  });
}

function resultOf(answer: unknown): Readonly<Record<string, unknown>> {
  expect(answer).toHaveProperty("result");
  const { result } = answer as { readonly result: Readonly<Record<string, unknown>> };
  return result;
}

async function legacyTask(wire: Wire, name: string, task: object = {}): Promise<string> {
  const created = resultOf(await wire.ask("tools/call", { name, task }));
  return (created as { readonly task: { readonly taskId: string } }).task.taskId;
}

async function untilStatus(wire: Wire, taskId: string, status: string): Promise<unknown> {
  return await expect
    .poll(async () => resultOf(await wire.askModern("tasks/get", { taskId, _meta: withTasks })))
    .toMatchObject({ status });
}

test("2025-11-25: a call with task is answered at once, and its result is fetched later", async () => {
  const { tool, finish } = waiting();
  const store = memoryTasks();
  const wire = serve([tool], store);
  const { capabilities } = resultOf(await wire.ask("initialize", initialize));
  expect(capabilities).toMatchObject({
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  });
  const { tools } = resultOf(await wire.ask("tools/list"));
  expect(tools).toMatchObject([{ name: "wait", execution: { taskSupport: "optional" } }]);

  const taskId = await legacyTask(wire, "wait", { ttl: 120_000 });
  expect(resultOf(await wire.ask("tasks/get", { taskId }))).toMatchObject({
    taskId,
    status: "working",
    ttl: 120_000,
  });
  const fetched = wire.ask("tasks/result", { taskId });
  finish();

  expect(resultOf(await fetched)).toMatchObject({
    content: [{ type: "text", text: "waited" }],
    _meta: { [metaKeys.relatedTask]: { taskId } },
  });
  expect(resultOf(await wire.ask("tasks/list"))).toMatchObject({
    tasks: [{ taskId, status: "completed" }],
  });
  expect(wire.heard("notifications/tasks/status")).toMatchObject([
    { params: { taskId, status: "completed" } },
  ]);
});

test("2025-11-25: a question of a task goes to the client that waits for its result", async () => {
  const wire = serve([asking], memoryTasks());
  await wire.ask("initialize", initialize);
  const taskId = await legacyTask(wire, "ask");
  await expect
    .poll(async () => resultOf(await wire.ask("tasks/get", { taskId })))
    .toMatchObject({ status: "input_required" });
  expect(wire.heard("elicitation/create")).toEqual([]);

  const fetched = wire.ask("tasks/result", { taskId });
  await wire.untilHeard("elicitation/create");
  const [question] = wire.heard("elicitation/create");
  expect(question).toMatchObject({ params: { _meta: { [metaKeys.relatedTask]: { taskId } } } });
  const { id } = question as { readonly id: string };
  await wire.connection.handle({
    jsonrpc: "2.0",
    id,
    result: { action: "accept", content: { ok: true } },
  });

  expect(resultOf(await fetched)).toMatchObject({ content: [{ text: "accept" }] });
});

test("2025-11-25: a cancelled task ends its call, stays cancelled, and cannot be cancelled again", async () => {
  const { tool } = waiting();
  const wire = serve([tool], memoryTasks());
  await wire.ask("initialize", initialize);
  const taskId = await legacyTask(wire, "wait");

  expect(resultOf(await wire.ask("tasks/cancel", { taskId }))).toMatchObject({
    status: "cancelled",
  });
  expect(await wire.ask("tasks/cancel", { taskId })).toMatchObject({
    error: { code: -32_602, message: "The task is cancelled already." },
  });
  expect(await wire.ask("tasks/result", { taskId })).toMatchObject({
    error: { message: "The task is cancelled and has no result." },
  });
});

test("2026-07-28: a call that takes long becomes a task, a short one does not", async () => {
  const { tool, finish } = waiting();
  const quick = defineTool({
    name: "quick",
    description: "Is quick.",
    touches: [],
    input: noInput,
    run: () => ({ content: "done" }),
  });
  const wire = serve([tool, quick], memoryTasks());
  const call = async (name: string): Promise<Readonly<Record<string, unknown>>> =>
    resultOf(await wire.askModern("tools/call", { name, _meta: withTasks }));

  expect(await call("quick")).toMatchObject({
    resultType: "complete",
    content: [{ text: "done" }],
  });
  const created = await call("wait");
  expect(created).toMatchObject({ resultType: "task", status: "working" });
  finish();

  await untilStatus(wire, String(created["taskId"]), "completed");
  expect(
    resultOf(await wire.askModern("tasks/get", { taskId: created["taskId"], _meta: withTasks })),
  ).toMatchObject({ result: { content: [{ text: "waited" }] } });
});

test("2026-07-28: tasks/update answers the question of a task; other keys are ignored", async () => {
  const gate = Promise.withResolvers<void>();
  untilSlow = gate.promise;
  const wire = serve([asking], memoryTasks());
  const created = resultOf(await wire.askModern("tools/call", { name: "ask", _meta: withTasks }));
  expect(created).toMatchObject({ resultType: "task" });
  gate.resolve();
  const taskId = String(created["taskId"]);
  await untilStatus(wire, taskId, "input_required");

  const update = async (inputResponses: unknown): Promise<unknown> =>
    await wire.askModern("tasks/update", { taskId, inputResponses, _meta: withTasks });
  expect(await update("no")).toMatchObject({ error: { code: -32_602 } });
  await update({ other: { action: "accept" } });
  await untilStatus(wire, taskId, "input_required");
  await update({ sure: { action: "decline" } });

  await untilStatus(wire, taskId, "completed");
  untilSlow = Promise.resolve();
});

test("2026-07-28: input_required and the question are seen together, however long the store takes", async () => {
  const gate = Promise.withResolvers<void>();
  untilSlow = gate.promise;
  const asked = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const store = memoryTasks();
  const wire = serve([asking], {
    ...store,
    async save(record) {
      if (record.status === "input_required") {
        asked.resolve();
        await stored.promise;
      }
      await store.save(record);
    },
  });
  const created = resultOf(await wire.askModern("tools/call", { name: "ask", _meta: withTasks }));
  const taskId = String(created["taskId"]);
  const look = async (): Promise<Readonly<Record<string, unknown>>> =>
    resultOf(await wire.askModern("tasks/get", { taskId, _meta: withTasks }));
  gate.resolve();
  await asked.promise;

  expect(await look()).toMatchObject({ status: "working" });
  stored.resolve();
  await untilStatus(wire, taskId, "input_required");
  expect(await look()).toMatchObject({ inputRequests: { sure: { method: "elicitation/create" } } });
  const update = { taskId, inputResponses: { sure: { action: "decline" } }, _meta: withTasks };
  const [, after] = await Promise.all([wire.askModern("tasks/update", update), look()]);
  expect(after).not.toMatchObject({ status: "input_required" });
  untilSlow = Promise.resolve();
});

test("a tool whose calls must be tasks refuses clients without tasks, in the words of each era", async () => {
  const must = { ...waiting().tool, name: "must" };
  const modern = serve([must], memoryTasks());
  const legacy = serve([must], memoryTasks());
  await legacy.ask("initialize", initialize);

  expect(await modern.askModern("tools/call", { name: "must" })).toMatchObject({
    error: {
      code: -32_021,
      data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
    },
  });
  expect(await legacy.ask("tools/call", { name: "must" })).toMatchObject({
    error: { code: -32_601 },
  });
});

test("2025-06-18 has no tasks", async () => {
  const wire = serve([waiting().tool], memoryTasks());
  const { capabilities } = resultOf(
    await wire.ask("initialize", { ...initialize, protocolVersion: "2025-06-18" }),
  );

  expect(capabilities).not.toHaveProperty("tasks");
  expect(await wire.ask("tasks/list")).toMatchObject({ error: { code: -32_601 } });
});

test("a task belongs to its session", async () => {
  const { tool } = waiting();
  const store = memoryTasks();
  const own = serve([tool], store, "one");
  const other = serve([tool], store, "other");
  await own.ask("initialize", initialize);
  await other.ask("initialize", initialize);
  const taskId = await legacyTask(own, "wait");

  const unknown = { error: { code: -32_602, data: { code: "NOT_FOUND" } } };
  expect(await other.ask("tasks/get", { taskId })).toMatchObject(unknown);
  expect(await other.ask("tasks/cancel", { taskId })).toMatchObject(unknown);
  expect(await other.ask("tasks/result", { taskId })).toMatchObject(unknown);
  expect(resultOf(await other.ask("tasks/list"))).toEqual({ tasks: [] });
  await own.ask("tasks/cancel", { taskId });
});

test("the 65th running task is refused; after one was cancelled there is room again", async () => {
  const { tool } = waiting();
  const wire = serve([tool], memoryTasks());
  await wire.ask("initialize", initialize);
  const [first] = await Promise.all(
    Array.from({ length: 64 }, async () => await legacyTask(wire, "wait")),
  );

  expect(await wire.ask("tools/call", { name: "wait", task: {} })).toMatchObject({
    error: { code: -32_000, data: { code: "LIMIT_REACHED" } },
  });
  await wire.ask("tasks/cancel", { taskId: first });
  await expect
    .poll(async () => await wire.ask("tools/call", { name: "wait", task: {} }))
    .toHaveProperty("result");
});

test("after a restart a call without its process has failed, and work in the background continues", async () => {
  const { tool } = waiting();
  const store = memoryTasks();
  const before = serve([tool], store);
  await before.ask("initialize", initialize);
  const lost = await legacyTask(before, "wait");
  const followed = await legacyTask(before, "wait");
  const callId = store.records.get(followed)?.callId ?? "";
  let isRunning = true;
  store.left.set(callId, {
    get isRunning() {
      return isRunning;
    },
    isError: false,
    text: async () => "all of it",
    stop: async () => void (isRunning = false),
  });

  store.isOwned = false;
  const after = serve([tool], store);
  await after.ask("initialize", initialize);

  expect(resultOf(await after.ask("tasks/get", { taskId: lost }))).toMatchObject({
    status: "failed",
    statusMessage: "The server ended before the call did.",
  });
  expect(resultOf(await after.ask("tasks/get", { taskId: followed }))).toMatchObject({
    status: "working",
  });
  isRunning = false;
  expect(resultOf(await after.ask("tasks/result", { taskId: followed }))).toMatchObject({
    content: [{ text: "all of it" }],
    isError: false,
  });
});

test("a call that leaves work in the background is a task until the work has ended", async () => {
  const store = memoryTasks();
  let isRunning = true;
  const starts = defineTool({
    name: "start",
    description: "Starts work.",
    touches: [],
    input: noInput,
    run: (_input, { callId }) => {
      store.left.set(callId, {
        get isRunning() {
          return isRunning;
        },
        isError: true,
        text: async () => "output",
        stop: async () => undefined,
      });
      return { content: "started" };
    },
  });
  const wire = serve([starts], store);
  const created = resultOf(await wire.askModern("tools/call", { name: "start", _meta: withTasks }));
  expect(created).toMatchObject({ resultType: "task", status: "working" });
  const taskId = String(created["taskId"]);
  await expect.poll(() => store.records.get(taskId)?.inBackground).toBe(true);

  isRunning = false;

  await untilStatus(wire, taskId, "completed");
  expect(store.records.get(taskId)?.result).toMatchObject({ isError: true });
});
