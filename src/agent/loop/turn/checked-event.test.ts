import { expect, test } from "vitest";
import { done, echo, model, play, run, says } from "../../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import type { Model, ModelEvent } from "../../models/model.ts";

/** A model in JavaScript, whose first answer is whatever it sends. */
function sending(...events: readonly unknown[]): Model {
  const after = play({ text: "ok" });
  let turn = 0;
  return {
    id: "fake:m",
    async *stream(request) {
      turn += 1;
      if (turn > 1) yield* after.stream(request);
      for (const event of turn === 1 ? events : []) yield event as ModelEvent;
    },
  };
}

const calls = { type: "finish", reason: "tool-calls" };

test.each([
  { call: { name: "Echo", input: '{"a":1}' }, name: "Echo", input: '{"a":1}', because: "no id" },
  { call: { id: 7, name: "Echo", input: "{}" }, name: "Echo", input: "{}", because: "a number" },
  { call: { id: "x", name: "Echo", input: { a: 1 } }, name: "Echo", input: '{"a":1}' },
  { call: { id: "x", name: "Echo" }, name: "Echo", input: "{}" },
  { call: { id: "x", input: "{}" }, name: "", input: "{}" },
])("a call $call is stored in a form that can be read again", async ({ call, name, input }) => {
  const result = await run({
    toolkit: fakeToolkit({ Echo: echo }),
    model: sending({ type: "tool-call", ...call }, calls),
  });

  expect(result.status).toBe("done");
  expect(result.messages[1]?.content).toMatchObject([{ type: "tool-call", name, input }]);
});

test.each([
  { events: [{ type: "text" }], message: "fake:m sent text without a text." },
  { events: [null], message: "fake:m sent an event that is not an object." },
  { events: [{ type: "provider" }], message: "fake:m sent an invalid provider part." },
  {
    events: [{ type: "tool-call", id: "1", name: "Echo", input: "{}", incomplete: "no" }],
    message: "fake:m sent a call with an invalid field incomplete.",
  },
])("$message", async ({ events, message }) => {
  const result = await run({ toolkit: fakeToolkit({ Echo: echo }), model: sending(...events) });

  expect(result).toMatchObject({ status: "failed", error: { code: "MODEL_FAILED", message } });
});

test("an unknown event is skipped, and what is not a count is not counted", async () => {
  const usage = { input: Number.NaN, output: "5", cacheRead: -1, reasoning: 2 };
  const result = await run({
    model: sending(
      { type: "hologram" },
      { type: "text", text: "done" },
      { type: "usage", usage },
      { type: "usage", usage },
      { type: "finish", reason: "unheard-of" },
    ),
  });

  expect(result).toMatchObject({ status: "done", text: "done" });
  expect(result.usage).toMatchObject({ input: 0, output: 0, reasoning: 2 });
});

test("an answer without an end is given up", async () => {
  const text = "x".repeat(1_000_000);
  const endless: Model = {
    id: "fake:m",
    async *stream() {
      for (;;) yield { type: "text", text };
    },
  };

  const { status, error } = await run({ model: endless });

  expect(status).toBe("failed");
  expect(error?.message).toBe("fake:m sent more than 30,000,000 characters in one answer.");
});

test("so is a call whose input has no end", async () => {
  const text = "x".repeat(1_000_000);
  let sent = 0;
  const endless: Model = {
    id: "fake:m",
    async *stream() {
      for (; sent < 100; sent += 1) yield { type: "tool-input", block: "1", name: "Write", text };
    },
  };

  const { status, error } = await run({ model: endless });

  expect(status).toBe("failed");
  expect(error?.message).toBe("fake:m sent more than 30,000,000 characters in one answer.");
  expect(sent).toBe(29);
});

test("the input of a call counts once, although it also arrives in pieces", async () => {
  const input = JSON.stringify({ text: "x".repeat(16_000_000) });
  const toolkit = fakeToolkit({ Echo: echo });
  const large = model(
    () =>
      says(
        { type: "tool-input", block: "1", name: "Echo", text: input },
        { type: "tool-call", id: "1", name: "Echo", input },
        { type: "finish", reason: "tool-calls" },
      ),
    () => says(...done),
  );

  expect(await run({ toolkit, model: large })).toMatchObject({ status: "done", calls: 1 });
});

test("a usage without a value counts nothing", async () => {
  const result = await run({ model: sending({ type: "usage" }, ...done) });

  expect(result).toMatchObject({ status: "done", usage: { input: 0, output: 0 } });
});
