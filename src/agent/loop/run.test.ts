import { expect, test } from "vitest";
import { ToolError, type Outcome } from "../../core/index.ts";
import { toolCallsOf } from "../../session/index.ts";
import {
  again,
  done,
  echo,
  eventsOf,
  model,
  play,
  run,
  says,
} from "../../../test/fakes/fake-run.ts";
import { fakeToolkit, type FakeToolkit } from "../../../test/fakes/fake-toolkit.ts";
import type { ModelEvent } from "../models/model.ts";
import { startRun } from "./run.ts";

test("a run goes from task to answer through the calls the model makes", async () => {
  const toolkit = fakeToolkit({ Echo: echo });
  const agent = startRun({
    toolkit,
    task: "say hello",
    sessionId: "s",
    model: play(
      {
        reasoning: "hm",
        text: "Calling.",
        calls: [
          { name: "Echo", input: { n: 1 }, id: "a" },
          { name: "Echo", input: { n: 2 }, id: "b" },
        ],
        usage: { input: 10, output: 5 },
      },
      { text: "All done.", usage: { input: 20, output: 2 } },
    ),
  });
  const [result, events] = await Promise.all([agent.result, eventsOf(agent.events)]);

  expect(result).toEqual({
    status: "done",
    text: "All done.",
    turns: 2,
    calls: 2,
    usage: { input: 30, output: 7 },
    tokensSaved: 0,
    denials: [],
    messages: [
      { role: "user", content: [{ type: "text", text: "say hello" }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm" },
          { type: "text", text: "Calling." },
          {
            type: "tool-call",
            id: "call-1",
            providerCallId: "a",
            name: "Echo",
            input: '{"n":1}',
          },
          {
            type: "tool-call",
            id: "call-2",
            providerCallId: "b",
            name: "Echo",
            input: '{"n":2}',
          },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            callId: "call-1",
            name: "Echo",
            content: [{ type: "text", text: '{"n":1}' }],
            isError: false,
          },
          {
            type: "tool-result",
            callId: "call-2",
            name: "Echo",
            content: [{ type: "text", text: '{"n":2}' }],
            isError: false,
          },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "All done." }] },
    ],
  });
  expect(events.map(({ type }) => type)).toEqual([
    "run-start",
    "turn-start",
    "model-reasoning",
    "model-text",
    "turn-end",
    "call-start",
    "call-start",
    "call-end",
    "call-end",
    "turn-start",
    "model-text",
    "turn-end",
    "run-end",
  ]);
  expect(events.every(({ sessionId }) => sessionId === "s")).toBe(true);
  expect(toolkit.batches.map(({ calls, options }) => [calls.length, options.turn])).toEqual([
    [2, 1],
  ]);
  expect(toolkit.listenerCount()).toBe(0);
});

test("every refused call is in the result, and the run continues", async () => {
  const rule = { rule: "Read(./secrets/**)", list: "deny", scope: "project" } as const;
  const refuse = (code: "APPROVAL_REQUIRED" | "PERMISSION_DENIED"): Partial<Outcome> => ({
    status: "denied",
    isError: true,
    error: new ToolError(code, `No: ${code}.`).toJSON(),
    decision: { kind: "deny", rule, trail: [] },
  });
  const toolkit = fakeToolkit({
    Headless: { run: () => refuse("APPROVAL_REQUIRED") },
    Ruled: { run: () => refuse("PERMISSION_DENIED") },
    Echo: echo,
  });
  const result = await run({
    toolkit,
    model: play(
      {
        calls: [
          { name: "Headless", id: "1" },
          { name: "Echo", id: "2" },
        ],
      },
      { calls: [{ name: "Ruled", id: "3" }] },
      { text: "could not" },
    ),
  });

  expect(result).toMatchObject({ status: "done", calls: 3 });
  expect(result.denials).toEqual([
    {
      callId: "call-1",
      turn: 1,
      tool: "Headless",
      code: "APPROVAL_REQUIRED",
      message: "No: APPROVAL_REQUIRED.",
      rule,
    },
    {
      callId: "call-3",
      turn: 2,
      tool: "Ruled",
      code: "PERMISSION_DENIED",
      message: "No: PERMISSION_DENIED.",
      rule,
    },
  ]);
});

test("a call cut off by the model's output limit is passed as incomplete, and the run continues", async () => {
  const toolkit = fakeToolkit({ Echo: echo, Write: { ...echo, writes: true } });
  const result = await run({
    toolkit,
    model: play(
      {
        calls: [
          { name: "Echo", input: { whole: true }, id: "1" },
          { name: "Write", inputText: '{"text":"half', id: "2" },
        ],
        finish: "length",
      },
      { text: "I will split it." },
    ),
  });

  expect(toolkit.batches[0]?.calls).toEqual([
    { id: "call-1", name: "Echo", input: '{"whole":true}' },
    { id: "call-2", name: "Write", input: '{"text":"half', incomplete: true },
  ]);
  expect(result).toMatchObject({ status: "done" });
  expect(result.messages[2]?.content[1]).toMatchObject({
    isError: true,
    content: [{ text: "Write: INCOMPLETE_CALL" }],
  });
});

