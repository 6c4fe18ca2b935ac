import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fixtureKit } from "../../../../test/mcp/fixture-kit.ts";
import { listToolkit } from "../../../../test/mcp/list-toolkit.ts";
import { legacyWire, modernMeta, wireTo } from "../../../../test/mcp/wire.ts";
import { metaKeys } from "./versions.ts";

test("initialize answers with the version the client asked for, and what is offered", async () => {
  const wire = wireTo(fixtureKit(), { instructions: "Be careful." });

  expect(await wire.ask("initialize", { protocolVersion: "2025-06-18" })).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: "haft", version: "1.2.3" },
      instructions: "Be careful.",
    },
  });
});

test.for([
  { asked: "2025-11-25", answered: "2025-11-25", because: "it is spoken" },
  { asked: "2025-03-26", answered: "2025-03-26", because: "it is spoken" },
  { asked: "2024-11-05", answered: "2024-11-05", because: "it is spoken" },
  { asked: "2026-07-28", answered: "2025-11-25", because: "it has no initialize" },
  { asked: "1999-01-01", answered: "2025-11-25", because: "nobody speaks it" },
])("initialize for $asked agrees on $answered: $because", async ({ asked, answered }) => {
  const wire = wireTo(fixtureKit());

  expect(await wire.ask("initialize", { protocolVersion: asked })).toMatchObject({
    result: { protocolVersion: answered },
  });
});

test("server/discover names every version, the capabilities and how long it holds", async () => {
  const wire = wireTo(fixtureKit(), { instructions: "Be careful." });

  expect(await wire.askModern("server/discover")).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: {
      resultType: "complete",
      supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
      capabilities: { tools: { listChanged: true } },
      instructions: "Be careful.",
      ttlMs: 60_000,
      cacheScope: "private",
      _meta: { [metaKeys.serverInfo]: { name: "haft", version: "1.2.3" } },
    },
  });
});

const meta = (entries: object): object => ({ params: { _meta: entries } });

test.for([
  { message: 7, code: -32_600, id: null, because: "a number is not a message" },
  { message: null, code: -32_600, id: null, because: "null is not a message" },
  { message: { id: 1, method: "ping" }, code: -32_600, id: 1, because: "it has no jsonrpc" },
  {
    message: { jsonrpc: "1.0", id: 1, method: "ping" },
    code: -32_600,
    id: 1,
    because: "jsonrpc is another version",
  },
  { message: { jsonrpc: "2.0", id: 1 }, code: -32_600, id: 1, because: "it has no method" },
  {
    message: { jsonrpc: "2.0", id: 1, method: 4 },
    code: -32_600,
    id: 1,
    because: "the method is a number",
  },
  {
    message: { jsonrpc: "2.0", id: null, method: "ping" },
    code: -32_600,
    id: null,
    because: "an id is never null here",
  },
  {
    message: { jsonrpc: "2.0", id: {}, method: "ping" },
    code: -32_600,
    id: null,
    because: "an object is not an id",
  },
  {
    message: { jsonrpc: "2.0", id: 1, method: "ping", params: [1] },
    code: -32_602,
    id: 1,
    because: "params have names",
  },
  {
    message: { jsonrpc: "2.0", id: 2 ** 53, method: "ping" },
    code: -32_600,
    id: null,
    because: "a number that was rounded is not the id that was sent",
  },
  {
    message: { jsonrpc: "2.0", id: 1, method: "x".repeat(100_000), params: {} },
    code: -32_602,
    id: 1,
    because: "nobody said which version a method of any length is of",
  },
  { message: [], code: -32_600, id: null, because: "a batch holds something" },
  {
    message: [{ jsonrpc: "2.0", id: 1, method: "ping" }],
    code: -32_600,
    id: null,
    because: "no version was agreed on that has batches",
  },
  {
    message: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    code: -32_602,
    id: 1,
    because: "nobody said which version it is",
  },
  {
    message: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      ...meta({ [metaKeys.clientCapabilities]: {} }),
    },
    code: -32_602,
    id: 1,
    because: "the version is missing",
  },
  {
    message: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      ...meta({ [metaKeys.protocolVersion]: "2026-07-28" }),
    },
    code: -32_602,
    id: 1,
    because: "the capabilities are missing",
  },
  {
    message: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      ...meta({ ...modernMeta, [metaKeys.protocolVersion]: 2026 }),
    },
    code: -32_602,
    id: 1,
    because: "the version is a number",
  },
  {
    message: {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { capabilities: {} },
    },
    code: -32_602,
    id: 1,
    because: "initialize names no version",
  },
])("a first message is answered with $code: $because", async ({ message, code, id }) => {
  const wire = wireTo(fixtureKit());

  await wire.connection.handle(message);

  expect(wire.sent).toEqual([
    { jsonrpc: "2.0", id, error: { code, message: expect.stringMatching(/\.$/u) } },
  ]);
  expect(await wire.ask("ping")).toMatchObject({ result: {} });
});

