// The published client of the Model Context Protocol against our server, in both eras, in memory and over
// the standard streams of a process.
import {
  Client,
  InMemoryTransport,
  parseJSONRPCMessage,
  type ClientCapabilities,
  type ElicitResult,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, test } from "vitest";
import type { Toolkit } from "../../src/core/index.ts";
import { createProtocol, type ProtocolOptions } from "../../src/mcp/index.ts";
import { testKit } from "../support/kit.ts";
import { fixtureKit, fixtureOptions } from "./fixture-kit.ts";
import type { ListToolkit } from "./list-toolkit.ts";
import { typeScriptFlags } from "../support/from-source.ts";
import { areLawsFull } from "../support/law-runs.ts";

type Mode = "legacy" | { pin: string };

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function inMemory(kit: ListToolkit, mode: Mode): Promise<Client> {
  return await linked(kit, newClient(mode));
}

/** The client, connected to a server over this toolkit. */
async function linked(
  kit: Toolkit,
  client: Client,
  options: Partial<ProtocolOptions> = {},
): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const connection = createProtocol(kit, { ...fixtureOptions, ...options }).connect({
    send: (message) => void serverSide.send(parseJSONRPCMessage(message)),
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is not an event target
  serverSide.onmessage = (message) => void connection.handle(message);
  await serverSide.start();
  await client.connect(clientSide);
  open.push(async () => {
    await client.close();
    await connection.close();
  });
  return client;
}

async function overStdio(_kit: ListToolkit, mode: Mode): Promise<Client> {
  const client = newClient(mode);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...typeScriptFlags, "test/mcp/fixture-server.ts"],
      stderr: "inherit",
    }),
  );
  open.push(() => client.close());
  return client;
}

function newClient(mode: Mode, capabilities: ClientCapabilities = {}): Client {
  return new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode }, capabilities },
  );
}

const ways = [
  { era: "2025-11-25", mode: "legacy", way: "in memory", connect: inMemory, told: 1 },
  { era: "2026-07-28", mode: { pin: "2026-07-28" }, way: "in memory", connect: inMemory, told: 1 },
  { era: "2025-11-25", mode: "legacy", way: "over stdio", connect: overStdio, told: 0 },
  {
    era: "2026-07-28",
    mode: { pin: "2026-07-28" },
    way: "over stdio",
    connect: overStdio,
    told: 0,
  },
] as const;

// A developer's run starts servers in one era; in memory both are tried.
const waysHere = ways.filter((_, index) => areLawsFull || index < 3);

describe.for(waysHere)("a client of $era $way", ({ era, mode, connect, told }) => {
  test("agrees on the version and lists the tools", async () => {
    const client = await connect(fixtureKit(), mode);
    const { tools } = await client.listTools();

    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect(client.getServerVersion()).toMatchObject({ name: "haft-fixture" });
    expect(tools.map(({ name }) => name)).toContain("test_simple_text");
    expect(tools.find(({ name }) => name === "test_structured")).toMatchObject({
      title: "Add two numbers",
      annotations: { readOnlyHint: true, destructiveHint: false },
      outputSchema: { type: "object" },
    });
  });

  test("calls a tool and gets both forms of its answer", async () => {
    const client = await connect(fixtureKit(), mode);
    await client.listTools();

    const result = await client.callTool({ name: "test_structured", arguments: { a: 2, b: 3 } });

    expect(result).toMatchObject({
      content: [{ type: "text", text: '{"sum":5}' }],
      structuredContent: { sum: 5 },
    });
  });

  test("reads a failure as a result and a missing tool as an error", async () => {
    const client = await connect(fixtureKit(), mode);

    expect(await client.callTool({ name: "test_error_handling" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("This tool fails on purpose.") }],
    });
    await expect(client.callTool({ name: "test_missing" })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  test("follows progress", async () => {
    const client = await connect(fixtureKit(), mode);
    const seen: unknown[] = [];

    await client.callTool(
      { name: "test_tool_with_progress" },
      { onprogress: ({ progress, total }) => seen.push([progress, total]) },
    );

    // A client releases a call's listener with the answer, so of several messages in one chunk of a pipe all may come
    // too late.
    const sent = [
      [0, 100],
      [50, 100],
      [100, 100],
    ];
    expect(seen.length).toBeGreaterThanOrEqual(told);
    expect(seen).toEqual(sent.slice(0, seen.length));
  });

  test("cancels a call and continues", async () => {
    const kit = fixtureKit();
    const client = await connect(kit, mode);
    const controller = new AbortController();

    await expect(
      client.callTool(
        { name: "test_wait" },
        { signal: controller.signal, onprogress: () => controller.abort("enough") },
      ),
    ).rejects.toThrow("enough");

    expect(await client.callTool({ name: "test_simple_text" })).toMatchObject({
      content: [{ type: "text" }],
    });
    expect(kit.running.size).toBe(0);
  });
});

const eras = [
  { era: "2025-11-25", mode: "legacy" },
  { era: "2026-07-28", mode: { pin: "2026-07-28" } },
] as const;

/** A client whose person answers every form so, and what they were shown. */
function answering(mode: Mode, answer: ElicitResult): { client: Client; shown: string[] } {
  const client = newClient(mode, { elicitation: {}, sampling: {}, roots: {} });
  const shown: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    shown.push(params.message);
    return answer;
  });
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant" as const,
    content: { type: "text" as const, text: "Hello!" },
    model: "m",
  }));
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///a" }] }));
  return { client, shown };
}

describe.for(eras)("a client of $era that can be asked", ({ mode }) => {
  const write = { name: "Write", arguments: { file_path: "a.txt", content: "hi" } };

  test("answers what a tool asks, one question after the other and three at once", async () => {
    const { client } = answering(mode, {
      action: "accept",
      content: { name: "Ada", color: "red" },
    });
    await linked(fixtureKit(), client);

    const rounds = await client.callTool({ name: "test_input_required_result_multi_round" });
    const atOnce = await client.callTool({ name: "test_input_required_result_multiple_inputs" });

    expect(rounds.content).toMatchObject([{ text: expect.stringMatching(/Ada.*red/u) }]);
    expect(atOnce.content).toMatchObject([{ text: expect.stringMatching(/^Hello! .*Ada.* 1$/u) }]);
  });

  test("lets its person allow a call", async () => {
    const { kit, host } = await testKit();
    const allow = { action: "accept", content: { decision: "Allow once" } } as const;
    const { client, shown } = answering(mode, allow);
    await linked(kit, client, { approvals: "client" });

    const result = await client.callTool(write);

    expect(result.isError).not.toBe(true);
    expect(shown).toEqual([expect.stringMatching(/^Write file: Create a\.txt\?\n/u)]);
    expect((await host.fs.stat("/project/a.txt")).kind).toBe("file");
  });

  test.for([
    { action: "decline" },
    { action: "accept", content: { decision: "Deny", reason: "not now" } },
  ] satisfies ElicitResult[])("lets its person refuse a call: $action", async (answer) => {
    const { kit, host } = await testKit();
    const { client } = answering(mode, answer);
    await linked(kit, client, { approvals: "client" });

    const result = await client.callTool(write);

    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("The user said no") }],
    });
    await expect(host.fs.stat("/project/a.txt")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
