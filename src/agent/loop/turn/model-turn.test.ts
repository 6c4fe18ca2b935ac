import { expect, test } from "vitest";
import { ToolError } from "../../../core/index.ts";
import {
  done,
  echo,
  fails,
  model,
  play,
  quickClock,
  run,
  says,
} from "../../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";

const busy = new ToolError("MODEL_FAILED", "Overloaded.", { retryable: true });

const retry = { attempts: 3, baseMs: 1000, maxMs: 60_000 };

test("a model that fails is asked again, with growing waits between half and all of the delay", async () => {
  const clock = quickClock();
  const toolkit = fakeToolkit();
  const result = await run({
    clock,
    toolkit,
    model: model(
      () => fails(busy),
      () => fails(busy),
      () => fails(busy),
      () => says(...done),
    ),
  });

  expect(result).toMatchObject({ status: "done", turns: 1 });
  const [first = 0, second = 0, third = 0] = clock.waits;
  expect(clock.waits).toHaveLength(3);
  expect(first).toBeGreaterThanOrEqual(500);
  expect(first).toBeLessThanOrEqual(1000);
  expect(second).toBeGreaterThanOrEqual(1000);
  expect(third).toBeGreaterThanOrEqual(2000);
  const retries = toolkit.emitted.filter(({ type }) => type === "model-retry");
  expect(retries).toMatchObject(
    clock.waits.map((waitMs, index) => ({
      waitMs,
      attempt: index + 2,
      model: "fake:model",
      code: "MODEL_FAILED",
      reason: "Overloaded.",
    })),
  );
});

test("two runs that fail together wait for different times", async () => {
  const waits = await Promise.all(
    ["run-a", "run-b"].map(async (runId) => {
      const clock = quickClock();
      await run({
        runId,
        clock,
        model: model(
          () => fails(busy),
          () => says(...done),
        ),
      });
      return clock.waits;
    }),
  );

  expect(waits[0]).not.toEqual(waits[1]);
});

test("after the last attempt the run has failed, with the model's error", async () => {
  const clock = quickClock();
  const result = await run({
    clock,
    retry,
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
  expect(clock.waits).toHaveLength(2);
});

test.each([
  { wanted: 9000, waits: [9000], because: "the provider knows best" },
  { wanted: 10, waits: [expect.any(Number)], because: "the run's own wait is the least" },
  { wanted: 60_001, waits: [], because: "the run does not wait that long" },
])("a requested wait of $wanted ms: $because", async ({ wanted, waits }) => {
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
  for (const wait of clock.waits) expect(wait).toBeGreaterThan(499);
});

test.each([
  { name: "a text", event: { type: "text", text: "I was" } },
  { name: "reasoning", event: { type: "reasoning", text: "hm" } },
  { name: "a call", event: { type: "tool-call", id: "a", name: "Echo", input: "{}" } },
] as const)("a turn that broke after $name is discarded and asked again", async ({ event }) => {
  const toolkit = fakeToolkit({ Echo: echo });
  const result = await run({
    clock: quickClock(),
    toolkit,
    model: model(
      () => fails(busy, event),
      () => says(...done),
    ),
  });

  expect(result).toMatchObject({ status: "done", text: "done", turns: 1, calls: 0 });
  expect(JSON.stringify(result.messages)).not.toContain("I was");
  const types = toolkit.emitted.map(({ type }) => type);
  expect(types.indexOf("turn-discard")).toBe(types.indexOf("model-retry") - 1);
});

test.each([
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
  expect(toolkit.emitted.at(-2)).toMatchObject({ type: "turn-end", finish: "error" });
});

test("a model that stays silent is left after limits.idleMs, and asked again", async () => {
  const clock = quickClock();
  let heard: AbortSignal | undefined;
  const silent = model(
    async function* stalls({ signal }) {
      heard = signal;
      yield { type: "text", text: "so" };
      setImmediate(() => clock.fire());
      await new Promise(() => undefined);
    },
    () => says(...done),
  );
  const result = await run({ clock, model: silent, limits: { idleMs: 50 } });

  expect(result).toMatchObject({ status: "done", text: "done" });
  expect(heard?.aborted).toBe(true);
  expect(heard?.reason).toMatchObject({ message: "fake:model sent nothing for 50 ms." });
});

test("when a model is given up, the next one is asked, and stays", async () => {
  const toolkit = fakeToolkit({ Echo: echo });
  const broken = model(() => fails(new ToolError("MODEL_FAILED", "Gone.", { retryable: false })));
  const other = {
    ...model(
      () =>
        says(
          { type: "tool-call", id: "a", name: "Echo", input: "{}" },
          { type: "finish", reason: "tool-calls" },
        ),
      () => says(...done),
    ),
    id: "other:model",
  };
  const result = await run({ toolkit, model: broken, fallbackModels: [other] });

  expect(result).toMatchObject({ status: "done", turns: 2 });
  expect(broken.requests).toHaveLength(1);
  expect(toolkit.emitted).toContainEqual(
    expect.objectContaining({ type: "model-retry", model: "other:model", reason: "Gone." }),
  );
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

test.each([
  { name: "its words", event: { type: "text", text: "so I" } },
  { name: "a call", event: { type: "tool-call", id: "a", name: "Echo", input: '{"half' } },
] as const)("a stream that just ends in the middle of $name is a failure", async ({ event }) => {
  const toolkit = fakeToolkit({ Echo: echo });
  const result = await run({
    toolkit,
    retry: { attempts: 1 },
    model: model(() => says(event)),
  });

  expect(result).toMatchObject({
    status: "failed",
    text: "Stopped: fake:model stopped in the middle of its answer.",
    error: { code: "MODEL_FAILED", retryable: true },
  });
  expect(toolkit.batches).toEqual([]);
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
