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

/** Maximum number of calls that run at once. */
const maxAtOnce = 10;

/** Starts calls as they arrive, each after the earlier calls it conflicts with. */
export interface Scheduler {
  /**
   * Runs a call. Never rejects: a failure is in the outcome. Calls of one turn share the user's answers that apply to
   * all of them.
   */
  submit(call: Call, options?: CallOptions, turn?: TurnState): Promise<Outcome>;
}

interface Planned {
  /** Undefined until they are known. */
  effects: readonly Effect[] | undefined;
  /** Whether the effects were unclear when forecast; they may become clear once the earlier calls have run. */
  isUnclear: boolean;
  /** Whether the tool forbids other calls while its own runs. */
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
      // The call joins the queue synchronously, before anything is awaited.
      unfinished.add(planned);
      const slot = slots.ticket();
      const firing = untilAborted(options.signal);
      try {
        // An aborted call waits for no other call; the pipeline's steps then report the abort.
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

/** Resolves when the signal aborts; `stop` removes the listener. */
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

/** Resolves to true once the conflicting earlier calls have ended; undefined if there are none. */
function conflictsBefore(planned: Planned, before: readonly Planned[]): Promise<true> | undefined {
  const blockers = before.filter((earlier) => !earlier.isDone && mustFollow(planned, earlier));
  if (blockers.length === 0) return undefined;
  return Promise.all(blockers.map(async (earlier) => await earlier.done)).then(() => true);
}

function mustFollow(planned: Planned, earlier: Planned): boolean {
  if (planned.isUnclear || planned.isExclusive || earlier.isExclusive) return true;
  return conflict(planned.effects ?? [], earlier.effects ?? []);
}
