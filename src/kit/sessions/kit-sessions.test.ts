import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { aRun, answered, called, done, secret } from "../../../test/support/sessions.ts";
import { simpleTool } from "../../../test/support/kit.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Model, ModelRequest } from "../../agent/index.ts";
import type { Outcome, Tool } from "../../core/index.ts";
import { openSessionStore, userMessage, type Message } from "../../session/index.ts";
import { createToolkit } from "../create-toolkit.ts";
import type { Kit } from "../kit.ts";
import type { ToolkitOptions } from "../options/options.ts";

const at = temporaryFolder("kit-sessions");

async function open(options: ToolkitOptions = {}): Promise<Kit> {
  const dataDirectory = at("data");
  const { mkdir } = await import("node:fs/promises");
  await mkdir(at("work"), { recursive: true });
  return await createToolkit({ workspace: at("work"), dataDirectory, ...options });
}

interface Asked {
  readonly model: Model;
  readonly requests: ModelRequest[];
}

/** A model that says these texts, one for each request. */
function saying(...texts: readonly string[]): Asked {
  const requests: ModelRequest[] = [];
  return {
    requests,
    model: {
      id: "fake:m",
      async *stream(request) {
        requests.push(request);
        yield { type: "text", text: texts[requests.length - 1] ?? "" };
        yield { type: "finish", reason: "stop" };
      },
    },
  };
}

const said = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });

test("a run with the id of a stored session continues it, also in a later kit", async () => {
  const first = saying("one");
  const kit = await open();
  const { sessionId, result } = kit.run({ task: "begin", model: first.model });
  await result;
  await kit.dispose();
  const second = saying("two");
  const later = await open();

  const continued = await later.run({ task: "more", sessionId, model: second.model }).result;

  expect(continued.status).toBe("done");
  expect(second.requests[0]?.messages).toEqual([
    userMessage("begin"),
    said("one"),
    userMessage("more"),
  ]);
  expect(await later.sessions.list()).toMatchObject([
    {
      sessionId,
      title: "begin",
      task: "more",
      runs: 2,
      status: "done",
      workspace: later.workspace,
    },
  ]);
  await later.dispose();
});

test("sessions are renamed, forked, exported, imported and deleted through the kit", async () => {
  const kit = await open({ sessions: "memory" });
  const { sessionId, result } = kit.run({ task: "begin", model: saying("one").model });
  await result;

  const fork = await kit.sessions.fork(sessionId, { message: 1 });
  const renamed = await kit.sessions.rename(fork.sessionId, "second");
  const lines = await kit.sessions.export(sessionId);
  await kit.sessions.delete(sessionId);
  const imported = await kit.sessions.import(lines);

  expect(renamed.title).toBe("second");
  expect(await kit.sessions.messages(fork.sessionId)).toEqual([userMessage("begin")]);
  expect(imported.sessionId).toBe(sessionId);
  expect((await kit.sessions.log(sessionId)).entries).toHaveLength(2);
  await expect(kit.sessions.export("nothing")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await kit.dispose();
});

test("a kit without a data directory stores no sessions and says so", async () => {
  const kit = await createToolkit({ workspace: at("") });
  await kit.run({ task: "begin", model: saying("one").model }).result;

  await expect(kit.sessions.list()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    hint: 'Set the option sessions to "file" or "memory".',
  });
  await kit.dispose();
});

test("a task is kept exactly for the model, and hidden in lists and exports", async () => {
  const kit = await open();
  const { sessionId, result } = kit.run({ task: `use ${secret}`, model: saying("ok").model });
  await result;

  expect(await kit.sessions.messages(sessionId)).toEqual([
    userMessage(`use ${secret}`),
    said("ok"),
  ]);
  expect(JSON.stringify(await kit.sessions.list())).not.toContain(secret);
  expect(await kit.sessions.export(sessionId)).not.toContain(secret);
  expect(await kit.sessions.export(sessionId, { secrets: true })).toContain(secret);
  await kit.dispose();
});

test("two kits of one process store in one file at the same time", async () => {
  const kits = [await open(), await open()];

  const runs = kits.flatMap((kit) =>
    Array.from({ length: 10 }, (_, n) => kit.run({ task: `task ${n}`, model: saying("ok").model })),
  );
  const results = await Promise.all(runs.map(async ({ result }) => await result));
  const [kit] = kits;
  const sessions = (await kit?.sessions.list()) ?? [];

  expect(results.map(({ status }) => status)).toEqual(runs.map(() => "done"));
  expect(sessions.map(({ status, messages }) => [status, messages])).toEqual(
    runs.map(() => ["done", 2]),
  );
  for (const each of kits) await each.dispose();
});

test("a session that is still running is not continued, and the run says why", async () => {
  const kit = await open();
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const waiting: Model = {
    id: "fake:m",
    async *stream() {
      begin();
      await promise;
      yield { type: "text", text: "late" };
      yield { type: "finish", reason: "stop" };
    },
  };
  const first = kit.run({ task: "begin", model: waiting });
  await begun;

  const second = kit.run({ task: "too", sessionId: first.sessionId, model: saying("x").model });
  const refused = await second.result;
  const events = [];
  for await (const event of second.events) events.push(event);
  resolve();

  expect(refused).toMatchObject({ status: "failed", error: { code: "UNAVAILABLE" } });
  expect(refused.text).toContain("is still running in process");
  expect(events).toEqual([]);
  expect((await first.result).status).toBe("done");
  await kit.dispose();
});

test("a session with nothing to go on is refused with what to do", async () => {
  const kit = await open();

  const result = await kit.run({ sessionId: "new", model: saying("x").model }).result;

  expect(result).toMatchObject({ status: "failed", error: { code: "INVALID_INPUT" } });
  expect((await kit.sessions.get("new"))?.status).toBe("failed");
  await kit.dispose();
});

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

async function settledBy(traits: Partial<Tool>, options: ToolkitOptions = {}): Promise<Continued> {
  const { tool, runs } = counting(traits);
  const kit = await open({ tools: { extra: [tool] }, rules: { allow: ["Push"] }, ...options });
  const { model, requests } = saying("done");
  const { status } = await kit.run({ sessionId: "s", model }).result;
  expect(status).toBe("done");
  const stored = await kit.sessions.messages("s");
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

test("the messages that a caller gives replace the stored ones for the model", async () => {
  const kit = await open({ sessions: "memory" });
  const { sessionId, result } = kit.run({ task: "begin", model: saying("one").model });
  await result;
  const second = saying("two");

  const messages = [userMessage("other"), called("c9"), answered("c9")];
  await kit.run({ task: "more", sessionId, messages, model: second.model }).result;

  expect(second.requests[0]?.messages).toEqual([...messages, userMessage("more")]);
  expect(await kit.sessions.messages(sessionId)).toEqual([
    ...messages,
    userMessage("more"),
    said("two"),
  ]);
  await kit.dispose();
});
