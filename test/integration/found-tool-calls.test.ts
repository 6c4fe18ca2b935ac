// How a model calls the tools that it found, where no setting says it: decided by whether its provider caches prompts.
import { describe, expect, test } from "vitest";
import {
  createToolkit,
  defineTool,
  memoryHost,
  type HaftEvent,
  type Kit,
  type Tool,
  type ToolkitOptions,
} from "../../src/index.ts";
import type { ScriptTurn } from "../../src/agent/index.ts";
import { aiSdkModel } from "../../src/entries/agent.ts";
import { scenes, type SceneModel } from "../support/agent-world.ts";

const office = Array.from({ length: 60 }, (_, index) => echo(`office_task_${index}`));

function echo(name: string): Tool {
  return defineTool({
    name,
    description: `Handle the case of ${name.replaceAll("_", " ")}.`,
    source: { id: "office", name: "office", kind: "mcp" },
    input: { type: "object", properties: { text: { type: "string" } } },
    touches: [],
    run: (given) => ({ content: `${name} got ${JSON.stringify(given)}` }),
  });
}

async function officeKit(options: ToolkitOptions = {}): Promise<Kit> {
  return await createToolkit({
    host: memoryHost(),
    tools: { extra: office, exclude: ["WebFetch"] },
    ...options,
  });
}

/** A model that plays these turns, of a provider that caches prompts or does not. */
function played(turns: readonly ScriptTurn[], cachesPrompts = true): SceneModel {
  return { ...scenes({ go: turns }), cachesPrompts };
}

const search = (index: number): ScriptTurn => ({
  calls: [{ name: "ToolSearch", input: { query: `select:office_task_${index}` } }],
});

const wrapped = (index: number): ScriptTurn => ({
  calls: [{ name: "tool_call", input: { name: `office_task_${index}`, arguments: {} } }],
});

/** The tool block of every request, as text. */
function blocks({ requests }: SceneModel): readonly string[] {
  return requests.map(({ tools }) => JSON.stringify(tools));
}

function toolNames({ requests }: SceneModel, request: number): readonly string[] {
  return requests[request]?.tools.map(({ name }) => name) ?? [];
}

