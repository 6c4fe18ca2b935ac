// Every span and every measurement of a whole run, compared with the registry that OpenTelemetry publishes as a package.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import * as registry from "@opentelemetry/semantic-conventions/incubating";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedModel } from "../../src/agent/index.ts";
import { instrumentKit } from "../../src/entries/telemetry.ts";
import { createProtocol } from "../../src/mcp/index.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { serverEntry, serverWorld } from "../mcp/client/server-world.ts";
import { observedIn, tree, type Observed } from "./observed-telemetry.ts";

leaveNothing();

const constants = Object.entries<unknown>(registry).flatMap(([name, value]) =>
  typeof value === "string" ? [[name, value] as const] : [],
);
const valuesOf = (prefix: string): ReadonlySet<string> =>
  new Set(constants.filter(([name]) => name.startsWith(prefix)).map(([, value]) => value));

const attributes = valuesOf("ATTR_");
/** Two metrics of semantic-conventions-genai 0.1 are younger than the package. */
const metrics = new Set([
  ...valuesOf("METRIC_"),
  "gen_ai.execute_tool.duration",
  "gen_ai.invoke_agent.duration",
]);

/** Attributes that the registry requires, or recommends where they are known, by kind of span. */
const expected: Readonly<Record<string, readonly string[]>> = {
  invoke_agent: ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model"],
  chat: [
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.response.finish_reasons",
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
  ],
  execute_tool: [
    "gen_ai.operation.name",
    "gen_ai.tool.name",
    "gen_ai.tool.type",
    "gen_ai.tool.call.id",
  ],
  "tools/call": ["mcp.method.name", "gen_ai.tool.name", "gen_ai.operation.name"],
  "tools/list": ["mcp.method.name", "network.transport"],
  "resources/list": ["mcp.method.name", "network.transport"],
  "resources/templates/list": ["mcp.method.name", "network.transport"],
  "resources/read": ["mcp.method.name", "network.transport"],
};

const closers: (() => Promise<unknown>)[] = [];
let observed: Observed;
let spans: readonly ReadableSpan[];
let measured: Awaited<ReturnType<Observed["metrics"]>>;
const results: string[] = [];

