import { checkedArgument } from "../../core/index.ts";
import { aRunLimit } from "../../text/index.ts";
import type { BudgetLimits } from "./budget/budget.ts";

/** Limits of a run. Reaching a limit ends the run in order, never in the middle of a call. */
export interface RunLimits extends BudgetLimits {
  /** Maximum number of model answers. Default: 50 for each run by itself. */
  readonly maxTurns?: number;
  /** Maximum number of calls that are run. Default: 200 for each run by itself. */
  readonly maxCalls?: number;
  /** Maximum tokens in and out, over all turns. A request that may exceed it is not sent. Default: no limit. */
  readonly maxTokens?: number;
  /**
   * Maximum cost in US dollars, over all turns; may be a fraction. A request that may exceed it is not sent. Needs
   * models with prices. Default: no limit.
   */
  readonly maxCost?: number;
  /** Maximum number of agents that share the run's budget. Default: no limit. */
  readonly maxAgents?: number;
  /** Maximum duration in milliseconds; calls that run at that time are aborted. Default: no limit. */
  readonly deadlineMs?: number;
  /** Maximum tokens of one answer. Default: the provider's own limit. */
  readonly maxOutputTokens?: number;
  /** Maximum milliseconds without an event of the model's stream; then the request is repeated. Default 300,000. */
  readonly idleMs?: number;
}

export type Limits = RunLimits & Required<Pick<RunLimits, "maxTurns" | "maxCalls" | "idleMs">>;

/** Fills in the defaults; a limit that is not a whole number above 0, or does not exist, is a TypeError. */
export function checkLimits(given: RunLimits = {}): Limits {
  const limits = checkedArgument("limits", given, aRunLimit);
  const { maxTurns = 50, maxCalls = 200, idleMs = 300_000 } = limits;
  return { ...limits, maxTurns, maxCalls, idleMs };
}
