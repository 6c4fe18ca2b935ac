import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as OldTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as OldServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { tool as langChainTool } from "@langchain/core/tools";
import { describe, expect, test } from "vitest";
import { toAISDKTools } from "../../src/entries/ai-sdk.ts";
import { toClaudeAgentTools, toLangChainTools, toMcpServer } from "../../src/entries/interop.ts";
import { toResult, type HaftEvent, type Kit, type Outcome } from "../../src/index.ts";
import { testKit } from "../support/kit.ts";

/** Makes one call through a format, and returns the text that the model sees. */
type Caller = (kit: Kit, name: string, input: Record<string, unknown>) => Promise<string>;

const textOf = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((part: { text?: string }) => part.text ?? "").join("\n")
    : String(content);

const viaProvider =
  (format: "anthropic" | "openai-chat" | "openai-responses" | "gemini" | "mcp"): Caller =>
  async (kit, name, input) => {
    const result = toResult(await kit.call({ name, input: JSON.stringify(input) }), format);
    if ("functionResponse" in result) return Object.values(result.functionResponse.response).join();
    return textOf("output" in result ? result.output : result.content);
  };

const implementation = { name: "test", version: "1" };

const callers: Record<string, Caller> = {
  anthropic: viaProvider("anthropic"),
  "openai-chat": viaProvider("openai-chat"),
  "openai-responses": viaProvider("openai-responses"),
  gemini: viaProvider("gemini"),
  mcp: viaProvider("mcp"),
  "AI SDK": async (kit, name, input) => {
    const tools = await toAISDKTools(kit);
    const output = await tools[name]?.execute(input, { toolCallId: "c", messages: [] });
    return output?.text ?? "";
  },
  LangChain: async (kit, name, input) => {
    const tools = await toLangChainTools(kit, langChainTool);
    const chosen = tools.find((each) => each.name === name);
    const call = { type: "tool_call", id: "c", name, args: input } as const;
    const invoked = chosen as { invoke(given: unknown): Promise<{ content: unknown }> };
    return textOf((await invoked.invoke(call)).content);
  },
  "Claude Agent SDK": async (kit, name, input) => {
    // createSdkMcpServer registers tools in this way.
    const server = new OldServer(implementation);
    for (const {
      name: each,
      description,
      inputSchema,
      annotations,
      handler,
    } of await toClaudeAgentTools(kit)) {
      server.registerTool(each, { description, inputSchema, annotations }, handler);
    }
    const [client, end] = OldTransport.createLinkedPair();
    await server.connect(end);
    return await callOld(client, name, input);
  },
  "MCP in process, SDK 1": async (kit, name, input) => {
    const [client, end] = OldTransport.createLinkedPair();
    await toMcpServer(kit, implementation).connect(end);
    return await callOld(client, name, input);
  },
  "MCP in process, SDK 2": async (kit, name, input) => {
    const [client, end] = InMemoryTransport.createLinkedPair();
    const server = toMcpServer(kit, implementation);
    await server.connect(end);
    const connected = new Client(implementation);
    await connected.connect(client);
    const { content } = await connected.callTool({ name, arguments: input });
    await server.close();
    return textOf(content);
  },
};

async function callOld(
  transport: OldTransport,
  name: string,
  input: Record<string, unknown>,
): Promise<string> {
  const client = new OldClient(implementation);
  await client.connect(transport);
  const { content } = await client.callTool({ name, arguments: input });
  await client.close();
  return textOf(content);
}

const direct: Caller = async (kit, name, input) => (await kit.call({ name, input })).text;

const rows = [
  { title: "an allowed read", name: "Read", input: { file_path: "a.txt" }, status: "ok" },
  {
    title: "an allowed change",
    name: "Write",
    input: { file_path: "new.txt", content: "new\n" },
    status: "ok",
  },
  {
    title: "a change that a rule denies",
    name: "Write",
    input: { file_path: "secret.txt", content: "x" },
    status: "denied",
  },
  {
    title: "a change outside the workspace, which nobody approves",
    name: "Write",
    input: { file_path: "/elsewhere/x.txt", content: "x" },
    status: "denied",
  },
  {
    title: "a file that is missing",
    name: "Read",
    input: { file_path: "no.txt" },
    status: "failed",
  },
] as const;

interface Seen {
  readonly text: string;
  readonly outcome: Pick<Outcome, "status" | "effects" | "content"> & {
    readonly decision: unknown;
    readonly code: unknown;
  };
}

async function seenBy(caller: Caller, name: string, input: Record<string, unknown>): Promise<Seen> {
  const { kit } = await testKit(
    { mode: "acceptEdits", rules: { deny: ["Edit(./secret.txt)"] } },
    { files: { "/project/a.txt": "one\n" } },
  );
  const outcomes: Outcome[] = [];
  kit.events.subscribe((event: HaftEvent) => {
    if (event.type === "call-end") outcomes.push(event.outcome);
  });
  const text = await caller(kit, name, input);
  const [outcome] = outcomes;
  if (outcome === undefined || outcomes.length > 1) throw new Error("one call was expected");
  const { status, effects, content, decision, error } = outcome;
  const { kind, rule, reason } = decision ?? {};
  return {
    text,
    outcome: { status, effects, content, decision: { kind, rule, reason }, code: error?.code },
  };
}

describe.each(rows)("$title", ({ name, input, status }) => {
  test.each(Object.keys(callers))(
    "has the same effects, decision and result in the format %s",
    async (format) => {
      const caller = callers[format];
      if (caller === undefined) throw new Error(format);
      const expected = await seenBy(direct, name, input);
      const seen = await seenBy(caller, name, input);

      expect(expected.outcome.status).toBe(status);
      // The AI SDK asks in its own way, so the reason for a question without an answer differs.
      const isUnasked = format === "AI SDK" && expected.outcome.code === "APPROVAL_REQUIRED";
      const { effects, decision } = expected.outcome;
      expect(seen.outcome).toMatchObject(
        isUnasked ? { status: "denied", effects, decision } : expected.outcome,
      );
      expect(isUnasked || seen.text.startsWith(expected.text)).toBe(true);
    },
  );
});