test("the run assigns every id, and keeps the provider's as data", async () => {
  const toolkit = fakeToolkit({ Echo: echo });
  const call = { type: "tool-call", name: "Echo", input: "{}" } as const;
  const finish = { type: "finish", reason: "tool-calls" } as const;
  const result = await run({
    toolkit,
    messages: [{ role: "assistant", content: [{ ...call, id: "call-2" }] }],
    model: model(
      () => says({ ...call, id: "" }, { ...call, id: "x" }, { ...call, id: "x" }, finish),
      () => says({ ...call, id: "x" }, { ...call, id: "call-1" }, finish),
      () => says(...done),
    ),
  });

  expect(toolkit.batches.map(({ calls }) => calls.map(({ id }) => id))).toEqual([
    ["call-1", "call-3", "call-4"],
    ["call-5", "call-6"],
  ]);
  const parts = result.messages.flatMap((message) =>
    message.role === "assistant" ? toolCallsOf(message) : [],
  );
  expect(parts.map(({ providerCallId }) => providerCallId)).toEqual([
    undefined,
    undefined,
    "x",
    "x",
    "x",
    "call-1",
  ]);
});

test("unknown parts of a stream are ignored, and any input reaches the toolkit as it is", async () => {
  const toolkit = fakeToolkit({ Echo: { run: () => "ok" } });
  const long = `{"text":"${"x".repeat(10_000_000)}"}`;
  const inputs = [long, "", "{not json", '"text"'];
  const unknown = { type: "hologram", data: 1 } as unknown as ModelEvent;
  const result = await run({
    toolkit,
    model: model(
      () =>
        says(
          unknown,
          ...inputs.map((input): ModelEvent => ({
            type: "tool-call",
            id: "",
            name: "Echo",
            input,
          })),
          { type: "finish", reason: "tool-calls" },
        ),
      () => says(...done),
    ),
  });

  expect(result.status).toBe("done");
  expect(toolkit.batches[0]?.calls.map(({ input }) => input)).toEqual(inputs);
});

test("tools that cannot be listed are not a fault of the model", async () => {
  const other = model(() => says(...done));
  const toolkit: FakeToolkit = {
    ...fakeToolkit(),
    definitions: async () => {
      throw new Error("no tools");
    },
  };
  const result = await run({ toolkit, model: model(), fallbackModels: [other] });

  expect(result).toMatchObject({ status: "failed", error: { code: "INTERNAL" } });
  expect(other.requests).toEqual([]);
});

test("a conversation that was interrupted is made valid before it continues", async () => {
  const asked = model(() => says(...done));
  await run({
    model: asked,
    messages: [
      { role: "user", content: [{ type: "text", text: "before" }] },
      { role: "assistant", content: [{ type: "tool-call", id: "a", name: "Echo", input: "{}" }] },
    ],
  });

  expect(asked.requests[0]?.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
  ]);
});

test("every event and call carries session, run, agent, parent and depth", async () => {
  const toolkit = fakeToolkit({ Echo: echo });
  const identity = {
    sessionId: "s",
    runId: "r",
    agentId: "child",
    parentAgentId: "parent",
    depth: 2,
  };
  await run({
    toolkit,
    ...identity,
    model: play({ calls: [{ name: "Echo" }] }, { text: "ok" }),
  });

  expect(toolkit.emitted.length).toBeGreaterThan(6);
  for (const event of toolkit.emitted) expect(event).toMatchObject(identity);
  expect(toolkit.batches[0]?.options).toMatchObject(identity);
});

test("a toolkit that breaks is a failed run, not an exception", async () => {
  const toolkit: FakeToolkit = {
    ...fakeToolkit({ Echo: echo }),
    callAll: async () => {
      throw new Error("kaput");
    },
  };
  const result = await run({ toolkit, model: play(again) });

  expect(result).toMatchObject({
    status: "failed",
    error: { code: "INTERNAL", message: "The run broke: kaput" },
  });
  expect(result.messages.at(-1)).toMatchObject({ role: "tool", content: [{ isError: true }] });
});

test("a toolkit that cannot even be listened to is a failed run too", async () => {
  const toolkit = fakeToolkit({ Echo: echo });
  const agent = startRun({
    toolkit: {
      ...toolkit,
      events: {
        ...toolkit.events,
        emit: () => {
          throw new Error("deaf");
        },
      },
    },
    task: "go",
    model: play(again),
  });

  expect(await agent.result).toMatchObject({ status: "failed", error: { code: "INTERNAL" } });
  expect(await eventsOf(agent.events)).toEqual([]);
});

test.each([
  { options: { task: "  " }, message: "A run needs a task." },
  {
    options: { limits: { maxTurns: 0 } },
    message: "run: limits.maxTurns must be a whole number above 0, not 0.",
  },
  {
    options: { limits: { maxCalls: 1.5 } },
    message: "run: limits.maxCalls must be a whole number above 0, not 1.5.",
  },
  {
    options: { limits: { deadlineMs: -1 } },
    message: "run: limits.deadlineMs must be a whole number above 0, not -1.",
  },
])("wrong options are refused at once: $message", ({ options, message }) => {
  expect(() => startRun({ toolkit: fakeToolkit(), task: "go", model: play(), ...options })).toThrow(
    new TypeError(message),
  );
});
