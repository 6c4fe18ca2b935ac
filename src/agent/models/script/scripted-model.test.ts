import { describe, expect, test } from "vitest";
import type { Message } from "../../../session/index.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import type { ScriptCondition, ScriptReply, ScriptRule, ScriptTurn } from "./script.ts";
import { scriptedModel } from "./scripted-model.ts";

const task: Message = { role: "user", content: [{ type: "text", text: "fix the tests" }] };

function result(name: string, text: string, isError = false): Message {
  const content = [{ type: "text", text }] as const;
  return { role: "tool", content: [{ type: "tool-result", callId: "1", name, content, isError }] };
}

function words(text: string): Message {
  return { role: "assistant", content: [{ type: "text", text }] };
}

function request(...messages: readonly Message[]): ModelRequest {
  return {
    system: "",
    messages: [task, ...messages],
    tools: [],
    signal: new AbortController().signal,
  };
}

async function events(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of stream) all.push(event);
  return all;
}

async function textOf(stream: AsyncIterable<ModelEvent>): Promise<string> {
  const all = await events(stream);
  return all.map((event) => (event.type === "text" ? event.text : "")).join("");
}

function script(
  turns: readonly ScriptTurn[],
  rules: readonly ScriptRule[] = [],
): ReturnType<typeof scriptedModel> {
  return scriptedModel({ format: 1, name: "t", turns, rules });
}

function rule(when: ScriptCondition, reply: ScriptReply, times?: number): ScriptRule {
  // oxlint-disable-next-line unicorn/no-thenable -- a key of the format
  return { when, then: reply, ...(times === undefined ? {} : { times }) };
}

test("a turn comes as reasoning, text in pieces, calls, usage and an end", async () => {
  const model = script([
    {
      reasoning: "think",
      text: "one two three four five six seven eight",
      calls: [
        { name: "A", input: { x: 1 } },
        { name: "B", inputText: '{"x":', id: "b", incomplete: true },
        { name: "C" },
      ],
      usage: { input: 1, output: 2 },
    },
  ]);

  expect(await events(model.stream(request()))).toEqual([
    { type: "reasoning", text: "think" },
    { type: "text", text: "one two three four five " },
    { type: "text", text: "six seven eight" },
    { type: "tool-call", id: "", name: "A", input: '{"x":1}' },
    { type: "tool-call", id: "b", name: "B", input: '{"x":', incomplete: true },
    { type: "tool-call", id: "", name: "C", input: "{}" },
    { type: "usage", usage: { input: 1, output: 2 } },
    { type: "finish", reason: "tool-calls" },
  ]);
  expect(model.id).toBe("script:t");
});

test("pieces put together are the text, whatever its spaces", async () => {
  const text = "  a\n\n  long   text\twith\nmany kinds of space, and an end  \n";

  expect(await textOf(script([{ text }]).stream(request()))).toBe(text);
});

test("a turn without calls ends with stop, or as it says", async () => {
  const model = script([{ text: "a" }, { text: "b", finish: "length" }]);

  expect((await events(model.stream(request()))).at(-1)).toEqual({
    type: "finish",
    reason: "stop",
  });
  expect((await events(model.stream(request()))).at(-1)).toEqual({
    type: "finish",
    reason: "length",
  });
});

describe("a condition", () => {
  const before = result("Grep", "found nothing");
  const latest = result("Bash", "exit 1\nfail 2", true);
  test.each<{ when: ScriptCondition; holds: boolean }>([
    { when: {}, holds: true },
    { when: { lastResultMatches: "fail [1-9]" }, holds: true },
    { when: { lastResultMatches: "fail 0" }, holds: false },
    { when: { lastResultMatches: "found" }, holds: false },
    { when: { lastResultOf: "Bash" }, holds: true },
    { when: { lastResultOf: "Grep" }, holds: false },
    { when: { lastResultOf: "Bash", lastResultMatches: "exit" }, holds: true },
    { when: { lastResultIsError: true }, holds: true },
    { when: { lastResultIsError: false }, holds: false },
    { when: { anyResultMatches: "found" }, holds: true },
    { when: { anyResultMatches: "lost" }, holds: false },
    { when: { taskMatches: "tests$" }, holds: true },
    { when: { taskMatches: "^tests" }, holds: false },
    { when: { turn: 1 }, holds: true },
    { when: { turn: 2 }, holds: false },
    { when: { turn: 1, lastResultOf: "Grep" }, holds: false },
  ])("$when holds: $holds", async ({ when, holds }) => {
    const model = script([{ when, text: "yes" }, { text: "no" }]);

    expect(await textOf(model.stream(request(before, latest)))).toBe(holds ? "yes" : "no");
  });

  test("about results holds for none where there is none", async () => {
    const model = script([{ when: { lastResultMatches: "" }, text: "yes" }, { text: "no" }]);

    expect(await textOf(model.stream(request()))).toBe("no");
  });
});

test("a skipped turn does not come back", async () => {
  const model = script([{ when: { lastResultOf: "X" }, text: "1" }, { text: "2" }, { text: "3" }]);

  expect(await textOf(model.stream(request()))).toBe("2");
  expect(await textOf(model.stream(request(result("X", ""))))).toBe("3");
});

