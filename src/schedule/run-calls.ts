import type { Call, CallAllOptions, CallOptions, Outcome } from "../core/index.ts";
import { quietly } from "../text/index.ts";
import { TurnState, type PipelineEnvironment } from "../pipeline/index.ts";
import { createScheduler } from "./scheduler.ts";

export interface TurnOptions {
  readonly options?: CallAllOptions | undefined;
  /** The user's answers that apply to all remaining calls of this turn. Default: none. */
  readonly turn?: TurnState;
}

/**
 * Runs the calls of one turn. Calls with conflicting effects keep their program order; all others run concurrently, at
 * most ten at once. Returns one outcome for each call, in call order, whatever happens.
 */
export async function runCalls(
  calls: readonly Call[],
  environment: PipelineEnvironment,
  { options: given = {}, turn = new TurnState() }: TurnOptions = {},
): Promise<readonly Outcome[]> {
  const scheduler = createScheduler(environment);
  const { onOutcome, ...options } = given;
  const linked = withinTurn(options, turn);
  return await Promise.all(
    calls.map(async (call, index) => {
      const outcome = await scheduler.submit(call, linked, turn);
      quietly(onOutcome, index, outcome);
      return outcome;
    }),
  );
}

/** Adds the abort signal of the turn to the call's options. */
export function withinTurn(options: CallOptions, turn: TurnState): CallOptions {
  const { signal } = options;
  const signals = signal === undefined ? [turn.signal] : [signal, turn.signal];
  return { ...options, signal: AbortSignal.any(signals) };
}
