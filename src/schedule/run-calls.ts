import type { Call, CallOptions, Outcome } from "../core/index.ts";
import { TurnState, type PipelineEnvironment } from "../pipeline/index.ts";
import { createScheduler } from "./scheduler.ts";

export interface TurnOptions {
  readonly options?: CallOptions | undefined;
  /** What a person said about all calls of this turn so far. Default: nothing. */
  readonly turn?: TurnState;
}

/**
 * Runs the calls of one turn. Calls whose effects conflict keep their program order, everything else runs
 * together, ten at once at most. Outcomes come in call order, one for every call, whatever happens.
 */
export async function runCalls(
  calls: readonly Call[],
  environment: PipelineEnvironment,
  { options = {}, turn = new TurnState() }: TurnOptions = {},
): Promise<readonly Outcome[]> {
  const scheduler = createScheduler(environment);
  const linked = withinTurn(options, turn);
  return await Promise.all(calls.map((call) => scheduler.submit(call, linked, turn)));
}

/** The call's options with the end of its turn among its signals. */
export function withinTurn(options: CallOptions, turn: TurnState): CallOptions {
  const { signal } = options;
  const signals = signal === undefined ? [turn.signal] : [signal, turn.signal];
  return { ...options, signal: AbortSignal.any(signals) };
}
