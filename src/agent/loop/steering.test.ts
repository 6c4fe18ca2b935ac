import { expect, test } from "vitest";
import { z } from "zod";
import { done, echo, model, play, run, says } from "../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../test/fakes/fake-toolkit.ts";
import { defaultPromptParts, defaultSystemPrompt, promptText } from "../system-prompt.ts";
import type { ModelEvent } from "../models/model.ts";
import { startRun, type AgentRun } from "./run.ts";

const callEcho = (): AsyncIterable<ModelEvent> =>
  says(
    { type: "tool-call", id: "a", name: "Echo", input: "{}" },
    { type: "finish", reason: "tool-calls" },
  );
const answers = (text: string) => (): AsyncIterable<ModelEvent> =>
  says({ type: "text", text }, { type: "finish", reason: "stop" });

test("a message sent while calls run reaches the model at its next turn", async () => {
  const asked = model(callEcho, () => says(...done));
  const toolkit = fakeToolkit({
    Echo: {
      run: () => {
        expect(agent.send("Use the other file.")).toBe(true);
        return "ok";
      },
    },
  });
  const agent: AgentRun = startRun({ toolkit, task: "go", model: asked });

  const result = await agent.result;

  expect(result).toMatchObject({ status: "done", turns: 2 });
  expect(asked.requests[1]?.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
  ]);
  const sent = { role: "user", content: [{ type: "text", text: "Use the other file." }] };
  expect(toolkit.emitted).toContainEqual(
    expect.objectContaining({ type: "user-message", message: sent }),
  );
});

test("a message sent while the model gives its last answer continues the run", async () => {
  const asked = model(async function* first() {
    agent.send({ role: "user", content: [{ type: "text", text: "And then?" }] });
    yield* says(...done);
  }, answers("more"));
  const agent: AgentRun = startRun({ toolkit: fakeToolkit(), task: "go", model: asked });

  expect(await agent.result).toMatchObject({ status: "done", turns: 2, text: "more" });
  expect(agent.send("too late")).toBe(false);
});

test("a message that came too late for a run that stopped is in its conversation", async () => {
  const toolkit = fakeToolkit({
    Echo: {
      run: () => {
        agent.send("wait");
        return "ok";
      },
    },
  });
  const agent: AgentRun = startRun({
    toolkit,
    task: "go",
    model: model(callEcho),
    limits: { maxTurns: 1 },
  });

  const { status, messages } = await agent.result;

  expect(status).toBe("max-turns");
  expect(messages.at(-1)).toEqual({ role: "user", content: [{ type: "text", text: "wait" }] });
});

test.each(["", "  ", 7, { role: "assistant", content: [] }, { role: "user", content: [] }])(
  "%j is refused as a message",
  async (message) => {
    const agent = startRun({ toolkit: fakeToolkit(), task: "go", model: play({ text: "x" }) });

    expect(() => agent.send(message as string)).toThrow(
      "send takes a text, or a user message with content.",
    );
    await agent.result;
  },
);

test("prepareTurn changes the request of its turn, and nothing is stored of it", async () => {
  const other = { ...model(answers("from another model")), id: "other:model" };
  const asked = model(callEcho);
  const infos: unknown[] = [];
  const result = await run({
    model: asked,
    temperature: 0,
    headers: { a: "run" },
    toolChoice: "auto",
    prepareTurn: ({ messages, usage, turn }) => {
      infos.push([messages.length, usage.input, turn]);
      if (turn === 1) return undefined;
      return {
        messages: messages.slice(0, 1),
        system: [{ name: "only", text: "Be brief." }],
        tools: [],
        model: other,
        toolChoice: "none",
        providerOptions: { anthropic: { effort: "low" } },
        headers: { a: "turn" },
      };
    },
  });

  expect(infos).toEqual([
    [1, 0, 1],
    [3, 0, 2],
  ]);
  expect(asked.requests[0]).toMatchObject({
    temperature: 0,
    headers: { a: "run" },
    toolChoice: "auto",
  });
  expect(other.requests[0]).toMatchObject({
    system: "Be brief.",
    tools: [],
    messages: [{ role: "user" }],
    temperature: 0,
    toolChoice: "none",
    headers: { a: "turn" },
    providerOptions: { anthropic: { effort: "low" } },
  });
  expect(result.messages).toHaveLength(4);
});

