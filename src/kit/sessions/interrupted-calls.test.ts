import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { simpleTool } from "../../../test/support/kit.ts";
import { aRun, called, done } from "../../../test/support/sessions.ts";
import { saying, storedKits } from "../../../test/support/stored-kits.ts";
import type { Model } from "../../agent/index.ts";
import type { Outcome, Tool } from "../../core/index.ts";
import { openSessionStore, userMessage } from "../../session/index.ts";
import type { ToolkitOptions } from "../options/options.ts";
import { beginStoredRun } from "./stored-run.ts";

const { at, open } = storedKits("interrupted-calls");

/** Leaves a session as a process leaves it that was killed inside a call. */
async function killed(
  call: { readonly name: string; readonly input?: unknown },
  left: {
    readonly outcome?: Pick<Outcome, "content" | "isError">;
    readonly isStarted?: boolean;
    readonly isFailed?: boolean;
  },
): Promise<void> {
  const store = await openSessionStore({
    file: at("data/sessions.db"),
    processes: { own: "1/gone/x", isRunning: () => false },
  });
  await store.create({ sessionId: "s" });
  const { log, end } = await store.begin(aRun("r1"));
  await log.append([userMessage("go"), called("c1", JSON.stringify(call.input ?? {}), call.name)]);
  if (left.isStarted === true) {
    await store.recordCall({
      sessionId: "s",
      callId: "c1",
      kind: "intent",
      isDurable: true,
      body: {},
    });
  }
  if (left.outcome !== undefined) await log.steps.run("tool:c1", async () => left.outcome);
  if (left.isFailed === true) await end({ ...done, status: "failed" });
  await store.close();
}

function counting(traits: Partial<Tool> = {}): {
  readonly tool: Tool;
  readonly runs: () => number;
} {
  let runs = 0;
  const tool = simpleTool(
    "Push",
    () => {
      runs += 1;
      return { content: "pushed" };
    },
    {
      touches: ["unknown"],
      effects: () => [{ kind: "unknown", because: "it pushes", origin: "Push" }],
      ...traits,
    },
  );
  return { tool, runs: () => runs };
}

interface Continued {
  readonly results: string;
  readonly runs: number;
}

async function settledBy(
  traits: Partial<Tool>,
  options: ToolkitOptions = {},
  sessionId = "s",
): Promise<Continued> {
  const { tool, runs } = counting(traits);
  const kit = await open({ tools: { extra: [tool] }, rules: { allow: ["Push"] }, ...options });
  const { model, requests } = saying("done");
  const { status } = await kit.run({ sessionId, model }).result;
  expect(status).toBe("done");
  const stored = await kit.sessions.messages(sessionId);
  await kit.dispose();
  const result = requests[0]?.messages[2];
  expect(stored[2]).toEqual(result);
  return { results: JSON.stringify(result), runs: runs() };
}

test("an interrupted call gets its recorded result and does not run again", async () => {
  const content = [{ type: "text", text: "recorded" } as const];
  await killed({ name: "Push" }, { isStarted: true, outcome: { content, isError: false } });

  const { results, runs } = await settledBy({});

  expect(results).toContain("recorded");
  expect(runs).toBe(0);
});

test("so does a call of a run that failed before it could store the result", async () => {
  const content = [{ type: "text", text: "recorded" } as const];
  await killed(
    { name: "Push" },
    { isStarted: true, outcome: { content, isError: false }, isFailed: true },
  );

  const { results, runs } = await settledBy({});

  expect(results).toContain("recorded");
  expect(runs).toBe(0);
});

test("a call that did not start runs", async () => {
  await killed({ name: "Push" }, {});

  const { results, runs } = await settledBy({});

  expect(results).toContain("pushed");
  expect(runs).toBe(1);
});

test.each([
  { found: "done", runs: 0, result: "This call took effect" },
  { found: "not-done", runs: 1, result: "pushed" },
  { found: "unknown", runs: 0, result: "It may or may not have taken effect" },
] as const)(
  "a call whose tool finds it $found: it runs $runs times",
  async ({ found, runs, result }) => {
    await killed({ name: "Push" }, { isStarted: true });

    const settled = await settledBy({ reconcile: async () => found });

    expect(settled.results).toContain(result);
    expect(settled.runs).toBe(runs);
  },
);

