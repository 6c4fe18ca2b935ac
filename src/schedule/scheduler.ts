import type { Call, CallOptions, Effect, Outcome } from "../core/index.ts";
import {
  forecastCall,
  runCall,
  TurnState,
  type CallState,
  type PipelineEnvironment,
} from "../pipeline/index.ts";
import { conflict } from "./conflicts.ts";
import { Slots } from "./slots.ts";

/** How many calls run at once. */
const maxAtOnce = 10;

/** Runs calls as they come, each after the earlier ones it conflicts with. */
export interface Scheduler {
  /** Never rejects: what goes wrong is in the outcome. Calls of one turn share what a person says about all of them. */
  submit(call: Call, options?: CallOptions, turn?: TurnState): Promise<Outcome>;
}

interface Planned {
  /** Undefined until they are known. */
  effects: readonly Effect[] | undefined;
  /** What could not be told when it was forecast may be clear once the calls before it have run. */
  isUnclear: boolean;
  /** The tool says that no call may run beside its own. */
  isExclusive: boolean;
  forecast: Promise<void>;
  isDone: boolean;
  readonly done: Promise<void>;
  settle(): void;
}

export function createScheduler(environment: PipelineEnvironment): Scheduler {
  const unfinished = new Set<Planned>();
  const slots = new Slots(maxAtOnce);
  return {
    async submit(call, options = {}, turn = new TurnState()) {
      const before = [...unfinished];
      const planned = plan(call, environment, options);
      // Its place among the others is taken at once, before anything is waited for.
      unfinished.add(planned);
      const slot = slots.ticket();
      const firing = untilAborted(options.signal);
      try {
        // An aborted call waits for nobody; its steps then say that it was aborted.
        const ready = planned.forecast.then(async () => await waitForConflicts(planned, before));
        await Promise.race([ready, firing.promise]);
        planned.isUnclear = false;
        const admit = (state: CallState): Promise<boolean> | undefined => {
          planned.effects = state.effects;
          return conflictsBefore(planned, before) ?? slot.take();
        };
        return await runCall(call, environment, { options, turn, admit });
      } finally {
        firing.stop();
        slot.release();
        planned.isDone = true;
        unfinished.delete(planned);
        planned.settle();
      }
    },
  };
}

/** Resolves when the signal fires; `stop` lets go of it. */
function untilAborted(signal: AbortSignal | undefined): {
  readonly promise: Promise<void>;
  stop(): void;
} {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  if (signal?.aborted === true) resolve();
  signal?.addEventListener("abort", onAbort, { once: true });
  return { promise, stop: () => signal?.removeEventListener("abort", onAbort) };
}

function plan(call: Call, environment: PipelineEnvironment, options: CallOptions): Planned {
  const { promise, resolve } = Promise.withResolvers<void>();
  const planned: Planned = {
    effects: undefined,
    isUnclear: false,
    isExclusive: false,
    forecast: Promise.resolve(),
    isDone: false,
    done: promise,
    settle: resolve,
  };
  planned.forecast = forecast(
    planned,
    async () => await forecastCall(call, environment, { options }),
  );
  return planned;
}

async function forecast(planned: Planned, look: () => Promise<CallState>): Promise<void> {
  const state = await look();
  planned.effects = state.effects;
  planned.isUnclear = state.error !== undefined && state.error.type !== "validation";
  planned.isExclusive = state.tool?.flags?.concurrencySafe === false;
}

async function waitForConflicts(planned: Planned, before: readonly Planned[]): Promise<void> {
  await Promise.all(before.map(async (earlier) => await earlier.forecast));
  await conflictsBefore(planned, before);
}

/** True once the earlier calls it conflicts with have ended; undefined when there are none. */
function conflictsBefore(planned: Planned, before: readonly Planned[]): Promise<true> | undefined {
  const blockers = before.filter((earlier) => !earlier.isDone && mustFollow(planned, earlier));
  if (blockers.length === 0) return undefined;
  return Promise.all(blockers.map(async (earlier) => await earlier.done)).then(() => true);
}

function mustFollow(planned: Planned, earlier: Planned): boolean {
  if (planned.isUnclear || planned.isExclusive || earlier.isExclusive) return true;
  return conflict(planned.effects ?? [], earlier.effects ?? []);
}
