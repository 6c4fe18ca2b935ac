import { expect, test } from "vitest";
import {
  again,
  done,
  echo,
  fails,
  model,
  play,
  quickClock,
  run,
  says,
} from "../../../../test/fakes/fake-run.ts";
import { fakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { ToolError } from "../../../core/index.ts";
import type { Model, ModelEvent } from "../../models/model.ts";
import { startRun } from "../run.ts";
import { createBudget } from "./budget.ts";
import { costOf } from "./token-usage.ts";

const usdPerMTok = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const usage: ModelEvent = {
  type: "usage",
  usage: { input: 1000, output: 100, cacheRead: 600, cacheWrite: 200, reasoning: 50 },
};
const callEcho = (): AsyncIterable<ModelEvent> =>
  says({ type: "tool-call", id: "a", name: "Echo", input: "{}" }, usage, {
    type: "finish",
    reason: "tool-calls",
  });
const priced = (
  ...answers: readonly (() => AsyncIterable<ModelEvent>)[]
): ReturnType<typeof model> => ({
  ...model(...answers),
  info: { usdPerMTok, maxOutputTokens: 1000 },
});

test("usage adds up with cache and reasoning, and the cost follows from the prices", async () => {
  const result = await run({ model: priced(callEcho, () => says(usage, ...done)) });

  expect(result.usage).toEqual({
    input: 2000,
    output: 200,
    cacheRead: 1200,
    cacheWrite: 400,
    reasoning: 100,
  });
  // Per request: 200 fresh, 600 read, 200 written and 100 answered tokens.
  expect(result.costUsd).toBeCloseTo((2 * (200 * 3 + 600 * 0.3 + 200 * 3.75 + 100 * 15)) / 1e6, 12);
});

test("without prices of the cache, its tokens cost as much as others", () => {
  const all = { input: 1_000_000, output: 0, cacheRead: 400_000, cacheWrite: 100_000 };

  expect(costOf(all, { input: 2, output: 9 })).toBeCloseTo(2, 12);
});

test("the cost is missing where a model has no prices", async () => {
  const result = await run({ model: model(() => says(usage, ...done)) });

  expect(result.usage.input).toBe(1000);
  expect("costUsd" in result).toBe(false);
});

test("usage of an attempt that broke counts", async () => {
  const result = await run({
    clock: { sleep: async () => undefined, timer: () => () => undefined },
    model: priced(
      () => says({ type: "text", text: "so" }, usage),
      () => says(usage, ...done),
    ),
  });

  expect(result).toMatchObject({ status: "done", usage: { input: 2000, output: 200 } });
});

test("an answer whose provider reports no usage counts as estimated", async () => {
  const budget = createBudget({ maxTokens: 100_000 });
  const text = "word ".repeat(7000);

  await run({
    budget,
    model: model(() => says({ type: "text", text }, { type: "finish", reason: "stop" })),
  });

  expect(budget.used.tokens).toBeGreaterThan(10_000);
  expect(budget.used.tokens).toBeLessThan(10_200);
});

test("what arrived of an answer that broke counts as estimated", async () => {
  const budget = createBudget({ maxTokens: 100_000 });
  const text = "word ".repeat(7000);

  await run({
    budget,
    clock: quickClock(),
    model: model(
      () => says({ type: "text", text }),
      () => says(usage, ...done),
    ),
  });

  expect(budget.used.tokens).toBeGreaterThan(11_000);
  expect(budget.used.tokens).toBeLessThan(11_300);
});

test("a request that the provider refused uses nothing of the budget", async () => {
  const busy = new ToolError("MODEL_FAILED", "Busy.", { data: { status: 529 } });
  const budget = createBudget({ maxTokens: 3000 });
  const task = "word ".repeat(1000);

  const result = await run({
    budget,
    task,
    clock: quickClock(),
    model: model(
      () => fails(busy),
      () => fails(busy),
      () => fails(busy),
      () => says(usage, ...done),
    ),
  });

  expect(result.status).toBe("done");
  expect(budget.used.tokens).toBe(1100);
});

test("maxCost with a model without prices is refused before the first request", () => {
  const unpriced = model();
  const start = (): unknown =>
    startRun({ toolkit: fakeToolkit(), task: "go", model: unpriced, limits: { maxCost: 1 } });

  expect(start).toThrow(
    "limits.maxCost needs the prices of fake:model, which are not known. Set info.usdPerMTok of the model, or remove maxCost.",
  );
  expect(unpriced.requests).toEqual([]);
});

test("maxCost with prices that are not amounts is refused, because no request would ever exceed it", () => {
  const info = { usdPerMTok: { input: Number.NaN, output: 1 } };
  const start = (): unknown =>
    startRun({
      toolkit: fakeToolkit(),
      task: "go",
      model: { ...model(), info },
      limits: { maxCost: 1 },
    });

  expect(start).toThrow("limits.maxCost needs the prices of fake:model, which are not known.");
});

test("a model without prices that prepareTurn chooses is refused before its request", async () => {
  const unpriced = { ...model(), id: "free:model" };
  const result = await run({
    model: priced(() => says(...done)),
    limits: { maxCost: 1 },
    prepareTurn: () => ({ model: unpriced }),
  });

  expect(result).toMatchObject({
    status: "failed",
    error: { code: "INVALID_INPUT", hint: expect.stringContaining("info.usdPerMTok") },
  });
  expect(unpriced.requests).toEqual([]);
});

test("a request that may exceed maxTokens is not sent", async () => {
  const asked = priced(callEcho, () => says(...done));
  const result = await run({ model: asked, limits: { maxTokens: 2100 } });

  expect(result).toMatchObject({
    status: "max-tokens",
    turns: 2,
    calls: 1,
    usage: { input: 1000, output: 100 },
    error: {
      code: "LIMIT_REACHED",
      message: expect.stringMatching(
        /^The next request needs about \d+ tokens .* of 2100 are left/u,
      ),
      hint: "Continue from the conversation, or raise limits.maxTokens.",
    },
  });
  expect(asked.requests).toHaveLength(1);
  expect(result.messages.at(-1)?.role).toBe("tool");
});

test("an answer may not be longer than what the budget has left", async () => {
  const asked = priced(() => says(...done));
  await run({ model: asked, limits: { maxTokens: 1000 } });

  const sent = asked.requests[0]?.maxOutputTokens ?? 0;
  expect(sent).toBeGreaterThan(16);
  expect(sent).toBeLessThan(1000);
});

test("a request that may exceed maxCost is not sent", async () => {
  const asked = priced(callEcho, () => says(...done));
  const result = await run({ model: asked, limits: { maxCost: 0.0045 } });

  expect(result).toMatchObject({
    status: "max-cost",
    error: {
      code: "LIMIT_REACHED",
      hint: "Continue from the conversation, or raise limits.maxCost.",
    },
  });
  expect(asked.requests).toHaveLength(1);
  expect(result.costUsd).toBeLessThan(0.0045);
});

function forever(): Model {
  return play(
    ...Array.from({ length: 9 }, (_, n) => ({ calls: [{ name: "Echo", input: { n } }] })),
  );
}

test("one budget covers a run and the runs that share it", async () => {
  const budget = createBudget({ maxTurns: 3, maxCalls: 2, maxAgents: 1 });
  const parent = await run({ budget, model: play(again, { text: "ok" }) });
  const child = await run({ budget, depth: 1, agentId: "a", model: forever() });
  const second = await run({ budget, depth: 1, agentId: "b", model: forever() });

  expect(parent.status).toBe("done");
  expect(child).toMatchObject({ status: "max-turns", turns: 1, calls: 1 });
  expect(second).toMatchObject({
    status: "max-agents",
    error: { message: "The budget of 1 agent is used up." },
  });
  expect(budget.used).toMatchObject({ turns: 3, calls: 2, agents: 1 });
});

test("calls beyond a shared budget are not run, and the model's results say so", async () => {
  const toolkit = fakeToolkit({ Echo: echo });
  const budget = createBudget({ maxCalls: 1 });

  const result = await run({
    toolkit,
    budget,
    model: play({ calls: [{ name: "Echo" }, { name: "Echo" }] }, { text: "never" }),
  });

  expect(result).toMatchObject({
    status: "max-calls",
    calls: 1,
    error: { message: "The budget of calls is used up." },
  });
});

test.each([
  [{ maxTurn: 1 }, 'createBudget has no option "maxTurn". Did you mean "maxTurns"?'],
  [{ maxCost: -1 }, "createBudget: maxCost must be an amount of US dollars above 0, not -1."],
  [{ maxTokens: "9" }, 'createBudget: maxTokens must be a whole number above 0, not "9".'],
  [{ deadlineMs: 9 }, 'createBudget has no option "deadlineMs".'],
])("a budget of %j is refused", (limits, message) => {
  // @ts-expect-error A program in JavaScript may pass anything.
  expect(() => createBudget(limits)).toThrow(message);
});

test("reservations of requests in progress count, so that two together cannot exceed the budget", () => {
  const budget = createBudget({ maxTokens: 1000 });
  const limited = { ...model(), info: { maxOutputTokens: 300 } };
  const request = { model: limited, inputTokens: 300, maxOutputTokens: 300 };

  const first = budget.reserve(request);

  expect(first.maxOutputTokens).toBe(300);
  expect(budget.reserve({ ...request, inputTokens: 200 }).maxOutputTokens).toBe(200);
  expect(() => budget.reserve(request)).toThrow(
    "The next request needs about 300 tokens and an answer, and 0 of 1000 are left.",
  );
  first.settle({ input: 10, output: 10 });
  expect(budget.reserve(request).maxOutputTokens).toBe(280);
});

test("a recorded answer counts without a request", async () => {
  const answers = new Map<string, unknown>();
  const steps = {
    run: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      if (!answers.has(key)) answers.set(key, await work());
      return answers.get(key) as T;
    },
    runAll: async () => [],
  };
  const first = await run({ steps, model: priced(() => says(usage, ...done)) });
  const asked = priced();

  const replayed = await run({ steps, model: asked });

  expect(asked.requests).toEqual([]);
  expect(replayed).toEqual(first);
});
