import { expect, test } from "vitest";
import { ToolError } from "../../core/index.ts";
import { ephemeralSteps, type Message, type RunLog } from "../../session/index.ts";
import { again, done, echo, model, play, run, says } from "../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../test/fakes/fake-toolkit.ts";
import { startRun, type RunOptions } from "./run.ts";
import type { RunResult } from "./run-result.ts";

interface TestLog extends RunLog {
  readonly messages: Message[];
}

/** A log in memory whose `failAt`-th write fails. */
function testLog(failAt = Number.POSITIVE_INFINITY, error: unknown = noSpace()): TestLog {
  const messages: Message[] = [];
  let writes = 0;
  return {
    messages,
    steps: ephemeralSteps,
    append: async (added) => {
      writes += 1;
      if (writes >= failAt) throw error;
      messages.push(...added);
    },
    replace: async (next) => void messages.splice(0, messages.length, ...next),
  };
}

function noSpace(): Error {
  return Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
}

async function goOn(options: Omit<RunOptions, "toolkit">): Promise<RunResult> {
  return await startRun({ toolkit: fakeToolkit({ Echo: echo }), ...options }).result;
}

const roles = (messages: readonly Message[]): readonly string[] => messages.map(({ role }) => role);

test("every message is stored before the next request, and the log is the conversation", async () => {
  const log = testLog();
  const stored: string[][] = [];
  const asked = model(
    () => {
      stored.push([...roles(log.messages)]);
      return says(
        { type: "tool-call", id: "a", name: "Echo", input: "{}" },
        { type: "finish", reason: "tool-calls" },
      );
    },
    () => {
      stored.push([...roles(log.messages)]);
      return says(...done);
    },
  );

  const result = await run({ log, model: asked });

  expect(stored).toEqual([["user"], ["user", "assistant", "tool"]]);
  expect(log.messages).toEqual(result.messages);
});

test.each([
  { failAt: 1, step: "the task", requests: 0, calls: 0 },
  { failAt: 2, step: "an answer with a call", requests: 1, calls: 0 },
  { failAt: 3, step: "the results", requests: 1, calls: 1 },
])(
  "a full disk while $step is stored ends the run at once",
  async ({ failAt, requests, calls }) => {
    const toolkit = fakeToolkit({ Echo: echo });
    const asked = model(
      () =>
        says(
          { type: "tool-call", id: "a", name: "Echo", input: "{}" },
          { type: "finish", reason: "tool-calls" },
        ),
      () => says(...done),
    );

    const result = await run({ toolkit, log: testLog(failAt), model: asked });

    expect(result).toMatchObject({
      status: "failed",
      calls,
      error: {
        code: "NO_SPACE",
        message: "The run could not be stored and was stopped: no space left on device",
        hint: "Check the disk of the data directory, then continue the session.",
      },
    });
    expect(asked.requests).toHaveLength(requests);
    expect(toolkit.batches).toHaveLength(calls);
  },
);

test.each([
  { error: new Error("locked"), code: "UNAVAILABLE" },
  { error: new ToolError("ACCESS_DENIED", "No."), code: "ACCESS_DENIED" },
])("a log that fails for another reason ends the run with $code", async ({ error, code }) => {
  const result = await run({ log: testLog(1, error), model: play({ text: "x" }) });

  expect(result).toMatchObject({ status: "failed", error: { code } });
});

test("a result that cannot be recorded aborts the calls that still run", async () => {
  const toolkit = fakeToolkit({
    Quick: { run: () => "quick" },
    Endless: { run: async () => await new Promise<string>(() => undefined) },
  });

  const result = await run({
    toolkit,
    model: play({ calls: [{ name: "Quick" }, { name: "Endless" }] }, { text: "never" }),
    steps: {
      run: async (_key, work) => await work(),
      runAll: async (keys, work) => {
        await work(keys, () => {
          throw noSpace();
        });
        return [];
      },
    },
  });

  expect(result).toMatchObject({ status: "failed", turns: 1, error: { code: "NO_SPACE" } });
});

test("a conversation continues without a task, and results that it lacked are stored", async () => {
  const log = testLog();
  const asked = model(() => says(...done));
  const messages: readonly Message[] = [
    { role: "user", content: [{ type: "text", text: "before" }] },
    { role: "assistant", content: [{ type: "tool-call", id: "a", name: "Echo", input: "{}" }] },
  ];

  const result = await goOn({ log, messages, model: asked });

  expect(result.status).toBe("done");
  expect(roles(asked.requests[0]?.messages ?? [])).toEqual(["user", "assistant", "tool"]);
  expect([...messages, ...log.messages]).toEqual(result.messages);
});

test("a conversation that the model had ended continues with a request to continue", async () => {
  const asked = model(() => says(...done));
  const messages: readonly Message[] = [
    { role: "user", content: [{ type: "text", text: "go" }] },
    { role: "assistant", content: [{ type: "text", text: "half" }] },
  ];

  await goOn({ messages, model: asked });

  expect(asked.requests[0]?.messages.at(-1)).toEqual({
    role: "user",
    content: [{ type: "text", text: "Continue with the task." }],
  });
});

test.each(["stop", "other", "tool-calls"] as const)(
  "an empty answer that finished with %s gets one request to continue, then the run fails",
  async (reason) => {
    const empty = () => says({ type: "finish", reason });
    const once = model(empty, () => says(...done));
    const twice = model(empty, empty, () => says(...done));

    const nudged = await run({ model: once });
    const failed = await run({ model: twice });

    expect(nudged).toMatchObject({ status: "done", text: "done", turns: 2 });
    expect(once.requests[1]?.messages.at(-1)).toMatchObject({
      role: "user",
      content: [{ text: expect.stringContaining("Your answer was empty.") }],
    });
    expect(failed).toMatchObject({
      status: "failed",
      error: { code: "MODEL_FAILED", message: "fake:model gave an empty answer twice." },
    });
  },
);

test("reasoning alone is an empty answer", async () => {
  const result = await run({
    model: play({ reasoning: "hm", text: "" }, { reasoning: "hm", text: "" }),
  });

  expect(result).toMatchObject({ status: "failed", turns: 2 });
});

test("equal calls of one answer count once", async () => {
  const five = { ...again, calls: Array.from({ length: 5 }, () => ({ name: "Echo" })) };

  const once = await run({ model: play(five, { text: "ok" }) });
  const often = await run({ model: play(five, five, five, five, five, five) });

  expect(once.status).toBe("done");
  expect(often).toMatchObject({ status: "looping", turns: 5 });
});
