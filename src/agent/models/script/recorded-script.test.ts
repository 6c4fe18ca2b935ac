import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { toolCallsOf, userMessage, type Message } from "../../../session/index.ts";
import { startRun } from "../../loop/run.ts";
import { recordedScript } from "./recorded-script.ts";
import { scriptedModel } from "./scripted-model.ts";
import { runs } from "../../../../test/support/law-runs.ts";

interface RecordedCall {
  readonly name: string;
  readonly id: string;
  readonly input: string;
  readonly result: string;
}

const value = fc.oneof(fc.string(), fc.constantFrom("{{1}}", "é\u0000", "x".repeat(100_000)));
const recordedCall = fc.record({
  name: fc.constantFrom("Read", "Write"),
  input: fc.dictionary(fc.constantFrom("a", "b"), value).map((input) => JSON.stringify(input)),
  result: fc.string(),
});
const recording = fc
  .array(fc.array(recordedCall, { minLength: 1, maxLength: 5 }), { maxLength: 6 })
  .map((answers) =>
    answers.map((calls, turn) =>
      calls.map((call, index): RecordedCall => ({ ...call, id: `toolu_${turn}_${index}` })),
    ),
  );

function messagesOf(answers: readonly (readonly RecordedCall[])[]): readonly Message[] {
  return answers.flatMap((calls, turn): readonly Message[] => [
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: `turn ${turn}` },
        ...calls.map(({ id, name, input }) => ({ type: "tool-call", id, name, input }) as const),
      ],
    },
    {
      role: "tool",
      content: calls.map(({ id, name, result }) => ({
        type: "tool-result",
        callId: id,
        name,
        content: [{ type: "text", text: result }],
        isError: false,
      })),
    },
  ]);
}

test("a recorded conversation is played again: each call once, in order, its result under its id", async () => {
  await fc.assert(
    fc.asyncProperty(recording, async (answers) => {
      const recorded = answers.flat();
      const results = recorded.map(({ result }) => result);
      const run = (): string => results.shift() ?? "no more results";
      const toolkit = fakeToolkit({ Read: { run }, Write: { run } });
      const model = scriptedModel(recordedScript(messagesOf([...answers, []])));

      const { messages, status } = await startRun({
        toolkit,
        model,
        task: "go",
        limits: { maxTurns: 20, maxCalls: 100 },
      }).result;

      expect(status === "done" || status === "looping").toBe(true);
      const made = messages.flatMap((message) =>
        message.role === "assistant" ? toolCallsOf(message) : [],
      );
      const given = messages.flatMap((message) => (message.role === "tool" ? message.content : []));
      const whole = recorded.slice(0, made.length);
      expect(made).toHaveLength(status === "done" ? recorded.length : made.length);
      expect(made.map(({ name, input }) => ({ name, input }))).toEqual(
        whole.map(({ name, input }) => ({ name, input })),
      );
      expect(made.map(({ id, providerCallId }) => providerCallId ?? id)).toEqual(
        whole.map(({ id }) => id),
      );
      expect(given.map(({ callId }) => callId)).toEqual(made.map(({ id }) => id));
      expect(given.map(({ content }) => content[0])).toEqual(
        whole.map(({ result }) => ({ type: "text", text: result })),
      );
    }),
    { numRuns: runs(30) },
  );
});

test("a recording has its provider's ids, unreadable input and calls that were cut", () => {
  const messages: readonly Message[] = [
    userMessage("go"),
    {
      role: "assistant",
      content: [
        { type: "tool-call", id: "call-1", providerCallId: "x", name: "Read", input: "{oops" },
        { type: "tool-call", id: "call-2", name: "Read", input: '{"a', incomplete: true },
      ],
    },
    { role: "assistant", content: [] },
    { role: "assistant", content: [{ type: "text", text: "Done {{1}}." }] },
  ];

  expect(recordedScript(messages, "n")).toEqual({
    format: 1,
    name: "n",
    turns: [
      {
        calls: [
          { name: "Read", inputText: "{oops", id: "x" },
          { name: "Read", inputText: '{"a', id: "call-2", incomplete: true },
        ],
      },
      { text: "Done {{1}}." },
    ],
  });
});

test("a recording that stops after a call ends with words", () => {
  const script = recordedScript(messagesOf([[{ id: "1", name: "Read", input: "{}", result: "" }]]));

  expect(script.turns.at(-1)).toEqual({ text: "The recording ends here." });
});
