import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { interruptedCalls } from "../../../test/support/interrupted-calls.ts";
import { aRun, called, done } from "../../../test/support/sessions.ts";
import { saying } from "../../../test/support/stored-kits.ts";
import type { Model, RunLimits } from "../../agent/index.ts";
import { openSessionStore, userMessage } from "../../session/index.ts";
import { beginStoredRun } from "./stored-run.ts";

const { at, open, killed, settledBy } = interruptedCalls("interrupted-calls");

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

  expect(results).toContain("ran");
  expect(runs).toBe(1);
});

test.each([
  { found: "done", runs: 0, result: "This call took effect" },
  { found: "not-done", runs: 1, result: "ran" },
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

test("an interrupted Agent that works in the background reports its end to the run that continues", async () => {
  const agent = { prompt: "part", description: "part", mode: "background" };
  const model: Model = {
    id: "fake:m",
    async *stream({ messages }) {
      const isPart = JSON.stringify(messages[0]).includes("part");
      yield { type: "text", text: isPart ? "the part is done" : "all is done" };
      yield { type: "finish", reason: "stop" };
    },
  };
  const continued = async (limits: RunLimits) => {
    await killed({ name: "Agent", input: agent }, {});
    const kit = await open({ model, mode: "bypassPermissions" });
    const { status } = await kit.run({ sessionId: "s", limits }).result;
    const told = JSON.stringify(await kit.sessions.messages("s"));
    await kit.sessions.delete("s");
    await kit.dispose();
    return { status, ends: told.match(/\(general: part\) has ended: done/gu)?.length ?? 0 };
  };

  // Its own turns count: with two, none is left for the answer to its end.
  expect(await continued({ maxTurns: 3 })).toEqual({ status: "done", ends: 1 });
  expect(await continued({ maxTurns: 2 })).toMatchObject({ status: "max-turns" });
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
