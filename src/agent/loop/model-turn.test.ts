import { expect, test } from "vitest";
import { ToolError } from "../../core/index.ts";
import {
  done,
  echo,
  fails,
  model,
  play,
  quickClock,
  run,
  says,
} from "../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../test/fakes/fake-toolkit.ts";

const busy = new ToolError("MODEL_FAILED", "Overloaded.", { retryable: true });

test("a model that fails before it said anything is asked again, twice, with growing waits", async () => {
  const clock = quickClock();
  const result = await run({
    clock,
    model: model(
      () => fails(busy),
      () => fails(busy),
      () => says(...done),
    ),
  });

  expect(result).toMatchObject({ status: "done", turns: 1 });
  expect(clock.waits).toEqual([1000, 4000]);
});

test("after the third failure the run has failed, with the model's error", async () => {
  const clock = quickClock();
  const result = await run({
    clock,
    model: model(
      () => fails(busy),
      () => fails(busy),
      () => fails(busy),
    ),
  });

  expect(result).toMatchObject({
    status: "failed",
    text: "Stopped: Overloaded.",
    error: { code: "MODEL_FAILED", retryable: true },
  });
  expect(clock.waits).toEqual([1000, 4000]);
});

test.each([
  { wanted: 9000, waits: [9000], because: "the provider knows best" },
  { wanted: 10, waits: [1000], because: "our own wait is the least" },
  { wanted: 60_001, waits: [], because: "nobody waits that long" },
])("a wait of $wanted ms asked for gives $waits, $because", async ({ wanted, waits }) => {
  const clock = quickClock();
  const error = new ToolError("MODEL_FAILED", "Slow down.", { data: { retryAfterMs: wanted } });
  await run({
    clock,
    model: model(
      () => fails(error),
      () => says(...done),
    ),
  });

  expect(clock.waits).toEqual(waits);
});

test.each([
  {
    name: "it had said something",
    failing: () => fails(busy, { type: "text", text: "I was" }),
    text: "I was\n\nStopped: Overloaded.",
  },
  {
    name: "it had made a call",
    failing: () => fails(busy, { type: "tool-call", id: "a", name: "Echo", input: "{}" }),
    text: "Stopped: Overloaded.",
  },
  {
    name: "trying again cannot help",
    failing: () => fails(new ToolError("MODEL_FAILED", "No key.", { retryable: false })),
    text: "Stopped: No key.",
  },
  {
    name: "the error is a stranger",
    failing: () => fails(new RangeError("odd")),
    text: "Stopped: fake:model failed: odd",
  },
])("a model that fails is not asked again when $name", async ({ failing, text }) => {
  const clock = quickClock();
  const toolkit = fakeToolkit({ Echo: echo });
  const result = await run({ clock, toolkit, model: model(failing, () => says(...done)) });

  expect(result).toMatchObject({ status: "failed", text, error: { code: "MODEL_FAILED" } });
  expect(clock.waits).toEqual([]);
  expect(toolkit.batches).toEqual([]);
  expect(toolkit.events.at(-2)).toMatchObject({ type: "turn-end", finish: "error" });
});

test.each([
  { name: "a stream", promise: async () => says(...done), status: "done", text: "done" },
  {
    name: "and fails to have one",
    promise: () => Promise.reject(new Error("no network")),
    status: "failed",
    text: "Stopped: fake:model failed: no network",
  },
])("a model that promises $name ends the run $status", async ({ promise, status, text }) => {
  const promising = Object.defineProperty(model(), "stream", { value: promise });

  const result = await run({ clock: quickClock(), model: promising });

  expect(result).toMatchObject({ status, text });
});

test("a stream that just ends in the middle of its words is a failure", async () => {
  const result = await run({ model: model(() => says({ type: "text", text: "so I" })) });

  expect(result).toMatchObject({
    status: "failed",
    error: { message: "fake:model stopped in the middle of its answer." },
  });
});

test("what a content filter stopped is a failure and runs no call", async () => {
  const toolkit = fakeToolkit({ Echo: echo });
  const result = await run({
    toolkit,
    model: play({ text: "bad", calls: [{ name: "Echo" }], finish: "content-filter" }),
  });

  expect(result).toMatchObject({
    status: "failed",
    error: { code: "MODEL_FAILED", retryable: false },
  });
  expect(toolkit.batches).toEqual([]);
  expect(result.messages.at(-1)).toEqual({
    role: "assistant",
    content: [{ type: "text", text: "bad" }],
  });
});

test("a stream that ends inside a call hands the call on as incomplete, and the run goes on", async () => {
  const toolkit = fakeToolkit({ Echo: echo });
  const result = await run({
    toolkit,
    model: model(
      () => says({ type: "tool-call", id: "a", name: "Echo", input: '{"half' }),
      () => says(...done),
    ),
  });

  expect(toolkit.batches[0]?.calls[0]).toMatchObject({ id: "call-1", incomplete: true });
  expect(result.status).toBe("done");
});
