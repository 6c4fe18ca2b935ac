import { expect, test } from "vitest";
import { gate, simpleTool, testKit } from "../../../test/support/kit.ts";
import { done, model, says } from "../../../test/fakes/fake-run.ts";
import type { Model, ModelEvent } from "../models/model.ts";
import type { Kit } from "../../kit/index.ts";
import type { Steps } from "../../session/index.ts";
import { startRun } from "./run.ts";
import type { RunResult } from "./run-result.ts";

interface GivenCall {
  readonly id: string;
  readonly name: string;
  readonly input?: string;
}

/** A model that makes these calls in one answer and then ends. */
function calling(...calls: readonly GivenCall[]): Model {
  const events = calls.map((call): ModelEvent => ({ type: "tool-call", input: "{}", ...call }));
  return model(
    () => says(...events, { type: "finish", reason: "tool-calls" }),
    () => says(...done),
  );
}

function resultTexts({ messages }: RunResult): readonly unknown[] {
  return messages.flatMap((message) =>
    message.role === "tool"
      ? message.content.map(({ name, content }) => [
          name,
          content[0]?.type === "text" && content[0].text,
        ])
      : [],
  );
}

function callWork(n: number): () => AsyncIterable<ModelEvent> {
  return () =>
    says(
      { type: "tool-call", id: "call_0", name: "Work", input: `{"n":${n}}` },
      { type: "finish", reason: "tool-calls" },
    );
}

function killed(): never {
  throw new Error("killed here");
}

/** A kit with a tool that runs a child on these calls in the session of its parent. */
async function kitWithChild(child: Model, other = gate()): Promise<Kit> {
  const small = simpleTool("Small", () => ({ content: "small" }));
  const slow = simpleTool("Slow", async () => {
    await other.passed;
    return { content: "slow" };
  });
  const agent = simpleTool("Helper", async (_input, { sessionId = "" }) => {
    const toolkit = kit.derive({ tools: ["Small", "Slow"] });
    const { text } = await startRun({
      toolkit,
      model: child,
      task: "child task",
      sessionId,
      agentId: "child",
      depth: 1,
    }).result;
    await toolkit.dispose();
    other.open();
    return { content: `child: ${text}` };
  });
  const { kit } = await testKit({ tools: { extra: [small, slow, agent] } });
  return kit;
}

test("a child's call never settles the call of its parent that has the same id at the provider", async () => {
  const kit = await kitWithChild(calling({ id: "call_0", name: "Small" }));

  const parent = calling({ id: "call_0", name: "Helper" });
  const result = await kit.run({ task: "go", model: parent }).result;

  expect(resultTexts(result)).toEqual([["Helper", "child: done"]]);
  await kit.dispose();
});

test("ids that count per conversation do not mix the calls of a parent and its child", async () => {
  const kit = await kitWithChild(
    calling({ id: "functions.Small:0", name: "Small" }, { id: "functions.Slow:1", name: "Small" }),
  );

  const parent = calling(
    { id: "functions.Agent:0", name: "Helper" },
    { id: "functions.Slow:1", name: "Slow" },
  );
  const result = await kit.run({ task: "go", model: parent }).result;

  expect(resultTexts(result)).toEqual([
    ["Helper", "child: done"],
    ["Slow", "slow"],
  ]);
  await kit.dispose();
});

test("a resumed run never gives a recorded result to a new call", async () => {
  const recorded = new Map<string, string>();
  const steps: Steps = {
    run: async (key, work) => {
      if (!recorded.has(key)) recorded.set(key, JSON.stringify(await work()));
      return JSON.parse(recorded.get(key) ?? "");
    },
    runAll: async (keys, work) => {
      const missing = keys.filter((key) => !recorded.has(key));
      await work(missing, (key, result) => recorded.set(key, JSON.stringify(result)));
      return keys.map((key) => JSON.parse(recorded.get(key) ?? ""));
    },
  };
  const ran: string[] = [];
  const work = simpleTool("Work", (input) => {
    ran.push(JSON.stringify(input));
    return { content: JSON.stringify(input) };
  });
  const run = async (asked: Model): Promise<RunResult> => {
    const { kit } = await testKit({ tools: { extra: [work] } });
    const options = { task: "x", runId: "r", sessionId: "s", steps };
    const result = await startRun({ toolkit: kit, model: asked, ...options }).result;
    await kit.dispose();
    return result;
  };
  await run(model(callWork(1), killed));

  const resumed = await run(model(callWork(2), () => says(...done)));

  expect(resumed.status).toBe("done");
  expect(ran).toEqual(['{"n":1}', '{"n":2}']);
  expect(resultTexts(resumed)).toEqual([
    ["Work", '{"n":1}'],
    ["Work", '{"n":2}'],
  ]);
});

test("events of a call carry the run, its agent and its depth", async () => {
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Small", () => ({ content: "" }))] },
  });
  const identity = { runId: "r", agentId: "a", parentAgentId: "p", depth: 3 };

  const seen: unknown[] = [];
  kit.events.subscribe((event) => seen.push(event));
  await kit.run({ task: "go", model: calling({ id: "1", name: "Small" }), ...identity }).result;

  const types = ["call-start", "call-decided", "call-end"];
  for (const type of types) {
    expect(seen).toContainEqual(expect.objectContaining({ type, ...identity }));
  }
  await kit.dispose();
});
