import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Model, ModelEvent, ModelRequest } from "../../src/agent/index.ts";
import { contentText, type Mode } from "../../src/core/index.ts";
import { simpleTool, testKit } from "../support/kit.ts";

/** Behavior of every agent of a tree. */
type Nature = "spawns" | "spawns in the background" | "fails" | "never ends" | "floods" | "writes";

const natures: readonly Nature[] = [
  "spawns",
  "spawns in the background",
  "fails",
  "never ends",
  "floods",
  "writes",
];

const definition = "---\ndescription: any\n---\nWork.\n";
const files = {
  ".haft/agents/any.md": definition.replace("any\n---", "any\ntools: Agent, Write, Echo\n---"),
  "a.txt": "one\n",
};

/** Answers with the task of the agent that calls it. */
const echo = simpleTool("Echo", (input) => ({
  content: String(Reflect.get(Object(input), "task")),
}));

/** Model of a tree: what an agent does depends on its task, which carries its number. */
function modelOf(plan: readonly Nature[], modes: readonly Mode[]) {
  let requests = 0;
  let largest = 0;
  let children = 0;
  const exchanged: string[] = [];
  const model: Model = {
    id: "fake:tree",
    info: { maxOutputTokens: 10 },
    async *stream(request) {
      requests += 1;
      yield* turnOf(request);
      // As a provider counts: about four characters a token.
      const { system, messages, tools } = request;
      const input = Math.ceil(JSON.stringify([system, messages, tools]).length / 4);
      largest = Math.max(largest, input + 10);
      yield { type: "usage", usage: { input, output: 10 } };
    },
  };
  function* turnOf({ messages }: ModelRequest): Generator<ModelEvent> {
    const first = messages.find(({ role }) => role === "user");
    const task = first?.role === "user" ? contentText(first.content) : "";
    const number = Number(/\d+/u.exec(task)?.[0] ?? 0);
    for (const message of messages) {
      if (message.role !== "tool") continue;
      for (const { name, content, isError } of message.content) {
        const text = contentText(content);
        if (name === "Echo" && !isError && text !== task) exchanged.push(`${task}: ${text}`);
      }
    }
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const nature = plan[number % plan.length] ?? "fails";
    const start = (index: number): ModelEvent => {
      children += 1;
      const background = nature === "spawns in the background";
      return call(index, "Agent", {
        prompt: `agent ${children}`,
        agent: "any",
        permission_mode: modes[children % modes.length],
        ...(background ? { mode: "background" } : {}),
      });
    };
    if (nature === "fails" && turn > 0) throw new Error("the provider is down");
    if (nature === "writes" && turn > 0) {
      yield { type: "text", text: "done" };
      yield { type: "finish", reason: "stop" };
      return;
    }
    if (nature === "writes") yield call(0, "Write", { file_path: `x${number}`, content: task });
    else if (nature.startsWith("spawns")) for (let n = 0; n < 2; n += 1) yield start(n);
    else if (nature === "floods") {
      for (let n = 0; n < 10; n += 1) yield call(n, "Echo", { task, n, turn });
    } else yield call(0, "Echo", { task, turn });
    yield { type: "finish", reason: "tool-calls" };
  }
  return { model, exchanged, requests: () => requests, largest: () => largest };
}

function call(index: number, name: string, input: object): ModelEvent {
  // The same ids in every conversation.
  return { type: "tool-call", id: `call_${index}`, name, input: JSON.stringify(input) };
}

const aTree = fc.record({
  plan: fc.array(fc.constantFrom(...natures), { minLength: 1, maxLength: 5 }),
  modes: fc.array(fc.constantFrom<Mode>("default", "acceptEdits", "bypassPermissions", "plan"), {
    minLength: 1,
    maxLength: 3,
  }),
  rootMode: fc.constantFrom<Mode>("default", "acceptEdits"),
  maxTurns: fc.integer({ min: 3, max: 30 }),
  maxCalls: fc.integer({ min: 2, max: 40 }),
  maxTokens: fc.integer({ min: 5000, max: 200_000 }),
  maxAgents: fc.integer({ min: 1, max: 12 }),
});

test("no tree of agents uses more than its budget and one request, or does what its root may not", async () => {
  let started = 0;
  await fc.assert(
    fc.asyncProperty(aTree, async ({ plan, modes, rootMode, ...limits }) => {
      const { model, exchanged, requests, largest } = modelOf(plan, modes);
      const { kit, host } = await testKit(
        { model, mode: rootMode, settings: "load", trust: true, tools: { extra: [echo] } },
        { files },
      );
      const used = { turns: 0, calls: 0, tokens: 0, agents: 0 };
      kit.events.subscribe((event) => {
        if (event.type === "turn-start") used.turns += 1;
        if (event.type === "turn-end") used.tokens += event.usage.input + event.usage.output;
        if (event.type === "call-end") used.calls += 1;
        if (event.type === "run-start" && (event.depth ?? 0) > 0) used.agents += 1;
      });

      await kit.run({ task: "agent 0", limits, retry: { attempts: 1 } }).result;
      for (const { agentId } of await kit.agents.list()) await kit.agents.wait(agentId, 10_000);
      const agents = await kit.agents.list();
      const texts = host.control.texts();
      const isWritten = Object.keys(texts).some((name) => /\/x\d+$/u.test(name));
      await kit.dispose();
      started += agents.filter(({ status }) => status !== "refused").length;

      expect(exchanged).toEqual([]);
      expect(used.turns).toBeLessThanOrEqual(limits.maxTurns);
      expect(used.calls).toBeLessThanOrEqual(limits.maxCalls);
      expect(used.tokens).toBeLessThanOrEqual(limits.maxTokens + largest());
      expect(requests()).toBeLessThanOrEqual(limits.maxTurns);
      expect(
        used.agents - agents.filter(({ error }) => isOutOfAgents(error)).length,
      ).toBeLessThanOrEqual(limits.maxAgents);
      expect(agents.every(({ depth, status }) => depth <= 3 || status === "refused")).toBe(true);
      expect(agents.some(({ status }) => status === "running")).toBe(false);
      expect(isWritten && rootMode === "default").toBe(false);
    }),
    // HAFT_TREES=1000 draws more of them.
    { numRuns: Number(process.env["HAFT_TREES"] ?? 30) },
  );
  // Trees were drawn, not only single agents.
  expect(started).toBeGreaterThan(20);
}, 280_000);

function isOutOfAgents(
  error: { readonly data?: Readonly<Record<string, unknown>> } | undefined,
): boolean {
  return error?.data?.["limit"] === "maxAgents";
}
