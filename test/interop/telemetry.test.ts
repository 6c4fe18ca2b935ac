import * as otel from "@opentelemetry/api";
import type { SpanExporter, ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterEach, expect, test } from "vitest";
import { scriptedModel } from "../../src/agent/index.ts";
import { instrumentKit } from "../../src/entries/telemetry.ts";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/index.ts";
import { createProtocol } from "../../src/mcp/index.ts";
import { memoryHost } from "../../src/host/index.ts";
import { observedIn, tree, type Observed } from "./observed-telemetry.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function observed(exporter?: SpanExporter): Observed {
  return observedIn(closers, exporter);
}

async function kitWith(options: ToolkitOptions = {}): Promise<Kit> {
  const host = memoryHost({ files: { "/project/a.txt": "one\n" } });
  const kit = await createToolkit({ host, mode: "acceptEdits", ...options });
  closers.push(async () => await kit.dispose());
  return kit;
}

test("a run, its requests, its calls and the agents that they start are one tree", async () => {
  const model = scriptedModel({
    format: 1,
    name: "tree",
    rules: [
      {
        when: { taskMatches: "^Look", lastResultOf: "Read" },
        // eslint-disable-next-line unicorn/no-thenable
        then: { text: "Seen." },
      },
      {
        when: { taskMatches: "^Look" },
        // eslint-disable-next-line unicorn/no-thenable
        then: { calls: [{ name: "Read", input: { file_path: "a.txt" } }] },
      },
    ],
    turns: [
      { calls: [{ name: "Agent", input: { prompt: "Look", description: "Look" } }] },
      { text: "Done." },
    ],
  } as never);
  const { api, spans } = observed();
  const kit = await kitWith({ model });
  instrumentKit(kit, api);

  await kit.run({ task: "Have it read.", limits: { maxTurns: 10 } }).result;

  expect(tree(spans())).toEqual([
    "invoke_agent",
    "  chat tree",
    "  chat tree",
    "  execute_tool Agent",
    "    invoke_agent general",
    "      chat tree",
    "      chat tree",
    "      execute_tool Read",
  ]);
});

test("spans and metrics have the names and attributes of the conventions, and no content", async () => {
  const model = scriptedModel({
    format: 1,
    name: "one",
    turns: [{ calls: [{ name: "Read", input: { file_path: "a.txt" } }] }, { text: "Done." }],
  });
  const { api, spans, metrics } = observed();
  const kit = await kitWith({ model });
  instrumentKit(kit, api);

  await kit.run({ task: "Read." }).result;

  const find = (name: string): ReadableSpan | undefined =>
    spans().find((span) => span.name.startsWith(name));
  expect(find("execute_tool")).toMatchObject({
    kind: otel.SpanKind.INTERNAL,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "Read",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": expect.any(String),
      "haft.decision": "allow",
    },
  });
  expect(find("chat")).toMatchObject({
    kind: otel.SpanKind.CLIENT,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": expect.any(String),
      "gen_ai.usage.input_tokens": expect.any(Number),
      "gen_ai.usage.output_tokens": expect.any(Number),
      "gen_ai.response.finish_reasons": [expect.any(String)],
    },
  });
  expect(find("invoke_agent")?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.conversation.id": expect.any(String),
  });
  expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain("a.txt");
  expect((await metrics()).map(({ name, unit }) => `${name} ${unit}`).toSorted()).toEqual([
    "gen_ai.client.operation.duration s",
    "gen_ai.client.token.usage {token}",
    "gen_ai.execute_tool.duration s",
    "gen_ai.invoke_agent.duration s",
  ]);
});

test("a failed call has its code, and content only where it is requested", async () => {
  const { api, spans } = observed();
  const kit = await kitWith();
  instrumentKit(kit, api, { content: true });

  await kit.call({ id: "c1", name: "read", input: { file_path: "missing.txt" } });

  expect(spans()).toMatchObject([
    {
      name: "execute_tool Read",
      status: { code: otel.SpanStatusCode.ERROR, message: "NOT_FOUND" },
      attributes: {
        "error.type": "NOT_FOUND",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": expect.stringContaining("missing.txt"),
        "gen_ai.tool.call.result": expect.stringContaining("missing.txt"),
      },
    },
  ]);
});

test("a call of an MCP client is a span of its server, in the trace of the client", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const { api, spans } = observed();
  const kit = await kitWith();
  instrumentKit(kit, api);
  const connection = createProtocol(kit, { name: "haft", version: "1" }).connect({
    send: () => {},
  });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  };
  await connection.handle({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  await connection.handle({ jsonrpc: "2.0", method: "notifications/initialized" });

  await connection.handle({
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: {
      name: "Read",
      arguments: { file_path: "a.txt" },
      _meta: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    },
  });
  await connection.close();

  const [span] = spans();
  expect(span).toMatchObject({
    name: "tools/call Read",
    kind: otel.SpanKind.SERVER,
    parentSpanContext: { spanId: "b7ad6b7169203331" },
    attributes: { "mcp.method.name": "tools/call", "gen_ai.tool.name": "Read" },
  });
  expect(span?.spanContext().traceId).toBe(traceId);
});

test("an exporter that hangs and a tracer that throws do not affect calls", async () => {
  const never = new Promise<never>(() => {});
  const hanging: SpanExporter = {
    export: () => {},
    shutdown: async () => await never,
    forceFlush: async () => await never,
  };
  const kit = await kitWith();
  instrumentKit(kit, observed(hanging).api);
  const throwing = observed().api;
  Object.assign(throwing.trace, {
    getTracer: () => ({
      startSpan: () => {
        throw new Error("no spans today");
      },
    }),
  });
  instrumentKit(kit, throwing);

  const outcomes = await Promise.all(
    Array.from(
      { length: 50 },
      async () => await kit.call({ name: "Read", input: { file_path: "a.txt" } }),
    ),
  );
  await kit.dispose();

  expect(outcomes.every(({ status }) => status === "ok")).toBe(true);
});

test("nothing is reported once it is stopped", async () => {
  const { api, spans } = observed();
  const kit = await kitWith();
  const stop = instrumentKit(kit, api);

  stop();
  await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect(spans()).toEqual([]);
});