test("a wrong answer of prepareTurn is named", async () => {
  const result = await run({
    model: model(),
    prepareTurn: (() => ({ toolchoice: "none" })) as never,
  });

  expect(result).toMatchObject({
    status: "failed",
    error: {
      code: "INVALID_INPUT",
      message:
        'prepareTurn failed: its answer has no option "toolchoice". Did you mean "toolChoice"?',
    },
  });
});

test("a prepareTurn that throws is named as the reason", async () => {
  const result = await run({
    model: model(),
    prepareTurn: () => {
      throw new Error("boom");
    },
  });

  expect(result).toMatchObject({
    status: "failed",
    error: {
      code: "INVALID_INPUT",
      message: "prepareTurn failed: boom",
      hint: "Correct the function prepareTurn of this run.",
    },
  });
});

test("a run is aborted while it waits for prepareTurn", async () => {
  const agent = startRun({
    toolkit: fakeToolkit(),
    task: "go",
    model: model(),
    prepareTurn: async () => {
      agent.abort("enough");
      return await new Promise<never>(() => undefined);
    },
  });

  expect(await agent.result).toMatchObject({ status: "aborted", error: { message: "enough" } });
});

test("the prompt is assembled from named parts, which can be replaced", async () => {
  const asked = model(() => says(...done));
  const parts = defaultPromptParts.map((part) =>
    part.name === "role" ? { ...part, text: "You review code." } : part,
  );
  await run({ model: asked, system: [...parts, { name: "empty", text: "" }] });

  expect(promptText(defaultPromptParts)).toBe(defaultSystemPrompt);
  const system = asked.requests[0]?.system ?? "";
  expect(system.startsWith("You review code.\nLook before")).toBe(true);
  expect(system.endsWith("\n")).toBe(false);
});

const schema = z.object({ verdict: z.enum(["good", "bad"]), score: z.number() });

test.each([
  { name: "plain", text: '{"verdict":"good","score":3}' },
  { name: "in a code block", text: 'Here:\n```json\n{"verdict":"good","score":3}\n```' },
])("a final answer that is $name fits the schema and is the output", async ({ text }) => {
  const asked = model(answers(text));
  const result = await run({ model: asked, output: schema });

  expect(result).toMatchObject({ status: "done", output: { verdict: "good", score: 3 } });
  expect(asked.requests[0]?.system).toContain('"verdict"');
});

test("an answer that does not fit is asked for again, with the reason", async () => {
  const asked = model(
    answers("I think it is good."),
    answers('{"verdict":"fine","score":3}'),
    answers('{"verdict":"bad","score":1}'),
  );
  const result = await run({ model: asked, output: { ...z.toJSONSchema(schema) } });

  expect(result).toMatchObject({ status: "done", turns: 3, output: { verdict: "bad", score: 1 } });
  const repairs = asked.requests.slice(1).map(({ messages }) => JSON.stringify(messages.at(-1)));
  expect(repairs[0]).toContain("The final answer is not JSON.");
  expect(repairs[1]).toContain("verdict");
});

test("an answer that never fits fails the run", async () => {
  const wrong = answers("no");
  const result = await run({ model: model(wrong, wrong, wrong, wrong), output: schema });

  expect(result).toMatchObject({
    status: "failed",
    turns: 3,
    error: { code: "MODEL_FAILED", message: "The final answer is not JSON." },
  });
  expect("output" in result).toBe(false);
});

test("calls come before the output is read", async () => {
  const result = await run({
    toolkit: fakeToolkit({ Echo: echo }),
    model: model(callEcho, answers('{"verdict":"good","score":3}')),
    output: schema,
  });

  expect(result).toMatchObject({ status: "done", calls: 1, output: { score: 3 } });
});

test.each([
  { options: { output: "text" }, path: "output" },
  { options: { retry: { tries: 3 } }, path: "retry" },
  { options: { compaction: { atShare: 2 } }, path: "compaction.atShare" },
  { options: { limits: { maxCost: -1 } }, path: "limits.maxCost" },
  { options: { system: [{ text: 1 }] }, path: "system" },
  { options: { toolChoice: "any" }, path: "toolChoice" },
  { options: { fallbackModels: [{}] }, path: "needs a model" },
])("wrong options are a TypeError that names $path", ({ options, path }) => {
  const start = (): unknown =>
    startRun({ toolkit: fakeToolkit(), task: "go", model: play(), ...(options as object) });

  expect(start).toThrow(TypeError);
  expect(start).toThrow(path);
});
