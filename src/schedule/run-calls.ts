import { type Call, type CallOptions, type Effect, type Outcome } from "../core/index.ts";
import {
  forecastCall,
  runCall,
  type CallState,
  type PipelineEnvironment,
  type TurnState,
} from "../pipeline/index.ts";
import { conflict } from "./conflicts.ts";
import { Slots } from "./slots.ts";

/** How many calls of one turn run at once. */
const maxAtOnce = 10;

interface Planned {
  readonly call: Call;
  effects: readonly Effect[];
  isUnclear: boolean;
  /** The tool says that no call may run beside its own. */
  readonly isExclusive: boolean;
  isDone: boolean;
  readonly done: Promise<void>;
  settle(): void;
}

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
  const [only] = calls;
  if (calls.length === 1 && only !== undefined)
    return [await runCall(only, environment, { options, turn })];
  const plan = await Promise.all(calls.map((call) => forecast(call, environment, options)));
  const slots = new Slots(maxAtOnce);
  return await Promise.all(
    plan.map(async (planned, index) => {
      const before = plan.slice(0, index);
      const slot = slots.ticket();
      try {
        await afterConflicts(planned, before);
        const admit = (state: CallState): Promise<boolean> | undefined => {
          planned.effects = state.effects;
          return waitForConflicts(planned, before) ?? slot.take();
        };
        return await runCall(planned.call, environment, { options, turn, admit });
      } finally {
        slot.release();
        planned.isDone = true;
        planned.settle();
      }
    }),
  );
}

async function forecast(
  call: Call,
  environment: PipelineEnvironment,
  options: CallOptions,
): Promise<Planned> {
  const state = await forecastCall(call, environment, { options });
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    call,
    effects: state.effects,
    // What could not be told now may be clear once the calls before it have run.
    isUnclear: state.error !== undefined && state.error.type !== "validation",
    isExclusive: state.tool?.flags?.concurrencySafe === false,
    isDone: false,
    done: promise,
    settle: resolve,
  };
}

async function afterConflicts(planned: Planned, before: readonly Planned[]): Promise<void> {
  await waitForConflicts(planned, before);
  planned.isUnclear = false;
}

/** True once the earlier calls it conflicts with have ended; undefined when there are none. */
function waitForConflicts(planned: Planned, before: readonly Planned[]): Promise<true> | undefined {
  const blockers = before.filter((earlier) => !earlier.isDone && mustFollow(planned, earlier));
  if (blockers.length === 0) return undefined;
  return Promise.all(blockers.map(async (earlier) => await earlier.done)).then(() => true);
}

function mustFollow(planned: Planned, earlier: Planned): boolean {
  if (planned.isUnclear || planned.isExclusive || earlier.isExclusive) return true;
  return conflict(planned.effects, earlier.effects);
}
