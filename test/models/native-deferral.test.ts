// Tools that a provider itself keeps from a model until ToolSearch finds them: the bytes that are sent.
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolkit, defineTool, memoryHost, type Kit, type Tool } from "../../src/index.ts";
import type { RunResult } from "../../src/agent/index.ts";
import { isRecord } from "../../src/text/index.ts";
import { fakeProvider, protocols, type FakeProvider } from "./fake-provider.ts";

let fake: FakeProvider;
beforeEach(async () => {
  fake = await fakeProvider();
});
afterEach(async () => {
  await fake.stop();
});

const ran: unknown[] = [];
const office = Array.from({ length: 60 }, (_, index) => echo(`office_task_${index}`));

function echo(name: string): Tool {
  return defineTool({
    name,
    description: `Handle the case of ${name.replaceAll("_", " ")}.`,
    source: { id: "office", name: "office", kind: "mcp" },
    input: { type: "object", properties: { text: { type: "string" } } },
    touches: [],
    run: (input) => {
      ran.push([name, input]);
      return { content: `${name} ran` };
    },
  });
}

interface SentCall {
  readonly name: string;
  readonly input: object;
}

type Speak = (response: ServerResponse, call: SentCall | undefined) => void;

function send(
  response: ServerResponse,
  events: readonly Readonly<Record<string, unknown>>[],
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    response.write(`event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

const anthropic: Speak = (response, call) => {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const block =
    call === undefined
      ? { type: "text", text: "" }
      : { type: "tool_use", id: `toolu_${call.name}`, name: call.name, input: {} };
  const delta =
    call === undefined
      ? { type: "text_delta", text: "All done." }
      : { type: "input_json_delta", partial_json: JSON.stringify(call.input) };
  send(response, [
    {
      type: "message_start",
      message: { id: "m", type: "message", role: "assistant", model: "c", content: [], usage },
    },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: call === undefined ? "end_turn" : "tool_use" },
      usage,
    },
    { type: "message_stop" },
  ]);
};

const openai: Speak = (response, call) => {
  const id = `item_${call?.name ?? "text"}`;
  const item =
    call === undefined
      ? { type: "message", id, phase: null }
      : call.name === "ToolSearch"
        ? {
            type: "tool_search_call",
            id,
            execution: "client",
            call_id: "call_search",
            status: "completed",
            arguments: call.input,
          }
        : {
            type: "function_call",
            id,
            call_id: `call_${call.name}`,
            name: call.name,
            arguments: JSON.stringify(call.input),
            status: "completed",
          };
  const usage = { input_tokens: 10, output_tokens: 1 };
  send(response, [
    { type: "response.created", response: { id: "r", created_at: 1, model: "gpt-5.4" } },
    { type: "response.output_item.added", output_index: 0, item },
    ...(call === undefined
      ? [{ type: "response.output_text.delta", item_id: id, delta: "All done." }]
      : []),
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { usage } },
  ]);
};

const [anthropicProtocol, , openaiProtocol] = protocols;
const cases = [
  { name: "Anthropic", speak: anthropic, protocol: anthropicProtocol },
  {
    name: "OpenAI responses",
    speak: openai,
    protocol: { ...openaiProtocol, spec: "openai:gpt-5.4" },
  },
] as const;

type Case = (typeof cases)[number];
type Body = Readonly<Record<string, unknown>>;

async function kitOf(given: Case, more: Parameters<typeof createToolkit>[0] = {}): Promise<Kit> {
  return await createToolkit({
    host: memoryHost(),
    tools: { extra: office, exclude: ["WebFetch"] },
    deferral: { calls: "native" },
    // The types of the cases differ only in the address that no code depends on.
    model: await fake.model(given.protocol as never),
    ...more,
  });
}

/** Lets the model make these calls, one in each answer, and then end. */
async function run(kit: Kit, { speak }: Case, calls: readonly SentCall[]): Promise<RunResult> {
  ran.length = 0;
  for (const call of [...calls, undefined]) fake.faults.push((reply) => speak(reply, call));
  return await kit.run({ task: "go", sessionId: "s" }).result;
}

function bodies(): readonly Body[] {
  return fake.bodies.map((body): Body => JSON.parse(body));
}

/** Parts of the conversation of a body, in either protocol. */
function partsOf(body: Body | undefined): readonly Body[] {
  const messages = body?.["messages"] ?? body?.["input"];
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  return list.flatMap((message) => {
    if (!isRecord(message)) return [];
    const { content } = message;
    return Array.isArray(content) ? content.filter(isRecord) : [message];
  });
}

function toolsOf(body: Body | undefined): readonly Body[] {
  const tools = body?.["tools"];
  return Array.isArray(tools) ? tools.filter(isRecord) : [];
}

const search = { name: "ToolSearch", input: { query: "select:office_task_3,office_task_4" } };
const use = { name: "office_task_3", input: { text: "x" } };

describe.each(cases)("$name", (given) => {
  test("runs a found tool under its own name, through the rules, with the same tools in every request", async () => {
    const events: string[] = [];
    await using kit = await kitOf(given, {
      rules: { deny: ["office_task_4"] },
      onEvent: (event) => {
        if (event.type === "call-start") events.push(event.call.name);
      },
    });

    const result = await run(kit, given, [
      search,
      use,
      { name: "office_task_4", input: {} },
      { name: "office_task_5", input: {} },
      search,
    ]);

    expect(result.status).toBe("done");
    expect(events).toEqual([
      "ToolSearch",
      "office_task_3",
      "office_task_4",
      "office_task_5",
      "ToolSearch",
    ]);
    expect(ran).toEqual([
      ["office_task_3", { text: "x" }],
      ["office_task_5", {}],
    ]);
    expect(result.denials.map(({ tool }) => tool)).toEqual(["office_task_4"]);
    expect(new Set(fake.bodies.map((body) => JSON.stringify(JSON.parse(body).tools))).size).toBe(1);
  });

  test("keeps the beginning of every request the same byte for byte", async () => {
    await using kit = await kitOf(given);

    await run(kit, given, [search, use]);

    const sent = bodies().map((body) => JSON.stringify(partsOf(body).map(withoutMarks)));
    expect(sent).toHaveLength(3);
    for (const [at, text] of sent.slice(1).entries()) {
      expect(text.startsWith(sent[at]?.slice(0, -1) ?? "?")).toBe(true);
    }
  });
});

/** Cache marks move with the end of the conversation. */
function withoutMarks(part: Body): Body {
  return Object.fromEntries(Object.entries(part).filter(([key]) => key !== "cache_control"));
}

describe("Anthropic", () => {
  const [given] = cases;

  test("gets every tool, deferred ones marked, and a reference to those found", async () => {
    await using kit = await kitOf(given);

    await run(kit, given, [search, use]);

    const [first, second] = bodies();
    const tools = toolsOf(first);
    const marked = tools.filter((tool) => tool["defer_loading"] === true).map(({ name }) => name);
    expect(marked.filter((name) => String(name).startsWith("office_"))).toHaveLength(60);
    expect(marked).not.toContain("ToolSearch");
    expect(marked).not.toContain("Read");
    expect(tools.map(({ name }) => name)).not.toContain("tool_call");
    expect(partsOf(second).find(({ type }) => type === "tool_result")).toMatchObject({
      tool_use_id: "toolu_ToolSearch",
      content: [
        { type: "tool_reference", tool_name: "office_task_3" },
        { type: "tool_reference", tool_name: "office_task_4" },
      ],
    });
  });

  test("reads why nothing was found", async () => {
    await using kit = await kitOf(given);

    await run(kit, given, [{ name: "ToolSearch", input: { query: "zzzz" } }]);

    const [, second] = bodies();
    const result = partsOf(second).find(({ type }) => type === "tool_result");
    expect(JSON.stringify(result)).toContain("Found no tool matching 'zzzz'.");
  });

  test("gets no reference to a tool that is gone", async () => {
    await using kit = await kitOf(given);
    fake.faults.push((reply) => anthropic(reply, search));
    fake.faults.push((reply) => {
      kit.registry.unregister("office_task_3");
      anthropic(reply, { name: "office_task_4", input: {} });
    });
    fake.faults.push((reply) => anthropic(reply, undefined));

    await kit.run({ task: "go" }).result;

    const parts = partsOf(bodies()[2]).filter(({ type }) => type === "tool_result");
    expect(JSON.stringify(parts[0])).not.toContain("office_task_3");
    expect(JSON.stringify(parts[0])).toContain("office_task_4");
  });

  test("gets the growing list for a model that cannot defer tools", async () => {
    const protocol = { ...anthropicProtocol, spec: "anthropic:claude-3-5-haiku-latest" };
    const model = await fake.model(protocol as never);
    await using kit = await kitOf(given, { model });

    await run(kit, given, [search, use]);

    const [first, second] = bodies().map((body) => toolsOf(body).map(({ name }) => name));
    expect(fake.bodies.join("")).not.toContain("defer_loading");
    expect(first).not.toContain("office_task_3");
    expect(second).toContain("office_task_3");
  });
});

describe("OpenAI", () => {
  const [, given] = cases;

  test("gets its own form of the search, whose output has the definitions of those found", async () => {
    await using kit = await kitOf(given);

    await run(kit, given, [search, use]);

    const [first, second] = bodies();
    expect(toolsOf(first)).toContainEqual({
      type: "tool_search",
      execution: "client",
      description: expect.stringContaining("Find tools"),
      parameters: expect.objectContaining({ type: "object" }),
    });
    expect(JSON.stringify(toolsOf(first))).not.toContain("office_task");
    expect(partsOf(second)).toContainEqual(
      expect.objectContaining({
        type: "tool_search_call",
        execution: "client",
        call_id: "call_search",
        arguments: search.input,
      }),
    );
    expect(partsOf(second)).toContainEqual({
      type: "tool_search_output",
      execution: "client",
      call_id: "call_search",
      status: "completed",
      tools: [3, 4].map((index) => ({
        type: "function",
        name: `office_task_${index}`,
        description: `Handle the case of office task ${index}.`,
        parameters: expect.objectContaining({ type: "object" }),
        strict: false,
        defer_loading: true,
      })),
    });
  });

  test("reads why nothing was found", async () => {
    await using kit = await kitOf(given);

    await run(kit, given, [{ name: "ToolSearch", input: { query: "zzzz" } }]);

    const [, second] = bodies();
    expect(partsOf(second)).toContainEqual(
      expect.objectContaining({ type: "tool_search_output", tools: [] }),
    );
    expect(JSON.stringify(partsOf(second))).toContain("Found no tool matching 'zzzz'.");
  });
});

function names(tools: readonly { readonly name: string }[]): string[] {
  return tools.map(({ name }) => name);
}

describe("definitions that a program sends itself", () => {
  test.each(["anthropic", "openai-responses"] as const)(
    "mark deferred tools for %s",
    async (format) => {
      await using kit = await createToolkit({
        host: memoryHost(),
        tools: { extra: office, exclude: ["WebFetch"] },
      });

      const hosted = await kit.definitions(format, { native: "hosted" });
      const client = await kit.definitions(format, { native: "client" });
      const usual = await kit.definitions(format);
      const marked = hosted.tools.filter((tool) => tool.defer_loading === true);
      expect(names(marked)).toEqual(expect.arrayContaining(office.map(({ name }) => name)));
      expect(names(marked)).not.toContain("Read");
      expect(names(hosted.tools)).toContain("Read");
      expect(names(hosted.tools)).not.toContain("ToolSearch");
      expect(names(client.tools)).toEqual([...names(hosted.tools), "ToolSearch"].toSorted());
      expect(hosted.deferred?.map(({ name }) => name)).toEqual(names(marked));
      expect(JSON.stringify(usual)).not.toContain("defer");
    },
  );
});
