import { expect, test } from "vitest";
import type { Answer, Ask, HaftEvent, NewEvent } from "../core/index.ts";
import { Questions } from "./questions.ts";

function questionsOf() {
  const questions = new Questions({ timeoutMs: 60_000, graceMs: 60_000 });
  questions.addReader();
  let seq = 0;
  const hear = (event: NewEvent): HaftEvent => {
    seq += 1;
    const heard = { ...event, seq, at: 1 };
    questions.hear(heard);
    return heard;
  };
  return { questions, hear };
}

const ask: Ask = {
  kind: "permission",
  callId: "same",
  tool: "Risky",
  displayName: "Risky",
  input: {},
  effects: [],
  question: "Run it?",
  reason: "A test.",
  trail: [],
  refusals: 0,
};
const asked: NewEvent = { type: "permission-ask", callId: "same", ask };
const started: NewEvent = {
  type: "call-start",
  callId: "same",
  call: { id: "same", name: "Risky", input: {} },
};
const outcome = { id: "same" } as Extract<NewEvent, { type: "call-end" }>["outcome"];
const ended: NewEvent = { type: "call-end", callId: "same", outcome };

function put({ questions, hear }: ReturnType<typeof questionsOf>) {
  const event = hear(asked);
  const answer: Promise<Answer> = questions.onAsk(ask, { signal: undefined });
  return { event, answer };
}

test("calls at once with the same id have each its own question", async () => {
  const given = questionsOf();
  const { questions, hear } = given;
  hear(started);
  hear(started);
  const first = put(given);
  const second = put(given);
  const ids = [first, second].map(({ event }) => questions.idFor(event) ?? "none");

  questions.answer(ids[1] ?? "", { kind: "deny" });
  questions.answer(ids[0] ?? "", { kind: "once" });

  expect(await first.answer).toEqual({ kind: "once" });
  expect(await second.answer).toEqual({ kind: "deny" });
  expect(new Set(ids).size).toBe(2);
});

test("a question stays open when another call with the same id ends", async () => {
  const given = questionsOf();
  const { questions, hear } = given;
  hear(started);
  hear(started);
  const event = hear(asked);
  hear(ended);
  const answer = questions.onAsk(ask, { signal: undefined });
  hear(ended);

  questions.answer(questions.idFor(event) ?? "none", { kind: "once" });

  expect(await answer).toEqual({ kind: "once" });
});

test("one event shows one question, and none after its call has ended", async () => {
  const given = questionsOf();
  const { questions, hear } = given;
  const { event, answer } = put(given);
  await expect(questions.onAsk(ask, { signal: undefined })).rejects.toThrow("No event shows it");
  hear(asked);
  hear(ended);
  await expect(questions.onAsk(ask, { signal: undefined })).rejects.toThrow("No event shows it");

  questions.answer(questions.idFor(event) ?? "none", { kind: "once" });

  expect(await answer).toEqual({ kind: "once" });
  expect(questions.idFor(event)).toBeUndefined();
});

test("an event of another process with the same number shows no question", async () => {
  const given = questionsOf();
  const { questions } = given;
  const { event, answer } = put(given);

  expect(questions.idFor({ ...event, at: 2 })).toBeUndefined();
  expect(questions.idFor({ ...event, sessionId: "other" })).toBeUndefined();

  questions.close();
  await expect(answer).rejects.toThrow("The server ends");
});
