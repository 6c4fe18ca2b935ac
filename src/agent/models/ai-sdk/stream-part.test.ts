import { expect, test } from "vitest";
import type { ModelEvent } from "../model.ts";
import { providerOf } from "./provider-table.ts";
import { streamEvents } from "./stream-part.ts";

async function eventsFor(...parts: readonly unknown[]): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  const provider = providerOf("anthropic.messages");
  for await (const event of streamEvents(source(parts), provider)) all.push(event);
  return all;
}

async function* source(parts: readonly unknown[]): AsyncGenerator {
  yield* parts;
}

test.each([
  {
    name: "version 2",
    part: { finishReason: "tool-calls", usage: { inputTokens: 3, outputTokens: undefined } },
    usage: { input: 3, output: 0 },
  },
  {
    name: "version 3 and 4",
    part: {
      finishReason: { unified: "tool-calls", raw: "x" },
      usage: { inputTokens: { total: 3 }, outputTokens: { total: 4 } },
    },
    usage: { input: 3, output: 4 },
  },
])("the end of $name is read", async ({ part, usage }) => {
  expect(await eventsFor({ type: "finish", ...part })).toEqual([
    { type: "usage", usage },
    { type: "finish", reason: "tool-calls" },
  ]);
});

test.each([
  { finishReason: "unknown", reason: "other" },
  { finishReason: undefined, reason: "other" },
  { finishReason: { unified: "interrupted" }, reason: "interrupted" },
  { finishReason: { unified: "length" }, reason: "length" },
  { finishReason: "content-filter", reason: "content-filter" },
])("the reason $finishReason is $reason", async ({ finishReason, reason }) => {
  const events = await eventsFor({ type: "finish", finishReason });

  expect(events.at(-1)).toEqual({ type: "finish", reason });
});

test("a call that was begun and never handed over is incomplete", async () => {
  const events = await eventsFor(
    { type: "tool-input-start", id: "1", toolName: "Write" },
    { type: "tool-input-delta", id: "1", delta: '{"a":' },
    { type: "tool-input-delta", id: "1", delta: '"b' },
    { type: "finish", finishReason: "length" },
  );

  expect(events.filter(({ type }) => type === "tool-input")).toEqual([
    { type: "tool-input", block: "1", name: "Write", text: "" },
    { type: "tool-input", block: "1", name: "Write", text: '{"a":' },
    { type: "tool-input", block: "1", name: "Write", text: '"b' },
  ]);
  expect(events[3]).toEqual({
    type: "tool-call",
    id: "1",
    name: "Write",
    input: '{"a":"b',
    incomplete: true,
  });
  expect(events.filter(({ type }) => type === "tool-call")).toHaveLength(1);
});

test("so it is when the stream just ends", async () => {
  expect(await eventsFor({ type: "tool-input-start", id: "1", toolName: "Write" })).toEqual([
    { type: "tool-input", block: "1", name: "Write", text: "" },
    { type: "tool-call", id: "1", name: "Write", input: "", incomplete: true },
  ]);
});

test("a call that the provider runs itself is kept for it, with its result and sources", async () => {
  const page = { type: "source", sourceType: "url", id: "0", url: "https://a.example" };
  const call = { toolCallId: "1", toolName: "web_search" };
  const result = { type: "tool-result", ...call, result: [{ url: "https://a.example" }] };
  const events = await eventsFor(
    { type: "tool-input-start", id: "1", toolName: "web_search", providerExecuted: true },
    { type: "tool-input-delta", id: "1", delta: '{"q":1}' },
    {
      type: "tool-call",
      ...call,
      input: '{"q":1}',
      providerExecuted: true,
      providerMetadata: { anthropic: { caller: "direct" } },
    },
    { ...result, preliminary: true },
    result,
    page,
    { type: "finish", finishReason: "stop" },
  );

  const part = { type: "provider", provider: "anthropic" };
  expect(events.slice(0, -2)).toEqual([
    {
      type: "provider",
      part: {
        ...part,
        kind: "tool-call",
        data: {
          type: "tool-call",
          ...call,
          input: { q: 1 },
          providerExecuted: true,
          providerOptions: { anthropic: { caller: "direct" } },
        },
      },
    },
    {
      type: "provider",
      part: {
        ...part,
        kind: "tool-result",
        data: {
          type: "tool-result",
          ...call,
          output: { type: "json", value: [{ url: "https://a.example" }] },
        },
      },
    },
    { type: "provider", part: { ...part, kind: "source", data: page } },
  ]);
});

test.each([
  { data: "AAAA" },
  { data: new Uint8Array([0, 0, 0]) },
  { data: { type: "data", data: "AAAA" } },
])("a generated file is kept as base64, given as $data", async ({ data }) => {
  expect(await eventsFor({ type: "file", mediaType: "image/png", data })).toMatchObject([
    { type: "provider", part: { kind: "other", data: { mediaType: "image/png", data: "AAAA" } } },
  ]);
});

test("a part of the provider's own is kept if its package accepts it in a prompt", async () => {
  const fallback = { kind: "anthropic.fallback", providerMetadata: { anthropic: { to: "m" } } };

  expect(
    await eventsFor(
      { type: "custom", kind: "anthropic.message_start", providerMetadata: { anthropic: {} } },
      { type: "custom", ...fallback },
    ),
  ).toEqual([
    {
      type: "provider",
      part: {
        type: "provider",
        provider: "anthropic",
        kind: "other",
        data: { type: "custom", kind: fallback.kind, providerOptions: fallback.providerMetadata },
      },
    },
  ]);
});