test.for([
  { message: { jsonrpc: "2.0", id: 4, result: {} }, because: "it answers nothing we asked" },
  { message: { jsonrpc: "2.0", id: 4, error: { code: 1 } }, because: "it answers nothing" },
  { message: { jsonrpc: "2.0", method: "notifications/unknown" }, because: "it is not known" },
  { message: { jsonrpc: "2.0", method: "tools/list" }, because: "it has no id to answer to" },
  {
    message: { jsonrpc: "2.0", method: "ping", params: 3 },
    because: "a notification is not answered",
  },
  {
    message: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: {} } },
    because: "it names no request",
  },
  {
    message: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
    because: "the request is unknown",
  },
])("a message is met with silence: $because", async ({ message }) => {
  const wire = wireTo(fixtureKit());

  await wire.connection.handle(message);

  expect(wire.sent).toEqual([]);
});

test("a version that is not spoken is refused with those that are", async () => {
  const wire = wireTo(fixtureKit());

  const params = { _meta: { ...modernMeta, [metaKeys.protocolVersion]: "2031-01-01" } };

  expect(await wire.ask("tools/list", params)).toMatchObject({
    error: {
      code: -32_022,
      data: { requested: "2031-01-01", supported: expect.arrayContaining(["2026-07-28"]) },
    },
  });
});

test.for([
  { era: "legacy", method: "resources/list" },
  { era: "legacy", method: "prompts/list" },
  { era: "legacy", method: "completion/complete" },
  { era: "legacy", method: "server/discover" },
  { era: "legacy", method: "subscriptions/listen" },
  { era: "legacy", method: "constructor" },
  { era: "modern", method: "initialize" },
  { era: "modern", method: "ping" },
  { era: "modern", method: "logging/setLevel" },
  { era: "modern", method: "resources/list" },
  { era: "modern", method: "nothing/known" },
])("$method is not a method of the $era era", async ({ era, method }) => {
  const wire = await legacyWire(fixtureKit());
  const answer = await (era === "modern" ? wire.askModern(method) : wire.ask(method));

  expect(answer).toMatchObject({
    error: {
      code: -32_601,
      message: expect.stringMatching(`^Method not found: ${method}\\. Use one of tools/list, `),
    },
  });
});

test("both eras are served on one connection, each by its own rules", async () => {
  const wire = await legacyWire(fixtureKit());

  const legacy = await wire.ask("tools/call", { name: "test_simple_text" });
  const modern = await wire.askModern("tools/call", { name: "test_simple_text" });

  expect(legacy).not.toHaveProperty("result.resultType");
  expect(modern).toHaveProperty("result.resultType", "complete");
  expect(modern).toHaveProperty(["result", "_meta", metaKeys.serverInfo, "name"], "haft");
});

test("a request that names the agreed old version is one of it", async () => {
  const wire = await legacyWire(fixtureKit());
  const params = { _meta: { [metaKeys.protocolVersion]: "2025-11-25" } };

  expect(await wire.ask("ping", params)).toMatchObject({ result: {} });
});

