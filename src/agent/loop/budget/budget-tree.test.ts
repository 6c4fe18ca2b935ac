import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { done, model, quickClock, says } from "../../../../test/fakes/fake-run.ts";
import { ToolError } from "../../../core/index.ts";
import type { Model } from "../../models/model.ts";
import { startHeardRun, startRun } from "../run.ts";
import {
  createBudget,
  type BudgetLimits,
  type BudgetReservation,
  type RunBudget,
} from "./budget.ts";
import { runs } from "../../../../test/support/law-runs.ts";

const priced: Model = {
  id: "fake:priced",
  info: { maxOutputTokens: 200, usdPerMTok: { input: 1000, output: 5000 } },
  stream: () => says(...done),
};

const limit = (max: number): fc.Arbitrary<number | undefined> =>
  fc.option(fc.integer({ min: 1, max }), { nil: undefined });
const someLimits: fc.Arbitrary<BudgetLimits> = fc
  .record({
    maxTurns: limit(8),
    maxCalls: limit(8),
    maxTokens: limit(2000),
    maxCost: limit(5),
    maxAgents: limit(4),
  })
  .map((limits) =>
    Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)),
  );

/** A budget below an earlier one; the first has no parent. */
const someTree = fc.array(fc.record({ limits: someLimits, above: fc.nat() }), {
  minLength: 1,
  maxLength: 6,
});

