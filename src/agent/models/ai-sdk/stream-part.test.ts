import { expect, test } from "vitest";
import type { ModelEvent } from "../model.ts";
import { streamEvents } from "./stream-part.ts";

async function eventsFor(...parts: readonly unknown[]): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of streamEvents(source(parts))) all.push(event);
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

  expect(events[0]).toEqual({
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
    { type: "tool-call", id: "1", name: "Write", input: "", incomplete: true },
  ]);
});

test("a call that the provider runs itself is not ours", async () => {
  const events = await eventsFor(
    { type: "tool-input-start", id: "1", toolName: "web_search", providerExecuted: true },
    { type: "tool-input-delta", id: "1", delta: "{}" },
    {
      type: "tool-call",
      toolCallId: "1",
      toolName: "web_search",
      input: "{}",
      providerExecuted: true,
    },
    { type: "finish", finishReason: "stop" },
  );

  expect(events.map(({ type }) => type)).toEqual(["usage", "finish"]);
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

test("what is not known is passed over", async () => {
  expect(
    await eventsFor("text", null, { type: "source", url: "x" }, { type: "raw", rawValue: 1 }),
  ).toEqual([]);
});
