import { expect, test } from "vitest";
import { simpleTool, testKit } from "../../../test/support/kit.ts";
import type { HaftEvent, OnAsk } from "../../core/index.ts";
import { scriptedModel } from "../models/script/scripted-model.ts";
import { stepsFrom, type Step } from "./steps-from.ts";

const push = simpleTool(
  "Push",
  (_input, context) => {
    context.metadata({ title: "Pushing 3 commits" });
    context.progress({ message: "half" });
    return { content: "pushed", summary: "3 commits" };
  },
  {
    touches: ["unknown"],
    effects: () => [{ kind: "unknown", because: "it pushes", origin: "Push" }],
  },
);

async function ran(
  onAsk: OnAsk,
  calls: readonly { readonly name: string; readonly input: unknown }[],
) {
  const events: HaftEvent[] = [];
  const { kit } = await testKit(
    { tools: { extra: [push] }, onAsk, onEvent: (event) => events.push(event) },
    { files: { "a.txt": "one" } },
  );
  const model = scriptedModel({
    format: 1,
    name: "steps",
    turns: [
      { reasoning: "I look first.", calls: [{ name: "Read", input: { file_path: "a.txt" } }] },
      { calls },
      { text: "done" },
    ],
  });
  const run = kit.run({ task: "go", model });
  const seen: Step[] = [];
  for await (const step of stepsFrom(run.events)) seen.push(step);
  await run.result;
  await kit.dispose();
  return { events, seen };
}

test("a run is read as steps, from its stream and from its list of events", async () => {
  const { events, seen } = await ran(
    async () => ({ kind: "once" }),
    [{ name: "Push", input: { description: "send it" } }],
  );

  const steps = stepsFrom(events);
  const ofPush = seen.filter(({ toolCall }) => toolCall.name === "Push");

  expect(ofPush.map(({ status, title }) => [status, title])).toEqual([
    ["pending", "Push"],
    ["pending", "Push"],
    ["awaiting-confirmation", "Push"],
    ["running", "Push"],
    ["running", "Pushing 3 commits"],
    ["running", "Pushing 3 commits"],
    ["completed", "Pushing 3 commits"],
  ]);
  expect(steps).toMatchObject([
    {
      type: "read",
      status: "completed",
      turnIndex: 0,
      thinking: "I look first.",
      toolCall: { name: "Read", arguments: { file_path: "a.txt" } },
    },
    {
      type: "tool_call",
      status: "completed",
      description: "half",
      turnIndex: 1,
      result: "pushed",
      summary: "3 commits",
    },
  ]);
  expect(steps[1]).not.toHaveProperty("thinking");
  expect(steps.map(({ id }) => id)).toEqual(steps.map(({ toolCallId }) => toolCallId));
  expect(seen.at(-1)).toEqual(steps.at(-1));
});

test("a command that is asked about is a step of its own type, and a refusal fails", async () => {
  const { events } = await ran(
    async () => ({ kind: "deny", reason: "no" }),
    [
      { name: "Bash", input: { command: "npm publish", description: "Publish" } },
      { name: "Write", input: { file_path: "b.txt", content: "x" } },
      { name: "Nothing", input: {} },
    ],
  );

  const steps = new Map(stepsFrom(events).map((step) => [step.toolCall.name, step]));

  expect(steps.get("Bash")).toMatchObject({
    type: "bash-confirm",
    status: "failed",
    description: "Publish",
    error: "The user said no: no",
  });
  expect(steps.get("Write")).toMatchObject({ type: "write", status: "failed" });
  expect(steps.get("Nothing")).toMatchObject({
    type: "tool_call",
    status: "failed",
    title: "Nothing",
  });
});

test("a call may name its message", async () => {
  const events: HaftEvent[] = [];
  const { kit } = await testKit({ onEvent: (event) => events.push(event) });

  await kit.call({ name: "Glob", input: { pattern: "*" }, messageId: "message-7" });

  expect(stepsFrom(events)).toMatchObject([{ type: "glob", messageId: "message-7", turnIndex: 0 }]);
  await kit.dispose();
});
