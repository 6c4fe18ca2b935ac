import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  toolCallsOf,
  userMessage,
  type Message,
  type ToolCallPart,
  type ToolResultPart,
} from "./messages.ts";
import { repairMessages } from "./repair-messages.ts";

const call = (id: string): ToolCallPart => ({ type: "tool-call", id, name: "Read", input: "{}" });
const result = (callId: string, text = "ok"): ToolResultPart => ({
  type: "tool-result",
  callId,
  name: "Read",
  content: [{ type: "text", text }],
  isError: false,
});
const assistant = (...ids: readonly string[]): Message => ({
  role: "assistant",
  content: ids.map(call),
});
const results = (...ids: readonly string[]): Message => ({
  role: "tool",
  content: ids.map((id) => result(id)),
});
const missing = (id: string): ToolResultPart => ({
  ...result(
    id,
    "This call was interrupted before it had a result. It may or may not have taken effect: look before you repeat it.",
  ),
  isError: true,
});

test.each<{ name: string; before: readonly Message[]; after: readonly Message[] }>([
  {
    name: "a legal conversation stays as it is",
    before: [
      userMessage("go"),
      assistant("1", "2"),
      results("1", "2"),
      assistant("1"),
      results("1"),
    ],
    after: [
      userMessage("go"),
      assistant("1", "2"),
      results("1", "2"),
      assistant("1"),
      results("1"),
    ],
  },
  {
    name: "a call at the end gets a result",
    before: [userMessage("go"), assistant("1")],
    after: [userMessage("go"), assistant("1"), { role: "tool", content: [missing("1")] }],
  },
  {
    name: "one of several calls gets the result it lacks",
    before: [assistant("1", "2", "3"), results("3", "1")],
    after: [
      assistant("1", "2", "3"),
      { role: "tool", content: [result("1"), missing("2"), result("3")] },
    ],
  },
  {
    name: "a result that came late moves behind its call",
    before: [assistant("1"), userMessage("still there?"), results("1")],
    after: [assistant("1"), results("1"), userMessage("still there?")],
  },
  {
    name: "a result of a later turn does not answer a call of this one",
    before: [assistant("1"), assistant("1"), results("1")],
    after: [
      assistant("1"),
      { role: "tool", content: [missing("1")] },
      assistant("1"),
      results("1"),
    ],
  },
  {
    name: "results of no call are gone",
    before: [userMessage("go"), results("9"), assistant("1"), results("1", "9")],
    after: [userMessage("go"), assistant("1"), results("1")],
  },
  {
    name: "the first of two results counts",
    before: [
      assistant("1"),
      { role: "tool", content: [result("1", "first"), result("1", "second")] },
    ],
    after: [assistant("1"), { role: "tool", content: [result("1", "first")] }],
  },
  {
    name: "the first of two calls with one id counts",
    before: [assistant("1", "1"), results("1")],
    after: [assistant("1"), results("1")],
  },
  {
    name: "messages without substance are gone",
    before: [
      { role: "user", content: [] },
      { role: "assistant", content: [] },
      { role: "assistant", content: [{ type: "text", text: "" }] },
      { role: "assistant", content: [{ type: "reasoning", text: "hm" }] },
      { role: "assistant", content: [{ type: "text", text: "yes" }] },
    ],
    after: [{ role: "assistant", content: [{ type: "text", text: "yes" }] }],
  },
])("$name", ({ before, after }) => {
  expect(repairMessages(before)).toEqual(after);
});

const id = fc.constantFrom("1", "2", "3");
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.string().map(userMessage),
  fc.array(id).map((ids) => assistant(...ids)),
  fc.array(id).map((ids) => results(...ids)),
);

test("after a repair every call has exactly one result right behind it, and nothing else has one", () => {
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const repaired = repairMessages(messages);
      for (const [index, each] of repaired.entries()) {
        const next = repaired[index + 1];
        const calls = each.role === "assistant" ? toolCallsOf(each).map((part) => part.id) : [];
        expect(new Set(calls).size).toBe(calls.length);
        const answered = next?.role === "tool" ? next.content.map((part) => part.callId) : [];
        expect(answered).toEqual(calls);
      }
      expect(repaired[0]?.role).not.toBe("tool");
    }),
  );
});

test("a second repair changes nothing", () => {
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const repaired = repairMessages(messages);
      expect(repairMessages(repaired)).toEqual(repaired);
    }),
  );
});
