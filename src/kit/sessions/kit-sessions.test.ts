import { expect, test } from "vitest";
import { answered, called, secret } from "../../../test/support/sessions.ts";
import { saying, storedKits } from "../../../test/support/stored-kits.ts";
import type { Model } from "../../agent/index.ts";
import { userMessage, type Message } from "../../session/index.ts";
import { createToolkit } from "../create-toolkit.ts";

const { at, open } = storedKits("kit-sessions");

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
      workspace: later.workspace.path,
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

test("runs of several agents may begin one session at the same time", async () => {
  const kit = await open();

  const results = await Promise.all(
    ["a", "b", "c"].map(async (agentId) => {
      const { model } = saying("ok");
      return await kit.run({ sessionId: "new", task: "go", agentId, model }).result;
    }),
  );

  expect(results.map(({ status }) => status)).toEqual(["done", "done", "done"]);
  await kit.dispose();
});

test("a session with nothing to go on is refused with what to do", async () => {
  const kit = await open();

  const result = await kit.run({ sessionId: "new", model: saying("x").model }).result;

  expect(result).toMatchObject({ status: "failed", error: { code: "INVALID_INPUT" } });
  expect((await kit.sessions.get("new"))?.status).toBe("failed");
  await kit.dispose();
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

test("a kit that stores no sessions says that a run of one continued nothing", async () => {
  const kit = await createToolkit({ workspace: at("") });

  expect(() => kit.run({ sessionId: "s1", model: saying("one").model })).toThrow(
    's1 cannot be continued: this toolkit stores no sessions. Set the option sessions to "file" or "memory", or pass messages.',
  );
  const given = { task: "go", messages: [userMessage("before")], sessionId: "s1" };
  await kit.run({ ...given, model: saying("one").model }).result;
  expect(kit.workspace.problems).toEqual([]);
  await kit.run({ task: "go", sessionId: "s1", model: saying("one").model }).result;
  expect(kit.workspace.problems).toEqual([
    {
      severity: "warning",
      message: "A run of s1 continued nothing, because this toolkit stores no sessions.",
      hint: 'Set the option sessions to "file" or "memory", or pass messages.',
    },
  ]);
  await kit.dispose();
});

test("messages that were sent to a run that cannot start are in its result", async () => {
  const kit = await open();
  const first = kit.run({ task: "go", sessionId: "s", model: silent() });
  await expect.poll(async () => (await kit.sessions.get("s"))?.status).toBe("running");

  const second = kit.run({ task: "me too", sessionId: "s", model: saying("one").model });
  const isTaken = second.send("and more");
  const result = await second.result;
  first.abort();
  await first.result;

  expect(isTaken).toBe(true);
  expect(result).toMatchObject({
    status: "failed",
    error: { code: "UNAVAILABLE" },
    messages: [userMessage("me too"), userMessage("and more")],
  });
  expect(second.send("too late")).toBe(false);
  await kit.dispose();
});

/** A model that answers nothing until it is aborted. */
function silent(): Model {
  return {
    id: "fake:silent",
    // oxlint-disable-next-line require-yield -- it never answers
    async *stream({ signal }) {
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    },
  };
}
