import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answerCollector, type Answer } from "./assistant-message.ts";
import type { FinishReason, ModelEvent } from "../../models/model.ts";

function answerOf(...events: readonly ModelEvent[]): Answer {
  const collector = answerCollector(() => "a");
  for (const event of events) collector.add(event);
  return collector.answer();
}

const call = (input: string, id = "a"): ModelEvent => ({ type: "tool-call", id, name: "T", input });
const end = (reason: FinishReason): ModelEvent => ({ type: "finish", reason });

test("neighbouring pieces are one part, with a call between them two", () => {
  const answer = answerOf(
    { type: "reasoning", text: "a" },
    { type: "reasoning", text: "b" },
    { type: "text", text: "c" },
    { type: "text", text: "d" },
    call("{}"),
    { type: "text", text: "e" },
    end("stop"),
  );

  expect(answer.content).toEqual([
    { type: "reasoning", text: "ab" },
    { type: "text", text: "cd" },
    { type: "tool-call", id: "a", providerCallId: "a", name: "T", input: "{}" },
    { type: "text", text: "e" },
  ]);
});

test("pieces of blocks that come mixed up are put where their block began", () => {
  const answer = answerOf(
    { type: "text", text: "a1", block: "1" },
    { type: "text", text: "b1", block: "2" },
    { type: "reasoning", text: "r", block: "1" },
    { type: "text", text: "a2", block: "1" },
    { type: "text", text: "free" },
    end("stop"),
  );

  expect(answer.content).toEqual([
    { type: "text", text: "a1a2" },
    { type: "text", text: "b1" },
    { type: "reasoning", text: "r" },
    { type: "text", text: "free" },
  ]);
});

test("what the provider wants back is kept with its part, put together", () => {
  const answer = answerOf(
    { type: "reasoning", text: "r", block: "1", providerData: { p: { id: 1 } } },
    {
      type: "reasoning",
      text: "",
      block: "1",
      providerData: { p: { signature: "s" }, q: { x: 1 } },
    },
    { type: "tool-call", id: "a", name: "T", input: "{}", providerData: { p: { thought: "t" } } },
    end("tool-calls"),
  );

  expect(answer.content).toEqual([
    { type: "reasoning", text: "r", providerData: { p: { id: 1, signature: "s" }, q: { x: 1 } } },
    {
      type: "tool-call",
      id: "a",
      providerCallId: "a",
      name: "T",
      input: "{}",
      providerData: { p: { thought: "t" } },
    },
  ]);
});

test("reasoning the provider hides is kept, text without a character is not", () => {
  const answer = answerOf(
    { type: "reasoning", text: "", providerData: { p: { redacted: "…" } } },
    { type: "reasoning", text: "", block: "2" },
    { type: "text", text: "" },
    end("stop"),
  );

  expect(answer.content).toEqual([
    { type: "reasoning", text: "", providerData: { p: { redacted: "…" } } },
  ]);
});

test("the last words on usage and the end count; without an end it was interrupted", () => {
  expect(
    answerOf(
      { type: "usage", usage: { input: 1, output: 1 } },
      { type: "usage", usage: { input: 5, output: 7 } },
      end("stop"),
    ),
  ).toEqual({ content: [], finish: "stop", usage: { input: 5, output: 7 } });
  expect(answerOf().finish).toBe("interrupted");
});

const text: ModelEvent = { type: "text", text: "after" };
test.each<{ events: readonly ModelEvent[]; incomplete: boolean; because: string }>([
  {
    events: [call('{"a":1}'), end("length")],
    incomplete: false,
    because: "an object that is whole",
  },
  { events: [call('{"a":'), end("length")], incomplete: true, because: "cut inside the object" },
  { events: [call('{"a":'), end("interrupted")], incomplete: true, because: "the stream stopped" },
  { events: [call('{"a":')], incomplete: true, because: "no end at all" },
  {
    events: [call('{"a":'), end("content-filter")],
    incomplete: true,
    because: "stopped by a filter",
  },
  { events: [call('{"a":'), end("error")], incomplete: true, because: "stopped by an error" },
  {
    events: [call('{"a":'), end("tool-calls")],
    incomplete: false,
    because: "the model was done, it is just broken",
  },
  {
    events: [call('{"a":'), end("stop")],
    incomplete: false,
    because: "the model was done, it is just broken",
  },
  {
    events: [call('{"a":'), end("other")],
    incomplete: false,
    because: "the provider does not say it was cut",
  },
  {
    events: [call("{}"), end("length")],
    incomplete: true,
    because: "the input may not have begun",
  },
  { events: [call(""), end("length")], incomplete: true, because: "the input had not begun" },
  {
    events: [call("{}"), text, end("length")],
    incomplete: false,
    because: "something came after it",
  },
  { events: [call('{"a":'), text, end("length")], incomplete: true, because: "broken anyway" },
  {
    events: [call("12"), end("length")],
    incomplete: true,
    because: "a number may have more digits",
  },
  {
    events: [{ ...call("{}"), incomplete: true }, end("stop")].filter(isEvent),
    incomplete: true,
    because: "the model's stream said so",
  },
])("a call is incomplete: $incomplete, $because", ({ events, incomplete }) => {
  const part = answerOf(...events).content[0];

  expect(part?.type === "tool-call" && part.incomplete === true).toBe(incomplete);
});

function isEvent(value: unknown): value is ModelEvent {
  return value !== null;
}

test("every prefix of a call's input is distinguished from the complete input", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      fc.nat(),
      (input, cutAt) => {
        const whole = JSON.stringify(input);
        const part = answerOf(call(whole.slice(0, cutAt % whole.length)), end("length")).content[0];
        const complete = answerOf(call(whole), end("length")).content[0];

        expect(part).toMatchObject({ incomplete: true });
        expect(complete).not.toHaveProperty("incomplete");
      },
    ),
  );
});
