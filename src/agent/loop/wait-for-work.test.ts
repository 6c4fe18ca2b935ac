import { expect, test } from "vitest";
import { createRunWork } from "../../background/index.ts";
import { done, model, quickClock, says } from "../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../test/fakes/fake-toolkit.ts";
import type { Completion } from "../../core/index.ts";
import type { ModelEvent, ModelRequest } from "../models/model.ts";
import { startRun } from "./run.ts";

const answers = (text: string) => (): AsyncIterable<ModelEvent> =>
  says({ type: "text", text }, { type: "finish", reason: "stop" });
const calls = (): AsyncIterable<ModelEvent> =>
  says(
    { type: "tool-call", id: "a", name: "Start", input: "{}" },
    { type: "finish", reason: "tool-calls" },
  );
const build = { id: "task-1", kind: "command", title: "npm run build" } as const;

/** A toolkit whose tool Start leaves work behind, which `end` ends. */
function working() {
  const work = createRunWork();
  const ends: ((completion?: Completion) => void)[] = [];
  const toolkit = {
    ...fakeToolkit({
      Start: {
        run: (_input, { runId = "" }) => {
          ends.push(work.start(runId, { ...build, id: `task-${ends.length + 1}` }));
          return "started";
        },
      },
    }),
    work,
  };
  return {
    toolkit,
    work,
    end: (index: number, completion?: Completion) => ends[index]?.(completion),
  };
}

function lastText(request: ModelRequest | undefined): unknown {
  return request?.messages.at(-1)?.content.at(0);
}

test("a run ends once its background work has, and the end starts a turn", async () => {
  const { toolkit, end } = working();
  const asked = model(calls, answers("Building."), answers("The build passed."));
  const agent = startRun({ toolkit, task: "build", model: asked });
  await expect.poll(() => toolkit.emitted.some(({ type }) => type === "run-wait")).toBe(true);
  const isOver = await Promise.race([agent.result.then(() => true), Promise.resolve(false)]);

  end(0, { message: "task-1 ended with exit code 0." });
  const result = await agent.result;

  expect(isOver).toBe(false);
  expect(result).toMatchObject({ status: "done", turns: 3, text: "The build passed." });
  expect(lastText(asked.requests[2])).toEqual({
    type: "text",
    text: "task-1 ended with exit code 0.",
  });
  expect(toolkit.emitted).toContainEqual(
    expect.objectContaining({ type: "run-wait", work: [build] }),
  );
  expect(toolkit.emitted).toContainEqual(
    expect.objectContaining({ type: "user-message", workId: "task-1" }),
  );
});

test("an end that the model knows of starts no turn, and one without a message neither", async () => {
  const { toolkit, end } = working();
  const agent = startRun({ toolkit, task: "build", model: model(calls, calls, answers("Done.")) });
  await expect.poll(() => toolkit.emitted.some(({ type }) => type === "run-wait")).toBe(true);

  end(0, { message: "ended", isKnown: () => true });
  end(1);

  expect(await agent.result).toMatchObject({ status: "done", turns: 3, text: "Done." });
});

test("an end while the model works reaches it with the next turn", async () => {
  const { toolkit, end } = working();
  const asked = model(
    calls,
    async function* second() {
      end(0, { message: "task-1 ended." });
      yield* says(...done);
    },
    answers("I see."),
  );

  const result = await startRun({ toolkit, task: "build", model: asked }).result;

  expect(result).toMatchObject({ status: "done", turns: 3, text: "I see." });
  expect(toolkit.emitted.some(({ type }) => type === "run-wait")).toBe(false);
});

test("a run that does not wait leaves its work behind", async () => {
  const { toolkit, work } = working();
  const asked = model(calls, answers("Building."));
  const agent = startRun({ toolkit, task: "build", model: asked, waitForBackground: false });

  expect(await agent.result).toMatchObject({ status: "done", turns: 2 });
  expect(work.active(agent.id)).toEqual([build]);
});

test("a run waits for its own work only", async () => {
  const { toolkit, work } = working();
  work.start("another run", build);

  const result = await startRun({ toolkit, task: "go", model: model(answers("Done.")) }).result;

  expect(result).toMatchObject({ status: "done", turns: 1 });
});

test("a message of the user continues a run that waits", async () => {
  const { toolkit, end } = working();
  const asked = model(calls, answers("Building."), answers("Hello."), answers("Built."));
  const agent = startRun({ toolkit, task: "build", model: asked });
  await expect.poll(() => toolkit.emitted.some(({ type }) => type === "run-wait")).toBe(true);

  expect(agent.send("hello")).toBe(true);
  await expect
    .poll(() => toolkit.emitted.filter(({ type }) => type === "run-wait"))
    .toHaveLength(2);
  end(0, { message: "task-1 ended." });

  expect(await agent.result).toMatchObject({ status: "done", turns: 4, text: "Built." });
});

test("a run that waits is ended by its deadline and by an abort", async () => {
  const clock = quickClock();
  const late = working();
  const waiting = (): boolean => late.toolkit.emitted.some(({ type }) => type === "run-wait");
  const asked = model(calls, answers("Building."));
  const limits = { deadlineMs: 1000 };
  const agent = startRun({ toolkit: late.toolkit, task: "build", model: asked, limits, clock });
  await expect.poll(waiting).toBe(true);
  clock.fire();

  expect(await agent.result).toMatchObject({
    status: "deadline",
    text: "Building.\n\nStopped: The run did not finish within 1000 ms.",
  });

  const stopped = working();
  const other = startRun({
    toolkit: stopped.toolkit,
    task: "build",
    model: model(calls, answers("Building.")),
  });
  await expect
    .poll(() => stopped.toolkit.emitted.some(({ type }) => type === "run-wait"))
    .toBe(true);
  other.abort();

  expect(await other.result).toMatchObject({ status: "aborted", turns: 2 });
});

test("the final answer by schema is the one after the background work", async () => {
  const { toolkit, end } = working();
  const asked = model(calls, answers('{"passed":false}'), answers('{"passed":true}'));
  const output = { type: "object", properties: { passed: { type: "boolean" } } };
  const agent = startRun({ toolkit, task: "build", model: asked, output });
  await expect.poll(() => toolkit.emitted.some(({ type }) => type === "run-wait")).toBe(true);
  end(0, { message: "task-1 ended." });

  expect(await agent.result).toMatchObject({ status: "done", output: { passed: true } });
});
