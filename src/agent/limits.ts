/** What a run may use. Reaching a limit ends the run in order, never in the middle of a call. */
export interface RunLimits {
  /** Answers of the model. Default 50. */
  readonly maxTurns?: number;
  /** Calls that are run. Default 200. */
  readonly maxCalls?: number;
  /** Tokens in and out, over all turns. Default: no limit. */
  readonly maxTokens?: number;
  /** From the start, in milliseconds; what runs then is aborted. Default: no limit. */
  readonly deadlineMs?: number;
  /** Tokens of one answer. Default: the provider's own limit. */
  readonly maxOutputTokens?: number;
}

export type Limits = RunLimits & { readonly maxTurns: number; readonly maxCalls: number };

/** Fills in the defaults; a limit that is no whole number above 0 is a TypeError. */
export function checkLimits(limits: RunLimits = {}): Limits {
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      throw new TypeError(`limits.${name} must be a whole number above 0, not ${String(value)}.`);
    }
  }
  return { ...limits, maxTurns: limits.maxTurns ?? 50, maxCalls: limits.maxCalls ?? 200 };
}