beforeAll(async () => {
  const world = serverWorld();
  closers.push(async () => await world[Symbol.asyncDispose]());
  const own = path.join(world.workspace, ".haft");
  mkdirSync(path.join(own, "skills/tidy"), { recursive: true });
  writeFileSync(
    path.join(own, "skills/tidy/SKILL.md"),
    "---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n",
  );
  mkdirSync(path.join(own, "commands"));
  writeFileSync(path.join(own, "commands/sync.md"), "---\ndescription: Syncs.\n---\nSync.\n");
  mkdirSync(path.join(own, "agents"));
  writeFileSync(
    path.join(own, "agents/looker.md"),
    "---\nname: looker\ndescription: Looks.\n---\nLook.\n",
  );
  const tool = { name: "t", description: "A tool.", inputSchema: { type: "object" } };
  const settings = {
    mcpServers: {
      s: serverEntry({
        tools: [tool],
        acts: { t: "meta" },
        resources: [{ uri: "note://1", name: "one" }],
        contents: { "note://1": { uri: "note://1", text: "a private note" } },
      }),
    },
  };
  writeFileSync(path.join(own, "settings.json"), JSON.stringify(settings));
  const model = scriptedModel({
    format: 1,
    name: "whole",
    rules: [
      {
        when: { taskMatches: "^Look" }, // eslint-disable-next-line unicorn/no-thenable
        then: { text: "Seen." },
      },
    ],
    turns: [
      { calls: [{ name: "Skill", input: { name: "tidy" } }] },
      { calls: [{ name: "SlashCommand", input: { command: "sync" } }] },
      { calls: [{ name: "mcp__s__t", input: {} }] },
      { calls: [{ name: "ListMcpResources", input: {} }] },
      { calls: [{ name: "ReadMcpResource", input: { server: "s", uri: "note://1" } }] },
      { calls: [{ name: "ReadMcpResource", input: { server: "s", uri: "note://none" } }] },
      { calls: [{ name: "Read", input: { file_path: "missing.txt" } }] },
      {
        calls: [{ name: "Agent", input: { agent: "looker", prompt: "Look", description: "Look" } }],
      },
      { text: "Done." },
    ],
  } as never);
  const kit = await world.open(
    {},
    {
      settings: "load",
      trust: true,
      model,
      rules: { allow: ["mcp__s", "Agent", "Skill", "SlashCommand"] },
    },
  );
  observed = observedIn(closers);
  instrumentKit(kit, observed.api);
  kit.events.subscribe((event) => {
    if (event.type === "call-end") results.push(event.outcome.text);
  });
  // On a loaded machine the server may take longer to start than a call waits.
  for (let tries = 0; tries < 5; tries += 1) {
    if ((await kit.mcp.check("s")).server.status === "running") break;
  }
  await kit.run({ task: "Do all.", limits: { maxTurns: 20 } }).result;
  const connection = createProtocol(kit, { name: "haft", version: "1" }).connect({
    send: () => undefined,
  });
  const clientInfo = { name: "c", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  await connection.handle({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  await connection.handle({
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "ListDir", arguments: {} },
  });
  await connection.close();
  spans = observed.spans();
  measured = await observed.metrics();
}, 60_000);

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

test("the run, its agents, skills, commands and requests to servers are one tree", () => {
  const run = spans.find(({ name, parentSpanContext }) => {
    return name === "invoke_agent" && parentSpanContext === undefined;
  });
  const traceId = run?.spanContext().traceId;
  const lines = tree(spans.filter((span) => span.spanContext().traceId === traceId));
  expect(lines.filter((line) => !line.includes("chat"))).toEqual([
    "invoke_agent",
    "  execute_tool Agent",
    "    invoke_agent looker",
    "  execute_tool ListMcpResources",
    "    resources/list",
    "    resources/templates/list",
    "  execute_tool Read",
    "  execute_tool ReadMcpResource",
    "    resources/read",
    "  execute_tool ReadMcpResource",
    "    resources/read",
    "  execute_tool Skill",
    "  execute_tool SlashCommand",
    "  execute_tool mcp__s__t",
    "    tools/call t",
  ]);
});

test("a server gets the trace of its request, and no baggage", () => {
  const client = spans.find(({ name }) => name === "tools/call t");
  const { traceId, spanId } = client?.spanContext() ?? {};
  const call = spans.find(({ name }) => name === "execute_tool mcp__s__t");

  expect(client).toMatchObject({ kind: SpanKind.CLIENT, status: { code: 0 } });
  expect(client?.attributes).toMatchObject({
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": "t",
    "network.transport": "pipe",
    "haft.mcp.server": "s",
  });
  expect(client?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
  expect(metaSeen()).toMatchObject({ traceparent: `00-${traceId}-${spanId}-01` });
  expect(metaSeen()).not.toHaveProperty("baggage");
});

function metaSeen(): unknown {
  const text = results.find((each) => each.includes("traceparent")) ?? "{}";
  return JSON.parse(/\{.*\}/u.exec(text)?.[0] ?? "{}");
}

test("skills, commands and agents are named", () => {
  expect(find("execute_tool Skill")).toMatchObject({ "haft.skill.name": "tidy" });
  expect(find("execute_tool SlashCommand")).toMatchObject({ "haft.command.name": "sync" });
  expect(find("invoke_agent looker")).toMatchObject({ "gen_ai.agent.name": "looker" });
});

test("failed requests have a code", () => {
  const failed = spans.filter(
    ({ name, attributes: { "error.type": type } }) =>
      name === "resources/read" && type !== undefined,
  );
  expect(failed).toHaveLength(1);
  expect(failed[0]?.attributes["rpc.response.status_code"]).toMatch(/^-\d+$/u);
});

describe("the published registry", () => {
  test("it has every attribute, except those that are named after haft", () => {
    const used = new Set(spans.flatMap((span) => Object.keys(span.attributes)));
    const points = measured.flatMap((each) => each.points.flatMap((point) => Object.keys(point)));
    const unknown = [...used, ...points].filter(
      (name) => !attributes.has(name) && !name.startsWith("haft."),
    );
    expect(used.size).toBeGreaterThan(15);
    expect(unknown).toEqual([]);
  });

  test("it has every value of operations, methods, providers, kinds of tokens and transports", () => {
    const values: Readonly<Record<string, ReadonlySet<string>>> = {
      "gen_ai.operation.name": valuesOf("GEN_AI_OPERATION_NAME_VALUE_"),
      "gen_ai.token.type": valuesOf("GEN_AI_TOKEN_TYPE_VALUE_"),
      "mcp.method.name": valuesOf("MCP_METHOD_NAME_VALUE_"),
      "network.transport": valuesOf("NETWORK_TRANSPORT_VALUE_"),
      // A provider of its own may be named as it likes.
      "gen_ai.provider.name": new Set([
        ...valuesOf("GEN_AI_PROVIDER_NAME_VALUE_"),
        "custom",
        "script",
      ]),
    };
    const points = measured.flatMap((each) => each.points);
    const unknown = [...spans.map((span) => span.attributes), ...points].flatMap((from) =>
      Object.entries(values).flatMap(([name, known]) => {
        const value = from[name];
        return typeof value !== "string" || known.has(value) ? [] : [`${name} ${value}`];
      }),
    );

    expect(unknown).toEqual([]);
  });

  test("it has every metric, with the unit of a duration or of tokens", () => {
    expect(measured.map(({ name, unit }) => `${name} ${unit}`).toSorted()).toEqual([
      "gen_ai.client.operation.duration s",
      "gen_ai.client.token.usage {token}",
      "gen_ai.execute_tool.duration s",
      "gen_ai.invoke_agent.duration s",
      "mcp.client.operation.duration s",
      "mcp.server.operation.duration s",
    ]);
    for (const { name } of measured) expect(metrics).toContain(name);
  });

  test("every span has the attributes and the form of its kind", () => {
    expect(new Set(spans.map(kindOf)).size).toBeGreaterThanOrEqual(7);
    for (const span of spans) {
      const kind = kindOf(span);
      expect(Object.keys(span.attributes)).toEqual(
        expect.arrayContaining([...(expected[kind] ?? [kind])]),
      );
      expect(`${kind} ${SpanKind[span.kind]}`).toMatch(
        /^(?:tools\/call SERVER|(?:chat|\w+\/\S+) CLIENT|(?:invoke_agent|execute_tool) INTERNAL)$/u,
      );
      const isFailed = span.status.code === SpanStatusCode.ERROR;
      expect(isFailed).toBe(span.attributes["error.type"] !== undefined);
    }
  });

  test("no attribute has content of the run", () => {
    const all = JSON.stringify(spans.map((span) => [span.name, span.attributes, span.events]));
    for (const content of ["Do all", "Tidy", "private note", "missing.txt", "note://"]) {
      expect(all).not.toContain(content);
    }
  });
});

function find(name: string) {
  return spans.find((span) => span.name === name)?.attributes;
}

function kindOf({ name }: ReadableSpan): string {
  return name.split(" ")[0] ?? "";
}
