import type { CallOptions, Outcome, Toolkit } from "../../../core/index.ts";
import {
  interruptedResult,
  resultOf,
  type Steps,
  type ToolCallPart,
  type ToolResultPart,
} from "../../../session/index.ts";
import { asCall, asResult } from "../../call-parts.ts";
import { storageError } from "../conversation.ts";
import { onAbort } from "./abortable-stream.ts";
import type { LoopGuard } from "./loop-guard.ts";

export interface ToolTurn {
  readonly toolkit: Toolkit;
  readonly steps: Steps;
  readonly guard: LoopGuard;
  readonly options: CallOptions & { readonly signal: AbortSignal };
  readonly calls: readonly ToolCallPart[];
  /** Number of calls that may still be run. */
  readonly allowance: number;
}

export interface ToolTurnResult {
  /** One result for each call, in call order. */
  readonly results: readonly ToolResultPart[];
  /** Outcomes of the calls that were run. */
  readonly outcomes: readonly Outcome[];
  /** Reason to stop the run, if the calls repeat without progress. */
  readonly loop?: string;
}

/** Runs the calls of one answer, up to the allowance, and builds the results for the model. */
export async function runCalls(turn: ToolTurn): Promise<ToolTurnResult> {
  const allowed = turn.calls.slice(0, turn.allowance);
  const outcomes = await outcomesOf(turn, allowed);
  let loop: string | undefined;
  turn.guard.startTurn();
  const results = turn.calls.map((call, index): ToolResultPart => {
    const outcome = outcomes[index];
    if (outcome === undefined) {
      return interruptedResult(call, "This call was not run: the run has used up its calls.");
    }
    const verdict = turn.guard.seen(call, outcome);
    if (verdict.kind === "stop") loop ??= verdict.note;
    if (verdict.kind === "fine") return asResult(call, outcome);
    const content = [...outcome.content, { type: "text", text: verdict.note } as const];
    return asResult(call, { ...outcome, content });
  });
  return { results, outcomes, ...(loop === undefined ? {} : { loop }) };
}

/**
 * Outcomes of the calls, by index. Each call is a step of its own, recorded as soon as it ends, though all of them are
 * scheduled together. If a result cannot be recorded, the calls that still run are aborted.
 */
async function outcomesOf(
  { toolkit, steps, options }: ToolTurn,
  calls: readonly ToolCallPart[],
): Promise<readonly Outcome[]> {
  if (calls.length === 0) return [];
  const byKey = new Map(calls.map((call) => [`tool:${call.id}`, call]));
  return await steps.runAll<Outcome>([...byKey.keys()], async (missing, record) => {
    const controller = new AbortController();
    const unlink = onAbort(options.signal, () => controller.abort(options.signal.reason));
    const recorded = new Set<number>();
    let failure: unknown;
    const settle = (index: number, outcome: Outcome): void => {
      const key = missing[index];
      if (key === undefined || recorded.has(index)) return;
      recorded.add(index);
      try {
        record(key, outcome);
      } catch (cause) {
        failure ??= storageError(cause);
        controller.abort(failure);
      }
    };
    try {
      const outcomes = await toolkit.callAll(
        missing.map((key) => asCall(resultOf(byKey, key))),
        { ...options, signal: controller.signal, onOutcome: settle },
      );
      // A toolkit need not report each outcome when its call ends.
      for (const [index, outcome] of outcomes.entries()) settle(index, outcome);
    } finally {
      unlink();
    }
    if (failure !== undefined) throw failure;
  });
}
