import { expect, test } from "vitest";
import { fixtureKit } from "../../../../test/mcp/fixture-kit.ts";
import { listToolkit } from "../../../../test/mcp/list-toolkit.ts";
import { legacyWire, wireTo } from "../../../../test/mcp/wire.ts";
import type { Call, CallOptions, ProgressUpdate } from "../../../core/index.ts";

test("a call reaches the toolkit under a fresh id, with its input and session", async () => {
  const seen: [Call, CallOptions][] = [];
  const kit = listToolkit([], {
    answer: (call, options) => {
      seen.push([call, options]);
      return { content: [] };
    },
  });
  const wire = wireTo(kit, { sessionId: "s1" });

  await wire.askModern("tools/call", { name: "Read", arguments: { file_path: "a" } });
  await wire.askModern("tools/call", { name: "Read" });

  expect(seen.map(([call]) => call)).toEqual([
    { id: "mcp-1", name: "Read", input: { file_path: "a" } },
    { id: "mcp-2", name: "Read", input: {} },
  ]);
  expect(seen[0]?.[1].sessionId).toBe("s1");
});

test.for([
  { params: {}, because: "there is no name" },
  { params: { name: 3 }, because: "the name is a number" },
  { params: { name: "test_echo", arguments: "{}" }, because: "arguments are an object" },
  { params: { name: "test_echo", arguments: [1] }, because: "a list is not an object" },
])("an invalid call is an error of the protocol: $because", async ({ params }) => {
  const wire = await legacyWire(fixtureKit());

  expect(await wire.ask("tools/call", params)).toMatchObject({ error: { code: -32_602 } });
});

test.for(["legacy", "modern"])("an unknown tool is an error of the protocol, %s", async (era) => {
  const wire = await legacyWire(fixtureKit());
  const params = { name: "test_simple" };
  const answer = await (era === "legacy"
    ? wire.ask("tools/call", params)
    : wire.askModern("tools/call", params));

  expect(answer).toMatchObject({
    error: {
      code: -32_602,
      message: expect.stringMatching(/^Unknown tool: test_simple\. Available: .*test_simple_text/u),
      data: { code: "UNKNOWN_TOOL", nearest: expect.arrayContaining(["test_simple_text"]) },
    },
  });
});

test("a tool that fails to find a tool of its own is a result", async () => {
  const kit = listToolkit([], {
    answer: () => ({
      isError: true,
      status: "failed",
      content: [{ type: "text", text: "Unknown tool: Inner." }],
      error: {
        code: "UNKNOWN_TOOL",
        type: "validation",
        message: "Unknown tool: Inner.",
        retryable: false,
      },
      decision: { kind: "allow", trail: [] },
    }),
  });
  const wire = await legacyWire(kit);

  expect(await wire.ask("tools/call", { name: "Outer" })).toMatchObject({
    result: { isError: true, content: [{ text: "Unknown tool: Inner." }] },
  });
});

const progress = (done: number): object => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken: "p", progress: done, total: 100 },
});

test("progress is sent under the client's token, before the answer", async () => {
  const wire = await legacyWire(fixtureKit());
  const before = wire.sent.length;

  await wire.ask("tools/call", {
    name: "test_tool_with_progress",
    _meta: { progressToken: "p" },
  });

  expect(wire.sent.slice(before)).toEqual([
    progress(0),
    progress(50),
    progress(100),
    expect.objectContaining({ id: 2 }),
  ]);
});

test("nothing of a call follows its answer", async () => {
  let report: ((update: ProgressUpdate) => void) | undefined;
  const kit = listToolkit([], {
    answer: (_call, { onProgress }) => {
      report = onProgress;
      return { content: [] };
    },
  });
  const wire = await legacyWire(kit);
  await wire.ask("tools/call", { name: "Late", _meta: { progressToken: 1 } });

  report?.({ message: "too late" });

  expect(wire.heard("notifications/progress")).toEqual([]);
});

test.for([undefined, null, {}, 1.5])("%s is not a token, so nothing is reported", async (token) => {
  const wire = await legacyWire(fixtureKit());

  await wire.ask("tools/call", {
    name: "test_tool_with_progress",
    _meta: { progressToken: token },
  });

  expect(wire.heard("notifications/progress")).toEqual([]);
});

test("a cancelled call is aborted and never answered", async () => {
  const kit = fixtureKit();
  const wire = await legacyWire(kit);
  const waiting = wire.ask("tools/call", { name: "test_wait", _meta: { progressToken: 7 } });
  const other = wire.ask("tools/call", { name: "test_simple_text" });
  await other;

  await wire.tell("notifications/cancelled", { requestId: 2, reason: "enough" });

  expect(await waiting).toBeUndefined();
  expect(kit.running.size).toBe(0);
  expect(await other).toMatchObject({ result: { isError: false } });
});

test("an id and the same digits as text are two requests", async () => {
  const kit = fixtureKit();
  const wire = await legacyWire(kit);
  const waiting = wire.ask("tools/call", { name: "test_wait" });
  await kit.untilRunning();

  await wire.tell("notifications/cancelled", { requestId: "2" });
  expect(kit.running.size).toBe(1);

  await wire.tell("notifications/cancelled", { requestId: 2 });
  await waiting;
  expect(kit.running.size).toBe(0);
});

test("a call prints to the client's log once it asks for that level", async () => {
  const wire = await legacyWire(fixtureKit());
  const call = { name: "test_tool_with_logging" };

  await wire.ask("tools/call", call);
  expect(wire.heard("notifications/message")).toEqual([]);

  await wire.ask("logging/setLevel", { level: "warning" });
  await wire.ask("tools/call", call);
  expect(wire.heard("notifications/message")).toEqual([]);

  await wire.ask("logging/setLevel", { level: "info" });
  await wire.ask("tools/call", call);
  expect(wire.heard("notifications/message")).toHaveLength(3);
  expect(wire.heard("notifications/message")[0]).toEqual({
    jsonrpc: "2.0",
    method: "notifications/message",
    params: {
      level: "info",
      logger: "test_tool_with_logging",
      data: { stream: "stdout", text: "Tool execution started" },
    },
  });
});

test("a level the protocol does not know is refused", async () => {
  const wire = await legacyWire(fixtureKit());

  expect(await wire.ask("logging/setLevel", { level: "loud" })).toMatchObject({
    error: {
      code: -32_602,
      message:
        "level must be one of debug, info, notice, warning, error, critical, alert, emergency.",
    },
  });
});