const someAct = fc.oneof(
  fc.record({ kind: fc.constant("turn" as const) }),
  fc.record({ kind: fc.constant("agent" as const) }),
  fc.record({ kind: fc.constant("calls" as const), count: fc.nat(5) }),
  fc.record({
    kind: fc.constant("request" as const),
    inputTokens: fc.integer({ min: 1, max: 400 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    /** Whether its usage is known at once, or after all other acts. */
    isQuick: fc.boolean(),
  }),
);
const someActs = fc.array(fc.record({ at: fc.nat(), act: someAct }), { maxLength: 60 });

interface Node {
  readonly budget: RunBudget;
  readonly above: number | undefined;
  /** Taken at this budget itself, not below it. */
  readonly own: { turns: number; calls: number; tokens: number; agents: number };
}

/** Runs something that the budget may refuse; returns undefined then. */
function unlessRefused<T>(take: () => T): T | undefined {
  try {
    return take();
  } catch (error) {
    if (ToolError.is(error) && error.code === "LIMIT_REACHED") return undefined;
    throw error;
  }
}

test("no budget of a tree is ever exceeded, and each counts what is used below it", () => {
  fc.assert(
    fc.property(someTree, someActs, (tree, acts) => {
      const nodes: Node[] = [];
      for (const { limits, above } of tree) {
        const index = nodes.length === 0 ? undefined : above % nodes.length;
        const parent = index === undefined ? undefined : nodes[index]?.budget;
        nodes.push({
          budget: createBudget(limits, parent),
          above: index,
          own: { turns: 0, calls: 0, tokens: 0, agents: 0 },
        });
      }
      const open: (() => void)[] = [];
      const granted: { wanted: number; taken: number }[] = [];
      for (const { at, act } of acts) {
        const node = nodes[at % nodes.length];
        if (node === undefined) continue;
        const { budget, own } = node;
        switch (act.kind) {
          case "turn":
            unlessRefused(() => {
              budget.takeTurn();
              own.turns += 1;
            });
            break;
          case "agent":
            unlessRefused(() => {
              budget.takeAgent();
              own.agents += 1;
            });
            break;
          case "calls": {
            const taken = budget.takeCalls(act.count);
            granted.push({ wanted: act.count, taken });
            own.calls += taken;
            break;
          }
          case "request": {
            const { inputTokens } = act;
            const reserved: BudgetReservation | undefined = unlessRefused(() =>
              budget.reserve({ model: priced, inputTokens, maxOutputTokens: 200 }),
            );
            if (reserved === undefined) break;
            const { maxOutputTokens = 0 } = reserved;
            const output = Math.floor(maxOutputTokens * act.share);
            const settle = (): void => {
              reserved.settle({ input: inputTokens, output });
              own.tokens += inputTokens + output;
            };
            if (act.isQuick) settle();
            else open.push(settle);
          }
        }
        for (const each of nodes) expectWithin(each);
      }
      for (const settle of open) settle();
      expect(granted.filter(({ wanted, taken }) => taken > wanted || taken < 0)).toEqual([]);
      for (const each of nodes) expectWithin(each);
      for (const [index, { budget }] of nodes.entries()) {
        const { turns, calls, tokens, agents } = budget.used;
        expect({ turns, calls, tokens, agents }).toEqual(sumBelow(nodes, index));
      }
    }),
    { numRuns: runs(300) },
  );
});

function expectWithin({ budget: { limits, used } }: Node): void {
  expect(used.turns).toBeLessThanOrEqual(limits.maxTurns ?? Infinity);
  expect(used.calls).toBeLessThanOrEqual(limits.maxCalls ?? Infinity);
  expect(used.tokens).toBeLessThanOrEqual(limits.maxTokens ?? Infinity);
  expect(used.agents).toBeLessThanOrEqual(limits.maxAgents ?? Infinity);
  expect(used.costUsd).toBeLessThanOrEqual((limits.maxCost ?? Infinity) + 1e-9);
}

function sumBelow(nodes: readonly Node[], root: number): Node["own"] {
  const sum = { turns: 0, calls: 0, tokens: 0, agents: 0 };
  for (const [index, { own }] of nodes.entries()) {
    let at: number | undefined = index;
    while (at !== undefined && at !== root) at = nodes[at]?.above;
    if (at === undefined) continue;
    sum.turns += own.turns;
    sum.calls += own.calls;
    sum.tokens += own.tokens;
    sum.agents += own.agents;
  }
  return sum;
}

test("a run that an agent starts has the time that the agent has left", async () => {
  let now = 0;
  const toolkit = { ...fakeToolkit(), now: () => now };
  const clock = quickClock();
  const waits: number[] = [];
  const timed = {
    ...clock,
    timer: (ms: number, fire: () => void) => {
      waits.push(ms);
      return clock.timer(ms, fire);
    },
  };
  const limits = { deadlineMs: 10_000 };
  const parent = startHeardRun({ toolkit, task: "go", model: model(() => says(...done)), limits });
  now = 4000;

  const left = parent.budget.leftMs;
  const below = { toolkit, task: "part", budget: parent.budget, depth: 1, clock: timed };
  await startRun({ ...below, model: model(() => says(...done)) }).result;
  const own = { deadlineMs: 500 };
  await startRun({ ...below, limits: own, model: model(() => says(...done)) }).result;
  now = 11_000;
  const late = startRun({
    ...below,
    model: model(async function* never() {
      clock.fire();
      yield* says(...done);
    }),
  });

  expect(left).toBe(6000);
  expect(waits.filter((ms) => ms !== 300_000)).toEqual([6000, 500]);
  expect(await late.result).toMatchObject({ status: "deadline" });
  await parent.result;
});

test("a run that an agent starts shares its turns, calls, tokens and agents", async () => {
  const toolkit = fakeToolkit();
  const limits = { maxTurns: 3, maxAgents: 2 };
  const parent = startHeardRun({ toolkit, task: "go", model: model(() => says(...done)), limits });
  await parent.result;
  const part = async () =>
    await startRun({
      toolkit,
      task: "part",
      model: model(() => says(...done)),
      budget: parent.budget,
      depth: 1,
    }).result;

  const results = [await part(), await part(), await part()];

  expect(results.map(({ status }) => status)).toEqual(["done", "done", "max-agents"]);
  expect(parent.budget.used).toMatchObject({ turns: 3, agents: 2 });
});
