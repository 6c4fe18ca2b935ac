import {
  checkedArgument,
  checkedOptions,
  ToolError,
  type TokenUsage,
} from "../../../core/index.ts";
import { aBudget, budgetForms, priceHint, priceProblem } from "../../../text/index.ts";
import type { Model } from "../../models/model.ts";
import { costOf } from "./token-usage.ts";

/** Limits of a budget. What is left out is unlimited. */
export interface BudgetLimits {
  /** Maximum number of turns. */
  readonly maxTurns?: number;
  /** Maximum number of calls. */
  readonly maxCalls?: number;
  /** Maximum tokens in and out. */
  readonly maxTokens?: number;
  /** Maximum cost in US dollars; may be a fraction. */
  readonly maxCost?: number;
  /** Maximum number of agents that agents start. */
  readonly maxAgents?: number;
}

/** Use of a budget. */
export interface BudgetUse {
  /** Turns of all agents. */
  readonly turns: number;
  /** Calls of all agents. */
  readonly calls: number;
  /** Tokens of all requests, in both directions. */
  readonly tokens: number;
  /** Cost in US dollars, where prices are known. */
  readonly costUsd: number;
  /** Agents that were started. */
  readonly agents: number;
}

/** A request that needs budget. */
export interface BudgetRequest {
  /** Model that gets the request; its prices apply. */
  readonly model: Model;
  /** Estimated tokens of the request. */
  readonly inputTokens: number;
  /** Maximum tokens of the answer, if there is one. */
  readonly maxOutputTokens: number | undefined;
}

/** Budget that is reserved for one request. */
export interface BudgetReservation {
  /** Maximum tokens of the answer that the budget permits; undefined if it does not matter. */
  readonly maxOutputTokens: number | undefined;
  /** Replaces the reservation by what the request used. */
  settle(usage: TokenUsage): void;
}

/**
 * One budget of a run and the agents it starts. Everything is taken before it is used: a request that may exceed a limit
 * is refused with LIMIT_REACHED and `data.limit`.
 */
export interface RunBudget {
  /** Limits of the whole tree of agents. */
  readonly limits: BudgetLimits;
  /** Used so far, without reservations. */
  readonly used: BudgetUse;
  /** Milliseconds that are left before the deadline; undefined if there is none. */
  readonly leftMs?: number | undefined;
  /** Counts a turn. Throws LIMIT_REACHED. */
  takeTurn(): void;
  /** Takes calls; returns how many of the wanted ones are permitted. */
  takeCalls(wanted: number): number;
  /** Counts an agent. Throws LIMIT_REACHED. */
  takeAgent(): void;
  /** Reserves budget for a request. Throws LIMIT_REACHED. */
  reserve(request: BudgetRequest): BudgetReservation;
  /** Adds what a request used that was not reserved, such as one of an earlier process. */
  spend(model: Model, usage: TokenUsage): void;
}

/** Minimum tokens that an answer must be able to have for a request to be worth sending. */
const leastOutputTokens = 16;

/** Tokens reserved for an answer of a model whose maximum is not known; the request then has this limit. */
const assumedOutputTokens = 16_384;

/**
 * Creates a budget. With `parent`, both apply, and what is used counts in both: pass one budget to a run and to the runs
 * it starts, and the limits hold for all of them together.
 *
 * @throws TypeError if a limit does not exist or is not a number above 0.
 */
export function createBudget(limits: BudgetLimits, parent?: RunBudget): RunBudget {
  const above = parent === undefined ? undefined : checkedArgument("parent", parent, aBudget);
  return budgetOf(checkedOptions("createBudget", limits, budgetForms), above);
}

/** Limits of a run, with the time that it may take. */
type TimedLimits = BudgetLimits & { readonly deadlineMs?: number };

/** Budget of a run that starts now. Its deadline, if it has one, is `deadlineMs` milliseconds away. */
export function budgetOfRun(
  run: { readonly limits?: TimedLimits; readonly budget?: RunBudget },
  now: () => number,
): RunBudget {
  const deadlineMs = run.limits?.deadlineMs;
  const startedAt = now();
  return budgetOf(run.limits ?? {}, run.budget, () =>
    deadlineMs === undefined ? undefined : startedAt + deadlineMs - now(),
  );
}

/**
 * Budget of limits that are checked; limits of a run that no budget has are ignored. `leftMs` returns the time before
 * the run's own deadline.
 */