test("a tool that fails to find out is as one that does not know", async () => {
  await killed({ name: "Push" }, { isStarted: true });

  const { runs, results } = await settledBy({
    reconcile: async () => {
      throw new Error("offline");
    },
  });

  expect(runs).toBe(0);
  expect(results).toContain("may or may not have taken effect");
});

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
  const { tool, runs } = counting();
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
  const { tool } = counting();
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

test("a result that was recorded is used also if the run that settled the call was interrupted", async () => {
  const content = [{ type: "text", text: "recorded" } as const];
  await killed({ name: "Push" }, { isStarted: true, outcome: { content, isError: false } });
  const store = await openSessionStore({
    file: at("data/sessions.db"),
    processes: { own: "2/gone/x", isRunning: () => false },
  });
  await store.begin(aRun("r2"));
  await store.close();

  const { results, runs } = await settledBy({});

  expect(results).toContain("recorded");
  expect(runs).toBe(0);
});

test("an imported session does not repeat a call that was interrupted before the export", async () => {
  await killed({ name: "Push" }, { isStarted: true });
  const kit = await open();
  const lines = await kit.sessions.export("s");
  await kit.sessions.delete("s");
  await kit.sessions.import(lines);
  await kit.dispose();

  const { results, runs } = await settledBy({});

  expect(results).toContain("may or may not have taken effect");
  expect(runs).toBe(0);
});

test("a fork does not repeat a call that was interrupted before the copy, also after another interruption", async () => {
  await killed({ name: "Push" }, { isStarted: true });
  const file = at("data/sessions.db");
  const gone = { own: "2/gone/x", isRunning: () => false };
  const store = await openSessionStore({ file, processes: gone });
  await store.fork("s", { sessionId: "copy" });
  // The first run of the copy is killed before it has stored anything.
  await store.begin(aRun("r2", { sessionId: "copy" }));
  await store.close();

  const { results, runs } = await settledBy({}, {}, "copy");

  expect(results).toContain("may or may not have taken effect");
  expect(runs).toBe(0);
});

test("the id of a run is used once in a session", async () => {
  const kit = await open();
  const ids = { sessionId: "s", runId: "r" };
  await kit.run({ ...ids, task: "one", model: saying("1").model }).result;

  const { error } = await kit.run({ ...ids, task: "two", model: saying("2").model }).result;

  expect(error).toMatchObject({
    code: "ALREADY_EXISTS",
    message: "The session s already has a run r.",
  });
  await kit.dispose();
});

test("an interrupted Write is done if the file has its content, and otherwise made", async () => {
  const input = { file_path: "a.txt", content: "new\n" };
  await killed({ name: "Write", input }, { isStarted: true });
  const kit = await open({ mode: "acceptEdits" });
  const { model } = saying("done");

  await kit.run({ sessionId: "s", model }).result;
  await kit.dispose();

  expect(await readFile(at("work/a.txt"), "utf8")).toBe("new\n");
});

test("the intent of a call beyond the workspace is stored before it runs, with the user's answer", async () => {
  const seen: unknown[] = [];
  const { tool } = counting();
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

test("a run that another process made just before the claim is the one that continues", async () => {
  await killed({ name: "Push" }, { isStarted: true });
  const store = await openSessionStore({
    file: at("data/sessions.db"),
    processes: { own: "2/other/y", isRunning: () => false },
  });
  const outcome = { content: [{ type: "text", text: "from the other process" }], isError: false };
  // Between the first look at the session and the claim, another process settles the call and leaves one of its own.
  const raced: typeof store = {
    ...store,
    async begin(run) {
      const { log, end } = await store.begin(aRun("other"));
      await log.append([userMessage("more"), called("c2", "{}", "Push")]);
      await log.steps.run("tool:c2", async () => outcome);
      await end({ ...done, status: "failed" });
      return await store.begin(run);
    },
  };
  const kit = await open({ sessions: "none" });

  const begun = await beginStoredRun({
    store: raced,
    toolkit: kit,
    workspace: at("work"),
    onAsk: undefined,
    taints: new Map(),
    run: { runId: "mine", sessionId: "s", model: saying("ok").model },
    signal: new AbortController().signal,
    onClaim: () => undefined,
  });

  expect(begun.options.messages?.at(-1)).toMatchObject({
    role: "tool",
    content: [{ callId: "c2", content: outcome.content }],
  });
  await kit.dispose();
  await store.close();
});
