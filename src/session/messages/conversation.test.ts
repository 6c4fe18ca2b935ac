import { expect, test } from "vitest";
import type { HaftEvent, NewEvent, Outcome } from "../../core/index.ts";
import { messagesFromEvents } from "./conversation.ts";

const runId = "run-1";
const usage = { input: 1, output: 1 };

function outcome(id: string, text: string): Outcome {
  return {
    id,
    tool: "Read",
    status: "ok",
    isError: false,
    content: [{ type: "text", text }],
    text,
    title: "",
    summary: "",
    metadata: {},
    trust: "trusted",
    effects: [],
    repairs: [],
    durationMs: 1,
  };
}

function numbered(events: readonly NewEvent[]): readonly HaftEvent[] {
  return events.map((event, index) => ({ sessionId: "s", ...event, seq: index + 1, at: 0 }));
}

test("a session that stopped inside a call reopens with a result that says so", () => {
  const events = numbered([
    { type: "run-start", runId, task: "look", model: "m" },
    { type: "turn-start", runId, turn: 1 },
    { type: "model-reasoning", runId, turn: 1, text: "hm" },
    { type: "model-text", runId, turn: 1, text: "I will " },
    { type: "model-text", runId, turn: 1, text: "look." },
    { type: "turn-end", runId, turn: 1, finish: "tool-calls", usage },
    { type: "call-start", callId: "1", call: { id: "1", name: "Read", input: '{"a":1}' }, turn: 1 },
    { type: "call-start", callId: "2", call: { id: "2", name: "Read", input: { b: 2 } }, turn: 1 },
    { type: "call-end", callId: "2", outcome: outcome("2", "two") },
    { type: "call-end", callId: "1", outcome: outcome("1", "one") },
    { type: "turn-start", runId, turn: 2 },
    { type: "call-start", callId: "x", agentId: "child", call: { name: "Grep" } },
    { type: "call-start", callId: "y", sessionId: "other", call: { name: "Grep" } },
    { type: "call-start", callId: "3", call: { id: "3", name: "Bash", incomplete: true }, turn: 2 },
  ]);

  expect(messagesFromEvents(events, { sessionId: "s" })).toMatchInlineSnapshot(`
    [
      {
        "content": [
          {
            "text": "look",
            "type": "text",
          },
        ],
        "role": "user",
      },
      {
        "content": [
          {
            "text": "I will look.",
            "type": "text",
          },
          {
            "id": "1",
            "input": "{"a":1}",
            "name": "Read",
            "type": "tool-call",
          },
          {
            "id": "2",
            "input": "{"b":2}",
            "name": "Read",
            "type": "tool-call",
          },
        ],
        "role": "assistant",
      },
      {
        "content": [
          {
            "callId": "1",
            "content": [
              {
                "text": "one",
                "type": "text",
              },
            ],
            "isError": false,
            "name": "Read",
            "type": "tool-result",
          },
          {
            "callId": "2",
            "content": [
              {
                "text": "two",
                "type": "text",
              },
            ],
            "isError": false,
            "name": "Read",
            "type": "tool-result",
          },
        ],
        "role": "tool",
      },
      {
        "content": [
          {
            "id": "3",
            "incomplete": true,
            "input": "{}",
            "name": "Bash",
            "type": "tool-call",
          },
        ],
        "role": "assistant",
      },
      {
        "content": [
          {
            "callId": "3",
            "content": [
              {
                "text": "This call was interrupted before it had a result. It may or may not have taken effect: look before you repeat it.",
                "type": "text",
              },
            ],
            "isError": true,
            "name": "Bash",
            "type": "tool-result",
          },
        ],
        "role": "tool",
      },
    ]
  `);
});

test("a child agent's conversation is its own", () => {
  const events = numbered([
    { type: "run-start", runId, task: "parent", model: "m" },
    { type: "run-start", runId: "run-2", task: "child", model: "m", agentId: "child" },
    { type: "model-text", runId: "run-2", turn: 1, text: "done", agentId: "child" },
  ]);

  expect(messagesFromEvents(events, { sessionId: "s", agentId: "child" })).toEqual([
    { role: "user", content: [{ type: "text", text: "child" }] },
    { role: "assistant", content: [{ type: "text", text: "done" }] },
  ]);
});
