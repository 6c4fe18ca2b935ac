import { expect, test } from "vitest";
import { userMessage, type Message } from "../../../session/index.ts";
import type { ModelEvent, ModelRequest, ModelTool } from "../model.ts";
import { aiSdkModel, type AiSdkOptions, type LanguageModelLike } from "./language-model.ts";

const tool: ModelTool = {
  name: "Read",
  description: "Reads.",
  inputSchema: { type: "object" },
  strict: true,
};
const other: ModelTool = { ...tool, name: "Write" };

/** A model that notes what it is given and answers with nothing. */
function noting(
  provider: string,
  modelId = "m",
): LanguageModelLike & { readonly given: Record<string, unknown>[] } {
  const given: Record<string, unknown>[] = [];
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    given,
    doStream: async (options) => {
      given.push({ ...options });
      return { stream: nothing() };
    },
  };
}

async function* nothing(): AsyncGenerator {
  yield { type: "finish", finishReason: { unified: "stop" } };
}

async function sent(
  provider: string,
  request: Partial<ModelRequest>,
  options: AiSdkOptions = {},
): Promise<Record<string, unknown>> {
  const model = noting(provider);
  await drain(aiSdkModel(model, options).stream(requestWith(request)));
  return model.given[0] ?? {};
}

function requestWith(request: Partial<ModelRequest>): ModelRequest {
  const { signal } = new AbortController();
  return { system: "", messages: [userMessage("go")], tools: [tool, other], signal, ...request };
}

async function drain(stream: AsyncIterable<ModelEvent>): Promise<void> {
  for await (const _ of stream);
}

test("a request's own settings reach the provider", async () => {
  const request = {
    temperature: 0.2,
    maxOutputTokens: 7,
    headers: { "x-a": "b" },
    providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 9 } } },
  };

  expect(await sent("anthropic.messages", request)).toMatchObject(request);
});

test("what a request does not set is not sent", async () => {
  expect(Object.keys(await sent("anthropic.messages", {})).toSorted()).toEqual([
    "abortSignal",
    "prompt",
    "toolChoice",
    "tools",
  ]);
});

test.each([
  { toolChoice: undefined, option: { type: "auto" } },
  { toolChoice: "auto", option: { type: "auto" } },
  { toolChoice: "none", option: { type: "none" } },
  { toolChoice: "required", option: { type: "required" } },
  { toolChoice: { tool: "Read" }, option: { type: "tool", toolName: "Read" } },
] as const)("the choice $toolChoice is sent as $option", async ({ toolChoice, option }) => {
  const request = toolChoice === undefined ? {} : { toolChoice };

  expect(await sent("anthropic.messages", request)).toMatchObject({ toolChoice: option });
});

test.each([
  { toolChoice: "auto", names: ["Read", "Write"] },
  { toolChoice: "required", names: ["Read", "Write"] },
  { toolChoice: { tool: "Write" }, names: ["Write"] },
] as const)("a provider that only knows auto gets for $toolChoice $names", async (each) => {
  const { toolChoice, names } = each;
  const options = await sent("ollama.chat", { toolChoice });

  expect(options).toMatchObject({
    toolChoice: { type: "auto" },
    tools: names.map((name) => ({ name })),
  });
});

test("and for none no tools", async () => {
  expect(await sent("ollama.chat", { toolChoice: "none" })).not.toHaveProperty("tools");
});

test.each([
  { provider: "openai.responses", strict: true },
  { provider: "deepseek.chat", strict: undefined },
  { provider: "kimi.chat", strict: undefined },
])("a strict tool is strict at $provider: $strict", async ({ provider, strict }) => {
  const { tools } = await sent(provider, { tools: [tool] });

  expect(tools).toEqual([
    {
      type: "function",
      name: "Read",
      description: "Reads.",
      inputSchema: { type: "object" },
      ...(strict === undefined ? {} : { strict }),
    },
  ]);
});

test("OpenAI is asked to store nothing, unless the request says otherwise", async () => {
  expect(await sent("openai.responses", {})).toMatchObject({
    providerOptions: { openai: { store: false } },
  });
  const providerOptions = { openai: { store: true, reasoningEffort: "low" } };
  expect(await sent("openai.responses", { providerOptions })).toMatchObject({ providerOptions });
});

test("one call in an answer is asked for in the provider's words", async () => {
  const options = { parallelCalls: false };

  expect(await sent("anthropic.messages", {}, options)).toMatchObject({
    providerOptions: { anthropic: { disableParallelToolUse: true } },
  });
  expect(await sent("groq.chat", {}, options)).toMatchObject({
    providerOptions: { groq: { parallelToolCalls: false } },
  });
});

test("over 50 turns tools are the same bytes, and each prompt begins with the one before", async () => {
  const model = noting("mistral.chat");
  const adapted = aiSdkModel(model);
  let messages: readonly Message[] = [userMessage("go")];
  for (let turn = 0; turn < 50; turn += 1) {
    await drain(adapted.stream(requestWith({ system: "be good", messages })));
    messages = [...messages, ...callAndResult(`call-${turn}`)];
  }

  const prompts = model.given.map(({ prompt }) => JSON.stringify(prompt).slice(0, -1));
  expect(new Set(model.given.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
  for (const [turn, prompt] of prompts.entries()) {
    expect(prompts[turn + 1] ?? prompt).toContain(prompt);
    expect((prompts[turn + 1] ?? prompt).startsWith(prompt)).toBe(true);
  }
});

function callAndResult(id: string): readonly Message[] {
  return [
    {
      role: "assistant",
      content: [{ type: "tool-call", id, providerCallId: "call_0", name: "Read", input: "{}" }],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", callId: id, name: "Read", content: [], isError: false }],
    },
  ];
}

test("after a change of the model, calls and results have ids that the new one accepts", async () => {
  const messages = [userMessage("go"), ...callAndResult("a"), ...callAndResult("b")];
  const idsAt = async (provider: string): Promise<readonly (string | undefined)[]> => {
    const { prompt } = await sent(provider, { messages });
    const text = JSON.stringify(prompt);
    return [...text.matchAll(/"toolCallId":"([^"]*)"/gu)].map((match) => match[1]);
  };

  expect(await idsAt("openai.chat")).toEqual(["call_0", "call_0", "b", "b"]);
  expect(await idsAt("kimi.chat")).toEqual([
    "functions.Read:0",
    "functions.Read:0",
    "functions.Read:1",
    "functions.Read:1",
  ]);
  const [first, firstResult, second, secondResult] = await idsAt("mistral.chat");
  expect([first, second]).toEqual([firstResult, secondResult]);
  expect(first).toMatch(/^[A-Za-z0-9]{9}$/u);
  expect(second).not.toBe(first);
});

async function* brokenOff(): AsyncGenerator {
  yield { type: "text-delta", id: "0", delta: "par" };
  const error = Object.assign(new Error("Overloaded"), { statusCode: 529, isRetryable: true });
  yield { type: "error", error };
}

test("an error part in the middle of the stream keeps its class", async () => {
  const model: LanguageModelLike = {
    ...noting("anthropic.messages"),
    doStream: async () => ({ stream: brokenOff() }),
  };
  const seen: ModelEvent[] = [];
  const failing = (async () => {
    for await (const event of aiSdkModel(model).stream(requestWith({}))) seen.push(event);
  })();

  await expect(failing).rejects.toMatchObject({
    code: "MODEL_FAILED",
    retryable: true,
    data: { status: 529 },
  });
  expect(seen).toHaveLength(1);
});