describe("where no setting says how found tools are called", () => {
  test("the tools are the same byte for byte over 50 turns on a provider that caches prompts", async () => {
    await using kit = await officeKit();
    const turns = Array.from({ length: 25 }, (_, index) => [search(index), wrapped(index)]).flat();
    const model = played([...turns.slice(0, 49), { text: "Done." }]);

    const { status, messages } = await kit.run({
      task: "go",
      model,
      // Servers connect again meanwhile.
      prepareTurn: () => {
        const calendar = kit.registry.scope("calendar");
        calendar.register(echo("ListDates"));
        if (model.requests.length % 2 === 0) calendar.dispose();
        else kit.registry.unregister("ListDates");
        return {};
      },
    }).result;

    expect(status).toBe("done");
    expect(model.requests).toHaveLength(50);
    expect(new Set(blocks(model)).size).toBe(1);
    expect(toolNames(model, 0)).toContain("tool_call");
    expect(JSON.stringify(messages)).toContain("office_task_23 got {}");
  });

  test("found tools join the list on a provider that does not cache", async () => {
    await using kit = await officeKit();
    const model = played(
      [search(3), { calls: [{ name: "office_task_3" }] }, { text: "Done." }],
      false,
    );

    const { status } = await kit.run({ task: "go", model }).result;

    expect(status).toBe("done");
    expect(toolNames(model, 0)).not.toContain("office_task_3");
    expect(toolNames(model, 1)).toContain("office_task_3");
    expect([0, 1, 2].flatMap((request) => toolNames(model, request))).not.toContain("tool_call");
  });

  test("found tools join the list of a program that runs no model of ours", async () => {
    await using kit = await officeKit();

    await kit.call({ name: "ToolSearch", input: { query: "select:office_task_3" } });

    expect(kit.deferral.active()).toContain("office_task_3");
    expect(kit.deferral.active()).not.toContain("tool_call");
  });

  test("sessions of both kinds keep their own way in one kit", async () => {
    await using kit = await officeKit();
    const caching = played([search(1), wrapped(1), { text: "Done." }]);
    const other = played([search(2), { text: "Done." }], false);

    await kit.run({ task: "go", model: caching, sessionId: "a" }).result;
    await kit.run({ task: "go", model: other, sessionId: "b" }).result;

    expect(kit.deferral.active("a")).toContain("tool_call");
    expect(kit.deferral.active("a")).not.toContain("office_task_1");
    expect(kit.deferral.active("b")).not.toContain("tool_call");
    expect(kit.deferral.active("b")).toContain("office_task_2");
  });

  test("a session continues where its next model is of the other kind", async () => {
    await using kit = await officeKit();
    const caching = played([search(1), wrapped(1), { text: "Done." }]);
    const first = await kit.run({ task: "go", model: caching, sessionId: "a" }).result;
    // It still calls as the conversation before shows it.
    const other = played(
      [{ text: "?" }, { text: "?" }, { text: "?" }, wrapped(1), search(2)],
      false,
    );

    const { messages } = await kit.run({
      task: "again",
      messages: first.messages,
      model: other,
      sessionId: "a",
    }).result;

    expect(JSON.stringify(messages.slice(first.messages.length))).toContain("office_task_1 got {}");
    expect(toolNames(other, 0)).not.toContain("tool_call");
    expect(toolNames(other, 2)).toContain("office_task_2");
  });

  test("few tools cost a caching provider no envelope", async () => {
    await using kit = await officeKit({ tools: { exclude: ["WebFetch"] } });
    const model = played([{ text: "Done." }]);

    await kit.run({ task: "go", model }).result;

    expect(toolNames(model, 0)).not.toContain("tool_call");
    expect(kit.registry.getNames()).not.toContain("tool_call");
  });

  test("a tool of the user named tool_call keeps its name, and found tools join the list", async () => {
    await using kit = await officeKit({
      tools: { extra: [...office, echo("tool_call")], exclude: ["WebFetch"] },
    });
    const model = played([search(3), { text: "Done." }]);

    const { status } = await kit.run({ task: "go", model }).result;

    expect(status).toBe("done");
    expect(toolNames(model, 1)).toContain("office_task_3");
  });

  test("a rule that denies tool_call is accepted, and found tools join the list", async () => {
    await using kit = await officeKit({ rules: { deny: ["tool_call"] } });
    const model = played([search(3), { text: "Done." }]);

    await kit.run({ task: "go", model }).result;

    expect(kit.workspace.problems).toEqual([]);
    expect(toolNames(model, 0)).not.toContain("tool_call");
    expect(toolNames(model, 1)).toContain("office_task_3");
  });

  test("an agent on a caching provider keeps its list too", async () => {
    await using kit = await officeKit();
    await using child = kit.derive({ tools: ["Read", "ToolSearch", ...office.map(named)] });
    const model = played([search(3), wrapped(3), { text: "Done." }]);

    const { messages } = await child.run({ task: "go", model }).result;

    expect(new Set(blocks(model)).size).toBe(1);
    expect(JSON.stringify(messages)).toContain("office_task_3 got {}");
    expect(kit.registry.getNames()).not.toContain("tool_call");
  });

  test("every call counts as one of the tool inside", async () => {
    const events: HaftEvent[] = [];
    await using kit = await officeKit({ onEvent: (event) => void events.push(event) });

    await kit.run({ task: "go", model: played([search(3), wrapped(3), { text: "Done." }]) }).result;

    const starts = events.flatMap((event) =>
      event.type === "call-start" ? [event.call.name] : [],
    );
    expect(starts).toEqual(["ToolSearch", "office_task_3"]);
  });
});

function named({ name }: Tool): string {
  return name;
}

describe("an explicit setting", () => {
  test.for([
    ["growing", true],
    ["envelope", false],
  ] as const)("%s wins over what the provider does", async ([calls, cachesPrompts]) => {
    await using kit = await officeKit({ deferral: { calls } });
    const model = played([search(3), { text: "Done." }], cachesPrompts);

    await kit.run({ task: "go", model }).result;

    const isEnvelope = calls === "envelope";
    expect(toolNames(model, 0).includes("tool_call")).toBe(isEnvelope);
    expect(toolNames(model, 1).includes("office_task_3")).toBe(!isEnvelope);
  });

  test("auto is the same as none", async () => {
    await using kit = await officeKit({ settings: { toolSearch: { calls: "auto" } } });
    const model = played([{ text: "Done." }]);

    await kit.run({ task: "go", model }).result;

    expect(kit.workspace.problems).toEqual([]);
    expect(toolNames(model, 0)).toContain("tool_call");
  });
});

describe("providers that cache prompts", () => {
  test.for([
    ["anthropic.messages", "claude-haiku-4-5", true],
    ["openai.responses", "gpt-5.4", true],
    ["openai.chat", "gpt-4o-mini", true],
    ["openai.chat", "gpt-3.5-turbo", false],
    ["google.generative-ai", "gemini-2.5-pro", true],
    ["google.generative-ai", "gemini-1.5-pro", false],
    ["deepseek.chat", "deepseek-chat", true],
    ["amazon-bedrock", "anthropic.claude-sonnet-4-5", true],
    ["amazon-bedrock", "meta.llama3-70b", false],
    ["mistral.chat", "mistral-large-latest", false],
    ["ollama.chat", "llama3", false],
    ["a-server-of-ours", "gpt-5", false],
  ] as const)("%s with %s: %s", ([provider, modelId, isCaching]) => {
    const model = aiSdkModel({
      specificationVersion: "v4",
      provider,
      modelId,
      doStream: () => Promise.reject(new Error("not called")),
    });

    expect(model.cachesPrompts ?? false).toBe(isCaching);
  });
});
