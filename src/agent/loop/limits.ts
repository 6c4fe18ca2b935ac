import { aRunLimit } from "../../text/index.ts";
import { checkedArgument } from "../../core/index.ts";

/** Limits of a run. Reaching a limit ends the run in order, never in the middle of a call. */
export interface RunLimits {
  /** Maximum number of model answers. Default 50. */
  readonly maxTurns?: number;
  /** Maximum number of calls that are run. Default 200. */
  readonly maxCalls?: number;
  /** Maximum tokens in and out, over all turns. Default: no limit. */
  readonly maxTokens?: number;
  /** Maximum duration in milliseconds; calls that run at that time are aborted. Default: no limit. */
  readonly deadlineMs?: number;
  /** Maximum tokens of one answer. Default: the provider's own limit. */
  readonly maxOutputTokens?: number;
}

export type Limits = RunLimits & { readonly maxTurns: number; readonly maxCalls: number };

/** Fills in the defaults; a limit that is not a whole number above 0, or does not exist, is a TypeError. */
export function checkLimits(given: RunLimits = {}): Limits {
  const limits = checkedArgument("limits", given, aRunLimit);
  return { ...limits, maxTurns: limits.maxTurns ?? 50, maxCalls: limits.maxCalls ?? 200 };
}