function budgetOf(
  limits: BudgetLimits,
  parent?: RunBudget,
  leftMs?: () => number | undefined,
): RunBudget {
  const used = { turns: 0, calls: 0, tokens: 0, costUsd: 0, agents: 0 };
  const reserved = { tokens: 0, costUsd: 0 };
  const { maxTurns, maxCalls, maxTokens, maxCost, maxAgents } = limits;
  const add = (model: Model, usage: TokenUsage): void => {
    used.tokens += usage.input + usage.output;
    const prices = model.info?.usdPerMTok;
    if (prices !== undefined) used.costUsd += costOf(usage, prices);
  };
  const own = (request: BudgetRequest): number | undefined => {
    const { inputTokens, model } = request;
    const output: number[] = [];
    if (maxTokens !== undefined) {
      const left = maxTokens - used.tokens - reserved.tokens;
      if (left - inputTokens < leastOutputTokens) throw tooManyTokens(request, { left, maxTokens });
      output.push(left - inputTokens);
    }
    if (maxCost !== undefined) {
      const prices = pricesOf(model);
      const left = maxCost - used.costUsd - reserved.costUsd;
      const cost = inputCost(prices, inputTokens);
      const least = cost + (leastOutputTokens * prices.output) / 1_000_000;
      if (least > left) throw tooExpensive(least, { left, maxCost });
      if (prices.output > 0) output.push(Math.floor(((left - cost) * 1_000_000) / prices.output));
    }
    return output.length === 0 ? undefined : Math.min(...output);
  };
  return {
    limits,
    get used() {
      return { ...used };
    },
    get leftMs() {
      return smallest(leftMs?.(), parent?.leftMs);
    },
    takeTurn() {
      if (maxTurns !== undefined && used.turns >= maxTurns) throw usedUp("maxTurns", maxTurns);
      parent?.takeTurn();
      used.turns += 1;
    },
    takeCalls(wanted) {
      const mine = maxCalls === undefined ? wanted : Math.min(wanted, maxCalls - used.calls);
      const permitted = parent?.takeCalls(mine) ?? mine;
      used.calls += permitted;
      return permitted;
    },
    takeAgent() {
      if (maxAgents !== undefined && used.agents >= maxAgents) throw usedUp("maxAgents", maxAgents);
      parent?.takeAgent();
      used.agents += 1;
    },
    reserve(request) {
      const left = own(request);
      const isLimited = left !== undefined && request.maxOutputTokens === undefined;
      const wanted = smallest(left, isLimited ? assumedOutputTokens : request.maxOutputTokens);
      const above = parent?.reserve({ ...request, maxOutputTokens: wanted });
      const maxOutputTokens = smallest(wanted, above?.maxOutputTokens);
      const outputTokens = maxOutputTokens ?? 0;
      const tokens = request.inputTokens + outputTokens;
      const costUsd = estimatedCost(request, outputTokens);
      reserved.tokens += tokens;
      reserved.costUsd += costUsd;
      let isOpen = true;
      return {
        maxOutputTokens,
        settle(usage) {
          if (!isOpen) return;
          isOpen = false;
          reserved.tokens -= tokens;
          reserved.costUsd -= costUsd;
          add(request.model, usage);
          above?.settle(usage);
        },
      };
    },
    spend(model, usage) {
      add(model, usage);
      parent?.spend(model, usage);
    },
  };
}

/** Smaller of two limits; undefined where there is none. */
export function smallest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

type Prices = NonNullable<NonNullable<Model["info"]>["usdPerMTok"]>;

function pricesOf(model: Model): Prices {
  const prices = model.info?.usdPerMTok;
  if (prices !== undefined) return prices;
  throw new ToolError("INVALID_INPUT", priceProblem(model) ?? "", {
    hint: priceHint,
  });
}

/** Input may be written to the cache, which can cost more than plain input. */
function inputCost({ input, cacheWrite = input }: Prices, tokens: number): number {
  return (tokens * Math.max(input, cacheWrite)) / 1_000_000;
}

function estimatedCost({ model, inputTokens }: BudgetRequest, outputTokens: number): number {
  const prices = model.info?.usdPerMTok;
  if (prices === undefined) return 0;
  return inputCost(prices, inputTokens) + (outputTokens * prices.output) / 1_000_000;
}

function tooManyTokens(
  { inputTokens }: BudgetRequest,
  { left, maxTokens }: { readonly left: number; readonly maxTokens: number },
): ToolError {
  const shown = Math.max(0, left);
  return limitError(
    "maxTokens",
    `The next request needs about ${inputTokens} tokens and an answer, and ${shown} of ${maxTokens} are left.`,
  );
}

function tooExpensive(
  cost: number,
  { left, maxCost }: { readonly left: number; readonly maxCost: number },
): ToolError {
  return limitError(
    "maxCost",
    `The next request may cost ${usd(cost)}, and ${usd(Math.max(0, left))} of ${usd(maxCost)} is left.`,
  );
}

function usd(amount: number): string {
  return `$${amount.toFixed(4)}`;
}

function usedUp(limit: "maxTurns" | "maxAgents", count: number): ToolError {
  const noun = limit === "maxTurns" ? "turn" : "agent";
  return limitError(limit, `The budget of ${count} ${noun}${count === 1 ? "" : "s"} is used up.`);
}

function limitError(limit: keyof BudgetLimits, message: string): ToolError {
  return new ToolError("LIMIT_REACHED", message, {
    hint: `Continue from the conversation, or raise limits.${limit}.`,
    data: { limit },
  });
}
