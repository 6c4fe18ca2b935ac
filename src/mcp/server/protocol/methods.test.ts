import { expect, test } from "vitest";
import { defineTool, effectKinds, type EffectKind, type Tool } from "../../../core/index.ts";
import { fixtureKit } from "../../../../test/mcp/fixture-kit.ts";
import { listToolkit } from "../../../../test/mcp/list-toolkit.ts";
import { legacyWire, wireTo } from "../../../../test/mcp/wire.ts";
import { metaKeys } from "./versions.ts";

function toolTouching(name: string, touches: readonly EffectKind[]): Tool {
  return defineTool({
    name,
    displayName: `The ${name} tool`,
    description: `Does ${name}.`,
    touches,
    input: {},
    run: () => ({ content: "" }),
  });
}

test("tools/list describes a tool in full", async () => {
  const wire = await legacyWire(listToolkit([toolTouching("Read", ["read"])]));

  expect(await wire.ask("tools/list")).toMatchInlineSnapshot(`
    {
      "id": 2,
      "jsonrpc": "2.0",
      "result": {
        "tools": [
          {
            "annotations": {
              "destructiveHint": false,
              "idempotentHint": true,
              "openWorldHint": false,
              "readOnlyHint": true,
              "title": "The Read tool",
            },
            "description": "Does Read.",
            "inputSchema": {
              "type": "object",
            },
            "name": "Read",
            "title": "The Read tool",
          },
        ],
      },
    }
  `);
});

test("tools/list is sorted, the same each time, and private in the new era", async () => {
  const names = ["b", "a", "C", "B"];
  const wire = wireTo(listToolkit(names.map((name) => toolTouching(name, []))), { listTtlMs: 5 });

  const first = await wire.askModern("tools/list");
  const second = await wire.askModern("tools/list");

  expect(first).toMatchObject({
    result: {
      tools: [{ name: "B" }, { name: "C" }, { name: "a" }, { name: "b" }],
      ttlMs: 5,
      cacheScope: "private",
      resultType: "complete",
    },
  });
  expect(JSON.stringify({ ...Object(second), id: 1 })).toBe(JSON.stringify(first));
});

const hints: Record<EffectKind, string> = {
  interact: "read-only idempotent",
  read: "read-only idempotent",
  connect: "read-only idempotent open",
  delegate: "destructive open",
  write: "destructive",
  execute: "destructive open",
  unknown: "destructive open",
};

test.for([...effectKinds])("the hints of a tool that touches %s follow from it", async (kind) => {
  const wire = await legacyWire(listToolkit([toolTouching("it", [kind])]));

  expect(await wire.ask("tools/list")).toMatchObject({
    result: {
      tools: [
        {
          annotations: {
            title: "The it tool",
            readOnlyHint: hints[kind].includes("read-only"),
            destructiveHint: hints[kind].includes("destructive"),
            idempotentHint: hints[kind].includes("idempotent"),
            openWorldHint: hints[kind].includes("open"),
          },
        },
      ],
    },
  });
});

const outputSchema = { type: "object", properties: { sum: { type: "number" } } };
const listSchema = { type: "array", items: { type: "number" } };

test.for([
  { version: "2026-07-28", schema: outputSchema, isShown: true },
  { version: "2026-07-28", schema: listSchema, isShown: true },
  { version: "2025-11-25", schema: outputSchema, isShown: true },
  { version: "2025-11-25", schema: listSchema, isShown: false },
  { version: "2025-06-18", schema: outputSchema, isShown: true },
  { version: "2025-03-26", schema: outputSchema, isShown: false },
])(
  "an output schema of type $schema.type is shown to $version: $isShown",
  async ({ version, schema, isShown }) => {
    const kit = listToolkit([{ ...toolTouching("Sum", []), output: schema }]);
    const answer =
      version === "2026-07-28"
        ? await wireTo(kit).askModern("tools/list")
        : await (await legacyWire(kit, version)).ask("tools/list");

    expect(answer).toMatchObject({ result: { tools: [{ name: "Sum" }] } });
    expect(JSON.stringify(answer).includes('"outputSchema"')).toBe(isShown);
  },
);