test("a batch of 2025-03-26 is answered as one, without its notifications", async () => {
  const wire = await legacyWire(fixtureKit(), "2025-03-26");

  await wire.connection.handle([
    { jsonrpc: "2.0", id: "a", method: "ping" },
    { jsonrpc: "2.0", method: "notifications/unknown" },
    { jsonrpc: "2.0", id: "b", method: "nothing/known" },
    "no message",
  ]);

  expect(wire.sent.at(-1)).toEqual([
    { jsonrpc: "2.0", id: "a", result: {} },
    {
      jsonrpc: "2.0",
      id: "b",
      error: {
        code: -32_601,
        message:
          "Method not found: nothing/known. Use one of tools/list, tools/call, initialize, ping, logging/setLevel.",
      },
    },
    { jsonrpc: "2.0", id: null, error: expect.objectContaining({ code: -32_600 }) },
  ]);
});

test("a batch of notifications alone is not answered", async () => {
  const wire = await legacyWire(fixtureKit(), "2025-03-26");
  const before = wire.sent.length;

  await wire.connection.handle([{ jsonrpc: "2.0", method: "notifications/unknown" }]);

  expect(wire.sent).toHaveLength(before);
});

test("an id in use is refused under no id, and the call it belongs to continues", async () => {
  const kit = fixtureKit();
  const wire = await legacyWire(kit);
  const call = { jsonrpc: "2.0", id: "one", method: "tools/call", params: { name: "test_wait" } };

  const first = wire.connection.handle(call);
  await kit.untilRunning();
  await wire.connection.handle(call);

  expect(wire.sent.at(-1)).toMatchObject({ id: null, error: { code: -32_600 } });
  await wire.connection.close();
  await first;
  expect(wire.sent.at(-1)).toMatchObject({ id: "one" });
});

test("a failure of the server itself says nothing about its cause", async () => {
  const kit = listToolkit([], {
    answer: () => {
      throw new Error("unused");
    },
  });
  const wire = await legacyWire({ ...kit, call: () => Promise.reject(new Error("secret path")) });

  expect(await wire.ask("tools/call", { name: "any" })).toMatchObject({
    error: { code: -32_603, message: "The server failed at this request." },
  });
});

test("closing aborts what runs, answers it, and hears nothing more", async () => {
  const kit = fixtureKit();
  const wire = await legacyWire(kit);
  const waiting = wire.ask("tools/call", { name: "test_wait" });
  await kit.untilRunning();

  await wire.connection.close();

  expect(kit.running.size).toBe(0);
  expect(kit.listeners.size).toBe(0);
  expect(await waiting).toMatchObject({ result: { isError: true } });
  expect(await wire.ask("ping")).toBeUndefined();
});

test("whatever is sent, every answer is one of JSON-RPC and the server continues", async () => {
  const method = fc.constantFrom(
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "logging/setLevel",
    "server/discover",
    "notifications/initialized",
    "notifications/cancelled",
    "__proto__",
  );
  const params = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        name: fc.constantFrom("test_echo", "test_missing", "toString"),
        arguments: fc.jsonValue(),
        protocolVersion: fc.oneof(fc.constant("2025-03-26"), fc.jsonValue()),
        requestId: fc.jsonValue(),
        _meta: fc.oneof(fc.constant(modernMeta), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  );
  const id = fc.oneof(fc.nat(3), fc.string(), fc.jsonValue());
  const message = fc.record(
    { jsonrpc: fc.constantFrom("2.0", "2.0", "1.0"), id, method, params },
    { requiredKeys: ["jsonrpc"] },
  );
  const anything = fc.oneof(message, fc.array(message), fc.jsonValue());

  const law = fc.asyncProperty(fc.array(anything), async (messages) => {
    const wire = wireTo(fixtureKit());
    await Promise.all(messages.map((each) => wire.connection.handle(each)));
    const answers = wire.sent.flat().filter((each) => !("method" in each));
    const isWellFormed = answers.every(
      (each) => each.jsonrpc === "2.0" && "result" in each !== "error" in each && "id" in each,
    );
    const said = JSON.stringify(answers);
    const isOurFault =
      said.includes("-32603") || said.includes("INTERNAL") || /\n\s+at /u.test(said);
    const pong = await wire.ask("tools/call", { name: "test_echo", _meta: modernMeta });
    await wire.connection.close();
    return isWellFormed && !isOurFault && JSON.stringify(pong).includes('"resultType":"complete"');
  });

  expect(await fc.check(law)).toMatchObject({ failed: false });
});
