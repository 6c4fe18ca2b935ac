import type { Call, CallOptions, Outcome } from "../core/index.ts";
import type { PipelineEnvironment, TurnState } from "../pipeline/index.ts";
import { createScheduler } from "./scheduler.ts";

/**
 * Runs the calls of one turn. Calls whose effects conflict keep their program order, everything else runs
 * together, ten at once at most. Outcomes come in call order, one for every call, whatever happens.
 */
export async function runCalls(
  calls: readonly Call[],
  environment: PipelineEnvironment,
  options: CallOptions = {},
): Promise<readonly Outcome[]> {
  const turn: TurnState = { denied: undefined, aborted: false };
  const scheduler = createScheduler(environment);
  return await Promise.all(calls.map((call) => scheduler.submit(call, options, turn)));
}