test.for([
  { icon: "https://example.com/a.png", isShown: true },
  { icon: "data:image/png;base64,AAAA", isShown: true },
  { icon: "📖", isShown: false },
  { icon: "javascript:alert(1)", isShown: false },
])("an icon is shown only where it is an address of an image: $icon", async ({ icon, isShown }) => {
  const kit = listToolkit([{ ...toolTouching("Read", ["read"]), icon }]);
  const answer = await (await legacyWire(kit)).ask("tools/list");

  expect(JSON.stringify(answer).includes('"icons"')).toBe(isShown);
});

test("there is one page, so a cursor is not valid", async () => {
  const wire = await legacyWire(fixtureKit());

  expect(await wire.ask("tools/list", { cursor: "x" })).toMatchObject({ error: { code: -32_602 } });
});

test("a client of the old era hears of changed tools once it has said hello", async () => {
  const kit = fixtureKit();
  const wire = await legacyWire(kit);

  await wire.ask("tools/call", { name: "test_trigger_tool_change" });

  expect(wire.heard("notifications/tools/list_changed")).toEqual([
    { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
  ]);
});

test("changes made in one go are one notification; a change of mode is one too", async () => {
  const kit = fixtureKit();
  const wire = await legacyWire(kit);

  kit.add(toolTouching("One", []));
  kit.add(toolTouching("Two", []));
  await Promise.resolve();
  expect(wire.heard("notifications/tools/list_changed")).toHaveLength(1);

  kit.events.emit({ type: "mode-change", mode: "plan" });
  await Promise.resolve();
  expect(wire.heard("notifications/tools/list_changed")).toHaveLength(2);

  kit.events.emit({ type: "run-end", runId: "1", status: "ok", text: "" });
  await Promise.resolve();
  expect(wire.heard("notifications/tools/list_changed")).toHaveLength(2);
});

test("nothing is announced to a client that asked for nothing", async () => {
  const kit = fixtureKit();
  const wire = wireTo(kit);
  await wire.askModern("tools/list");

  await wire.askModern("tools/call", { name: "test_trigger_tool_change" });

  expect(kit.listeners.size).toBe(0);
  expect(wire.heard("notifications/tools/list_changed")).toEqual([]);
});

test("a subscription is acknowledged first, then carries its id on every notification", async () => {
  const kit = fixtureKit();
  const wire = wireTo(kit);
  const listening = wire.askModern("subscriptions/listen", {
    notifications: { toolsListChanged: true, promptsListChanged: true },
  });
  await wire.askModern("tools/call", { name: "test_trigger_tool_change" });

  const params = { _meta: { [metaKeys.subscriptionId]: 1 } };
  expect(wire.sent.slice(0, 2)).toEqual([
    {
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { ...params, notifications: { toolsListChanged: true } },
    },
    { jsonrpc: "2.0", method: "notifications/tools/list_changed", params },
  ]);

  await wire.connection.close();
  expect(await listening).toMatchObject({ id: 1, result: { resultType: "complete", ...params } });
  expect(kit.listeners.size).toBe(0);
});

test("a subscription to something else hears nothing of tools", async () => {
  const wire = wireTo(fixtureKit());
  void wire.askModern("subscriptions/listen", { notifications: { promptsListChanged: true } });

  await wire.askModern("tools/call", { name: "test_trigger_tool_change" });

  expect(wire.heard("notifications/subscriptions/acknowledged")).toMatchObject([
    { params: { notifications: {} } },
  ]);
  expect(wire.heard("notifications/tools/list_changed")).toEqual([]);
  await wire.connection.close();
});

test("a cancelled subscription ends in silence", async () => {
  const kit = fixtureKit();
  const wire = wireTo(kit);
  const listening = wire.askModern("subscriptions/listen", {
    notifications: { toolsListChanged: true },
  });

  await wire.tell("notifications/cancelled", { requestId: 1 });

  expect(await listening).toBeUndefined();
  expect(kit.listeners.size).toBe(0);
});

test("a subscription must say to what", async () => {
  const wire = wireTo(fixtureKit());

  expect(await wire.askModern("subscriptions/listen")).toMatchObject({ error: { code: -32_602 } });
});
