import type { CallOptions, Outcome, Toolkit } from "../../core/index.ts";
import {
  interruptedResult,
  resultOf,
  type Steps,
  type ToolCallPart,
  type ToolResultPart,
} from "../../session/index.ts";
import type { LoopGuard } from "./loop-guard.ts";

export interface ToolTurn {
  readonly toolkit: Toolkit;
  readonly steps: Steps;
  readonly guard: LoopGuard;
  readonly options: CallOptions;
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
  const results = turn.calls.map((call, index): ToolResultPart => {
    const outcome = outcomes[index];
    if (outcome === undefined) {
      return interruptedResult(call, "This call was not run: the run has used up its calls.");
    }
    const verdict = turn.guard.seen(call, outcome);
    if (verdict.kind === "stop") loop ??= verdict.note;
    return {
      type: "tool-result",
      callId: call.id,
      name: call.name,
      content:
        verdict.kind === "fine"
          ? outcome.content
          : [...outcome.content, { type: "text", text: verdict.note }],
      isError: outcome.isError,
    };
  });
  return { results, outcomes, ...(loop === undefined ? {} : { loop }) };
}

/**
 * Outcomes of the calls. Each call is a step of its own, recorded as soon as it ends, though all of them are scheduled
 * together.
 */
async function outcomesOf(
  { toolkit, steps, options }: ToolTurn,
  calls: readonly ToolCallPart[],
): Promise<readonly Outcome[]> {
  if (calls.length === 0) return [];
  const byKey = new Map(calls.map((call) => [stepKey(call.id), call]));
  return await steps.runAll<Outcome>([...byKey.keys()], async (missing, record) => {
    const pending = new Set(missing);
    const settle = (key: string, outcome: Outcome): void => {
      if (pending.delete(key)) record(key, outcome);
    };
    const stop = toolkit.subscribe((event) => {
      if (event.type === "call-end" && event.sessionId === options.sessionId) {
        settle(stepKey(event.callId), event.outcome);
      }
    });
    try {
      const outcomes = await toolkit.callAll(
        missing.map((key) => resultOf(byKey, key)).map(asCall),
        options,
      );
      for (const outcome of outcomes) settle(stepKey(outcome.id), outcome);
    } finally {
      stop();
    }
  });
}

function stepKey(callId: string): string {
  return `tool:${callId}`;
}

function asCall({ id, name, input, incomplete }: ToolCallPart): {
  id: string;
  name: string;
  input: string;
  incomplete?: boolean;
} {
  return { id, name, input, ...(incomplete === true ? { incomplete } : {}) };
}