test("calls with one id, or none, are told apart while they arrive", async () => {
  const events = await eventsFor(
    { type: "tool-input-start", id: "", toolName: "A" },
    { type: "tool-input-delta", id: "", delta: "{}" },
    { type: "tool-input-start", id: "", toolName: "B" },
    { type: "tool-input-delta", id: "", delta: '{"x"' },
    { type: "tool-call", toolCallId: "", toolName: "A", input: "{}" },
  );

  expect(events).toEqual([
    { type: "tool-input", block: "", name: "A", text: "" },
    { type: "tool-input", block: "", name: "A", text: "{}" },
    { type: "tool-input", block: "#2", name: "B", text: "" },
    { type: "tool-input", block: "#2", name: "B", text: '{"x"' },
    { type: "tool-call", id: "", name: "A", input: "{}" },
    { type: "tool-call", id: "", name: "B", input: '{"x"', incomplete: true },
  ]);
});

test("a block id that is used again names another block", async () => {
  const events = await eventsFor(
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "a" },
    { type: "text-end", id: "0" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-end", id: "0" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "b" },
    { type: "text-delta", id: "0", delta: "c" },
    { type: "text-end", id: "0" },
  );

  expect(events).toEqual([
    { type: "text", text: "a", block: "0" },
    { type: "text", text: "", block: "0", end: true },
    { type: "text", text: "b", block: "0#2" },
    { type: "text", text: "c", block: "0#2" },
    { type: "text", text: "", block: "0#2", end: true },
  ]);
});

test("redacted reasoning has data and no text", async () => {
  const providerMetadata = { anthropic: { redactedData: "x" } };

  expect(
    await eventsFor(
      { type: "reasoning-start", id: "0", providerMetadata },
      { type: "reasoning-end", id: "0" },
    ),
  ).toEqual([
    { type: "reasoning", text: "", block: "0", providerData: providerMetadata },
    { type: "reasoning", text: "", block: "0", end: true },
  ]);
});

test("reasoning that goes back as text says where it came from, once", async () => {
  const events: ModelEvent[] = [];
  const parts = [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-delta", id: "r", delta: "a" },
    { type: "reasoning-delta", id: "r", delta: "b" },
    { type: "text-delta", id: "t", delta: "c" },
  ];
  const provider = providerOf("deepseek.chat");
  for await (const event of streamEvents(source(parts), provider)) events.push(event);

  expect(events).toEqual([
    { type: "reasoning", text: "a", block: "r", providerData: { deepseek: {} } },
    { type: "reasoning", text: "b", block: "r" },
    { type: "text", text: "c", block: "t" },
  ]);
});

test("an input that is already a value becomes text, as other models send it", async () => {
  expect(
    await eventsFor({ type: "tool-call", toolCallId: "1", toolName: "T", input: { a: 1 } }),
  ).toEqual([{ type: "tool-call", id: "1", name: "T", input: '{"a":1}' }]);
});

test("an error in the stream is thrown as it is", async () => {
  const error = new Error("overloaded");

  await expect(eventsFor({ type: "error", error })).rejects.toBe(error);
});

test("what is not known is skipped", async () => {
  expect(
    await eventsFor(
      "text",
      null,
      { type: "ping" },
      { type: "raw", rawValue: 1 },
      { type: "of-tomorrow", id: {}, delta: 7 },
      { type: "file", mediaType: "image/png", data: 5 },
    ),
  ).toEqual([]);
});

test.each([
  {
    name: "version 2 of Anthropic's package, which leaves cached tokens out",
    provider: "anthropic.messages",
    finish: {
      usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 100 },
      providerMetadata: { anthropic: { cacheCreationInputTokens: 20 } },
    },
    usage: { input: 130, output: 5, cacheRead: 100, cacheWrite: 20 },
  },
  {
    name: "version 2 of OpenAI's package",
    provider: "openai.responses",
    finish: {
      usage: { inputTokens: 110, outputTokens: 5, cachedInputTokens: 100, reasoningTokens: 3 },
    },
    usage: { input: 110, output: 5, cacheRead: 100, reasoning: 3 },
  },
  {
    name: "version 3 and 4",
    provider: "openai.responses",
    finish: {
      usage: {
        inputTokens: { total: 10, noCache: 2, cacheRead: 7, cacheWrite: 1 },
        outputTokens: { total: 5, text: 2, reasoning: 3 },
      },
    },
    usage: { input: 10, output: 5, cacheRead: 7, cacheWrite: 1, reasoning: 3 },
  },
  {
    name: "version 3 and 4 without totals",
    provider: "openai.responses",
    finish: {
      usage: { inputTokens: { noCache: 2, cacheRead: 7 }, outputTokens: { text: 2, reasoning: 3 } },
    },
    usage: { input: 9, output: 5, cacheRead: 7, reasoning: 3 },
  },
  {
    name: "nonsense",
    provider: "openai.responses",
    finish: { usage: { inputTokens: -1, outputTokens: Number.NaN, cachedInputTokens: "many" } },
    usage: { input: 0, output: 0 },
  },
])("usage of $name", async ({ provider, finish, usage }) => {
  const events: ModelEvent[] = [];
  const parts = [{ type: "finish", finishReason: "stop", ...finish }];
  for await (const event of streamEvents(source(parts), providerOf(provider))) events.push(event);

  expect(events[0]).toEqual({ type: "usage", usage });
});