test("a rule answers before the turns, as often as it may, and uses none of them up", async () => {
  const model = script(
    [{ text: "first" }, { text: "second" }],
    [rule({ lastResultIsError: true }, { text: "oh" }, 2)],
  );
  const failed = request(result("X", "", true));

  const said: string[] = [];
  for (const each of [request(), failed, failed, failed])
    said.push(await textOf(model.stream(each)));

  expect(said).toEqual(["first", "oh", "oh", "second"]);
});

test("a rule without a number of times answers always", async () => {
  const model = script([], [rule({}, { text: "again" })]);

  expect(await textOf(model.stream(request()))).toBe("again");
  expect(await textOf(model.stream(request()))).toBe("again");
});

test("what an expression's groups matched is put into text and input", async () => {
  const model = script([
    {
      when: { lastResultMatches: "at (?<file>\\S+):(\\d+)" },
      text: "Look at {{file}}, line {{2}}; {{other}} stays.",
      reasoning: "{{file}}",
      calls: [{ name: "Read", input: { file_path: "{{file}}", list: ["{{2}}", 3, null] } }],
    },
  ]);

  const all = await events(model.stream(request(result("X", "error at src/a.js:12"))));

  expect(all.map((event) => ("text" in event ? event.text : "")).join("")).toBe(
    "src/a.jsLook at src/a.js, line 12; {{other}} stays.",
  );
  expect(all).toContainEqual({
    type: "tool-call",
    id: "",
    name: "Read",
    input: '{"file_path":"src/a.js","list":["12",3,null]}',
  });
});

test("a written error comes after the text and before any call", async () => {
  const model = script([
    { text: "I", calls: [{ name: "A" }], error: { message: "Lost.", retryable: true } },
  ]);
  const seen: ModelEvent[] = [];

  await expect(
    (async () => {
      for await (const event of model.stream(request())) seen.push(event);
    })(),
  ).rejects.toMatchObject({ code: "MODEL_FAILED", message: "Lost.", retryable: true });
  expect(seen).toEqual([{ type: "text", text: "I" }]);
});

test("a script that has come to its end says so", async () => {
  const model = script([{ text: "only" }]);
  await events(model.stream(request()));

  await expect(events(model.stream(request()))).rejects.toMatchObject({
    code: "MODEL_FAILED",
    message: "The script t has no turn for request 2.",
    retryable: false,
  });
});

describe("a model that is created in the middle of a conversation", () => {
  const turns: readonly ScriptTurn[] = [
    { text: "I read {{file}}.", calls: [{ name: "Read", input: { file_path: "{{file}}" } }] },
    { when: { lastResultIsError: true }, text: "That failed." },
    { error: { message: "Lost.", retryable: true } },
    { calls: [{ name: "Write", input: { file_path: "b" } }] },
    { text: "Done." },
  ];
  const read: Message = {
    role: "assistant",
    content: [
      { type: "text", text: "I read a." },
      { type: "tool-call", id: "1", name: "Read", input: '{"file_path":"a"}' },
    ],
  };
  const write: Message = {
    role: "assistant",
    content: [{ type: "tool-call", id: "2", name: "Write", input: '{"file_path":"b"}' }],
  };

  test.each<{ name: string; messages: readonly Message[]; next: string }>([
    { name: "nothing", messages: [], next: "I read {{file}}." },
    { name: "another conversation", messages: [words("Hello.")], next: "I read {{file}}." },
    {
      name: "its last words alone, from another script",
      messages: [words("Done.")],
      next: "I read {{file}}.",
    },
    { name: "three turns, one of a rule", messages: [read, words("Oh."), write], next: "Done." },
    {
      name: "a turn with a condition",
      messages: [read, words("That failed."), write],
      next: "Done.",
    },
    { name: "all of it", messages: [read, write, words("Done.")], next: "I read {{file}}." },
    {
      name: "all of it and a part once more",
      messages: [read, write, words("Done."), task, read, write],
      next: "Done.",
    },
  ])("continues after $name", async ({ messages, next }) => {
    expect(await textOf(script(turns).stream(request(...messages)))).toBe(next);
  });

  test("fails where the failing turn is next", async () => {
    const stream = script(turns).stream(request(read, result("Read", "text")));

    await expect(events(stream)).rejects.toMatchObject({ message: "Lost." });
  });

  test("does not take other input for its own", async () => {
    const other: Message = {
      role: "assistant",
      content: [
        { type: "text", text: "I read a." },
        { type: "tool-call", id: "1", name: "Read", input: '{"path":"a"}' },
      ],
    };

    expect(await textOf(script(turns).stream(request(other)))).toBe("I read {{file}}.");
  });
});

test.each([
  { script: undefined, says: "scriptedModel: the script must be an object." },
  { script: {}, says: 'scriptedModel: the script lacks "format".' },
  {
    script: { format: 1, name: "x", turns: [{ calls: [{ nam: "Read" }] }] },
    says: 'scriptedModel: turns[0].calls[0] lacks "name".',
  },
  {
    script: { format: 2, name: "x", turns: [] },
    says: "scriptedModel: format must be 1.",
  },
])("a script in another form is refused: $says", ({ script: given, says }) => {
  const create = (): unknown => Reflect.apply(scriptedModel, undefined, [given]);

  expect(create).toThrow(TypeError);
  expect(create).toThrow(says);
});
