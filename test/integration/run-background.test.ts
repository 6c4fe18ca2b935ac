import { mkdir } from "node:fs/promises";
import { expect, test } from "vitest";
import type { ModelRequest } from "../../src/agent/index.ts";
import { contentText, type HaftEvent } from "../../src/index.ts";
import { model, says } from "../fakes/fake-run.ts";
import { kitFolder } from "../support/kit-folder.ts";

const { open } = kitFolder("haft-run-background-", async (at) => {
  await mkdir(at("work"), { recursive: true });
});

const call = (name: string, input: object) => () =>
  says(
    { type: "tool-call", id: "a", name, input: JSON.stringify(input) },
    { type: "finish", reason: "tool-calls" },
  );
const inBackground = (command: string) => call("Bash", { command, run_in_background: true });
const answers = (text: string) => () =>
  says({ type: "text", text }, { type: "finish", reason: "stop" });

function lastText({ messages }: ModelRequest): string {
  const last = messages.at(-1);
  return last?.role === "user" ? contentText(last.content) : "";
}

function taskIdIn({ messages }: ModelRequest): string {
  return /task-[0-9a-f]{8}/u.exec(JSON.stringify(messages))?.[0] ?? "";
}

test("a run waits for its background command, which wakes it with its exit code", async () => {
  const kit = await open();
  const events: HaftEvent[] = [];
  kit.events.subscribe((event) => events.push(event));
  const asked = model(
    inBackground("sleep 0.2; exit 3"),
    answers("Waiting."),
    answers("It failed."),
  );

  const run = kit.run({ task: "go", model: asked });
  const result = await run.result;

  expect(result).toMatchObject({ status: "done", turns: 3, text: "It failed." });
  expect(asked.requests.map(lastText)[2]).toMatch(
    /^The background command task-\w{8} \(sleep 0\.2; exit 3\) ended with exit code 3\. Read its output with TaskOutput\.$/u,
  );
  const identity = { runId: run.id, sessionId: run.sessionId, depth: 0 };
  expect(events.find(({ type }) => type === "task-start")).toMatchObject(identity);
  expect(events.find(({ type }) => type === "task-end")).toMatchObject({
    ...identity,
    task: { runId: run.id },
  });
});

test("a command whose end a call has shown starts no turn", async () => {
  const kit = await open();
  const asked = model(
    inBackground("sleep 0.1"),
    (request) => call("TaskOutput", { task_id: taskIdIn(request), wait: true })(),
    answers("Done."),
  );

  const result = await kit.run({ task: "go", model: asked }).result;

  expect(result).toMatchObject({ status: "done", turns: 3, text: "Done." });
});

test("a run that does not wait leaves the command to the kit", async () => {
  const kit = await open();
  const asked = model(inBackground("sleep 30"), answers("Started."));

  const result = await kit.run({ task: "go", model: asked, waitForBackground: false }).result;

  expect(result).toMatchObject({ status: "done", turns: 2 });
  expect(await kit.tasks.list()).toMatchObject([{ status: "running" }]);
});

test("an interrupted command is done where its task is recorded, and otherwise unknown", async () => {
  const kit = await open();
  const input = { command: "touch made; sleep 0.1", run_in_background: true };
  const started = { id: "c1", name: "Bash", input };
  const { status } = await kit.call(started, { sessionId: "s" });
  await expect.poll(async () => (await kit.tasks.list())[0]?.status).toBe("ended");
  await kit.dispose();
  const later = await open();

  expect(status).toBe("ok");
  expect(await later.reconcile(started, { sessionId: "s" })).toBe("done");
  expect(await later.reconcile({ ...started, id: "c2" }, { sessionId: "s" })).toBe("unknown");
  expect(await later.reconcile(started, { sessionId: "another" })).toBe("unknown");
});

test.each([
  "sleep 30; touch made",
  // The journal knows its first change, but not the one that is missing.
  "touch first; sleep 30; touch made",
])("an interrupted command that was stopped in the middle is unknown: %s", async (command) => {
  const kit = await open();
  const input = { command, run_in_background: true };
  const started = { id: "c1", name: "Bash", input };
  await kit.call(started, { sessionId: "s" });
  const whileRunning = await kit.reconcile(started, { sessionId: "s" });
  await kit.dispose();
  const later = await open();

  expect(whileRunning).toBe("done");
  expect(await later.reconcile(started, { sessionId: "s" })).toBe("unknown");
});

test("an interrupted command that only reads may simply run again", async () => {
  const kit = await open();

  const listing = { id: "c1", name: "Bash", input: { command: "ls" } };

  expect(await kit.reconcile(listing, { sessionId: "s" })).toBe("repeatable");
});
