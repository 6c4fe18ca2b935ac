import { expect, test } from "vitest";
import { interruptedCalls } from "../../../test/support/interrupted-calls.ts";
import { countingTool, simpleTool } from "../../../test/support/kit.ts";
import { saying } from "../../../test/support/stored-kits.ts";
import type { Model } from "../../agent/index.ts";
import { openSessionStore } from "../../session/index.ts";

const { at, open, killed, settledBy } = interruptedCalls("interrupted-questions");

test.each([
  { answer: "once", runs: 1 },
  { answer: "deny", runs: 0 },
] as const)(
  "a user is asked about a call that may have taken effect: $answer",
  async ({ answer, runs }) => {
    await killed({ name: "Push" }, { isStarted: true });
    const questions: string[] = [];

    const settled = await settledBy(
      {},
      {
        onAsk: async ({ question, reason }) => {
          questions.push(`${question} ${reason}`);
          return { kind: answer };
        },
      },
    );

    expect(settled.runs).toBe(runs);
    expect(questions).toEqual([
      "Run Push again? The program was interrupted while it ran, so it may have taken effect.",
    ]);
    const store = await openSessionStore({ file: at("data/sessions.db") });
    const records = await store.callRecords("s", "c1");
    expect(records.filter(({ kind }) => kind === "answer")).toMatchObject([
      { body: { answer, about: "repeat" } },
    ]);
    await store.close();
  },
);

const never = async (): Promise<never> => await new Promise<never>(() => undefined);

test("a run is aborted while the user is asked whether a call runs again, and asks again later", async () => {
  await killed({ name: "Push" }, { isStarted: true });
  const { tool, runs } = countingTool("Push");
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const onAsk = async (): Promise<never> => {
    ask();
    return await never();
  };
  const kit = await open({ tools: { extra: [tool] }, onAsk });

  const run = kit.run({ sessionId: "s", model: saying("done").model });
  await asked;
  run.abort("enough");

  expect(await run.result).toMatchObject({ status: "aborted", error: { message: "enough" } });
  expect(runs()).toBe(0);
  expect((await kit.sessions.get("s"))?.status).toBe("aborted");
  expect((await kit.sessions.messages("s")).at(-1)?.role).toBe("assistant");
  await kit.dispose();
});

test("a run is aborted while an interrupted call runs again", async () => {
  await killed({ name: "Push" }, {});
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const tool = simpleTool("Push", async (_input, { signal }) => {
    begin();
    return await new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  const kit = await open({ tools: { extra: [tool] }, rules: { allow: ["Push"] } });

  const run = kit.run({ sessionId: "s", model: saying("done").model });
  await begun;
  run.abort("enough");

  expect(await run.result).toMatchObject({ status: "aborted", error: { message: "enough" } });
  await kit.dispose();
});

test.each([
  { because: "fails", onAsk: async () => await Promise.reject(new Error("the input has ended")) },
  { because: "gives no answer", onAsk: async () => Reflect.get({}, "answer") },
])("a question that $because is as no user", async ({ onAsk }) => {
  await killed({ name: "Push" }, { isStarted: true });

  const { runs, results } = await settledBy({}, { onAsk });

  expect(runs).toBe(0);
  expect(results).toContain("may or may not have taken effect");
});

test("the answer abort ends the run, and leaves the call as it was", async () => {
  await killed({ name: "Push" }, { isStarted: true });
  const kit = await open({ onAsk: async () => ({ kind: "abort" }) });

  const { status } = await kit.run({ sessionId: "s", model: saying("done").model }).result;

  expect(status).toBe("aborted");
  expect((await kit.sessions.messages("s")).at(-1)?.role).toBe("assistant");
  await kit.dispose();
});

test("questions about interrupted calls, and calls that run again, are events of the run", async () => {
  await killed({ name: "Push" }, { isStarted: true });
  const { tool } = countingTool("Push");
  const kit = await open({
    tools: { extra: [tool] },
    rules: { allow: ["Push"] },
    deferral: { threshold: false },
    onAsk: async () => ({ kind: "once" }),
  });

  const run = kit.run({ sessionId: "s", model: saying("done").model });
  const events = [];
  for await (const event of run.events) events.push(event);

  expect(events.slice(0, 6).map(({ type }) => type)).toEqual([
    "permission-ask",
    "permission-answer",
    "call-start",
    "call-decided",
    "call-end",
    "run-start",
  ]);
  expect(events.at(-1)?.type).toBe("run-end");
  expect(events[0]).toMatchObject({ callId: "c1", sessionId: "s", runId: run.id });
  await kit.dispose();
});

test("the intent of a call beyond the workspace is stored before it runs, with the user's answer", async () => {
  const seen: unknown[] = [];
  const { tool } = countingTool("Push");
  let records: unknown;
  const kit = await open({
    tools: {
      extra: [
        {
          ...tool,
          run: async (_input, { callId, sessionId = "" }) => {
            const store = await openSessionStore({ file: at("data/sessions.db") });
            records = await store.callRecords(sessionId, callId);
            await store.close();
            return { content: "pushed" };
          },
        },
      ],
    },
    onAsk: async () => ({ kind: "once" }),
    onEvent: (event) => seen.push(event.type),
  });
  const model: Model = {
    id: "fake:m",
    async *stream({ messages }) {
      if (messages.length === 1) {
        yield { type: "tool-call", id: "1", name: "Push", input: "{}" };
        yield { type: "finish", reason: "tool-calls" };
      } else {
        yield { type: "text", text: "ok" };
        yield { type: "finish", reason: "stop" };
      }
    },
  };

  await kit.run({ task: "push", model }).result;
  await kit.dispose();

  expect(seen).toContain("permission-answer");
  expect(records).toMatchObject([
    { kind: "answer", body: { answer: "once" } },
    { kind: "intent", body: { tool: "Push", effects: [{ kind: "unknown" }] } },
  ]);
});
