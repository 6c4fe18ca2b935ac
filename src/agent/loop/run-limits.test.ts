import { expect, test } from "vitest";
import { echo, model, play, quickClock, run } from "../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../test/fakes/fake-toolkit.ts";
import { startRun } from "./run.ts";
import { type ScriptTurn } from "../models/script/script.ts";

const manyTurns = (count: number): readonly ScriptTurn[] =>
  Array.from({ length: count }, (_, n) => ({
    text: `turn ${n + 1}`,
    calls: [{ name: "Echo", input: { n } }],
  }));

test("turns run out: the last calls are run, the model is not asked again", async () => {
  const result = await run({ model: play(...manyTurns(3)), limits: { maxTurns: 2 } });

  expect(result).toMatchObject({
    status: "max-turns",
    turns: 2,
    calls: 2,
    text: "turn 2\n\nStopped: The run used all of its 2 turns.",
    error: {
      code: "LIMIT_REACHED",
      hint: "Continue from the conversation, or raise limits.maxTurns.",
    },
  });
  expect(result.messages.at(-1)?.role).toBe("tool");
});

test("a run of one turn or one call says so", async () => {
  const turn = await run({ model: play(...manyTurns(2)), limits: { maxTurns: 1 } });
  const call = await run({ model: play(...manyTurns(2)), limits: { maxCalls: 1 } });

  expect(turn.error?.message).toBe("The run used its only turn.");
  expect(call.error?.message).toBe("The run used its only call.");
});

test("when calls run out, the first ones run in order and the others report it", async () => {
  const toolkit = fakeToolkit({ Echo: echo });
  const result = await run({
    toolkit,
    model: play(
      { calls: [{ name: "Echo", id: "1" }] },
      {
        calls: [
          { name: "Echo", id: "2" },
          { name: "Echo", id: "3" },
        ],
      },
    ),
    limits: { maxCalls: 2 },
  });

  expect(result).toMatchObject({ status: "max-calls", calls: 2, turns: 2 });
  expect(toolkit.batches.flatMap(({ calls }) => calls.map(({ id }) => id))).toEqual([
    "call-1",
    "call-2",
  ]);
  expect(result.messages.at(-1)?.content.at(-1)).toEqual({
    type: "tool-result",
    callId: "call-3",
    name: "Echo",
    content: [{ type: "text", text: "This call was not run: the run has used up its calls." }],
    isError: true,
  });
});

test("calls that end exactly at the limit leave the model its last word", async () => {
  const result = await run({
    model: play({ calls: [{ name: "Echo" }] }, { text: "fine" }),
    limits: { maxCalls: 1 },
  });

  expect(result).toMatchObject({ status: "done", text: "fine", calls: 1 });
});

test("an answer cut off without a call does not end the task", async () => {
  const result = await run({ model: play({ text: "half of", finish: "length" }) });

  expect(result).toMatchObject({
    status: "max-tokens",
    text: "half of\n\nStopped: The model's answer was cut off at its output limit.",
  });
});

test("the deadline ends a call in the middle, and its result says so", async () => {
  const clock = quickClock();
  const toolkit = fakeToolkit({
    Hang: {
      run: async () => {
        clock.fire();
        return await new Promise<string>(() => undefined);
      },
    },
  });
  const result = await run({
    toolkit,
    clock,
    model: play({ calls: [{ name: "Hang", id: "h" }] }),
    limits: { deadlineMs: 500 },
  });

  expect(result).toMatchObject({
    status: "deadline",
    calls: 1,
    error: { code: "TIMEOUT", message: "The run did not finish within 500 ms." },
  });
  expect(result.messages.at(-1)?.content[0]).toMatchObject({ callId: "call-1", isError: true });
});

test("abort leaves a model that never answers, and keeps what it said", async () => {
  const stuck = model(async function* stuckStream() {
    yield { type: "text", text: "let me " };
    yield { type: "tool-call", id: "x", name: "Echo", input: "{}" };
    agent.abort("Enough.");
    await new Promise(() => undefined);
  });
  const toolkit = fakeToolkit({ Echo: echo });
  const agent = startRun({ toolkit, task: "go", model: stuck });

  const result = await agent.result;

  expect(result).toMatchObject({
    status: "aborted",
    calls: 0,
    text: "let me\n\nStopped: Enough.",
    error: { code: "ABORTED", message: "Enough." },
  });
  expect(result.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(toolkit.batches).toEqual([]);
  expect(toolkit.emitted.at(-2)).toMatchObject({ type: "turn-end", finish: "aborted" });
});

test("a signal that has fired before the start lets nothing happen", async () => {
  const asked = model();
  const result = await run({ model: asked, signal: AbortSignal.abort() });

  expect(result).toMatchObject({ status: "aborted", turns: 0 });
  expect(asked.requests).toEqual([]);
});

test("a signal that fires later aborts the run", async () => {
  const controller = new AbortController();
  const toolkit = fakeToolkit({
    Stop: {
      run: () => {
        controller.abort();
        return "late";
      },
    },
  });
  const result = await run({
    toolkit,
    signal: controller.signal,
    model: play({ calls: [{ name: "Stop" }] }, { text: "never" }),
  });

  expect(result).toMatchObject({ status: "aborted", turns: 1 });
});

test("a person who answers a question with abort ends the run", async () => {
  const toolkit = fakeToolkit({ Ask: { run: () => ({ status: "aborted", isError: true }) } });
  const result = await run({
    toolkit,
    model: play({ calls: [{ name: "Ask" }] }, { text: "never" }),
  });

  expect(result).toMatchObject({
    status: "aborted",
    turns: 1,
    error: { message: "The run was ended by the answer to a question." },
  });
});
