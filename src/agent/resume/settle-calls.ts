import { ToolError, type CallOptions, type Outcome, type Toolkit } from "../../core/index.ts";
import {
  interruptedResult,
  toolCallsOf,
  type CallRecord,
  type PastRun,
  type Message,
  type RunLog,
  type ToolCallPart,
  type ToolResultPart,
} from "../../session/index.ts";
import { asCall, asResult } from "../call-parts.ts";

export interface SettleOptions {
  readonly toolkit: Toolkit;
  /** Conversation as it was stored. */
  readonly messages: readonly Message[];
  /** Run that was interrupted. */
  readonly interrupted: Pick<PastRun, "step">;
  /** Log of the run that continues the conversation. */
  readonly log: RunLog;
  /** Records about a call that were stored before it had a result. */
  readonly recordsOf: (callId: string) => Promise<readonly CallRecord[]>;
  /** Text in place of the result of a call that started an agent; undefined for other calls. */
  readonly resultOf?: (
    call: ToolCallPart,
  ) => { readonly text: string; readonly isError: boolean } | undefined;
  /**
   * Asks the user whether a call that may have taken effect runs again. Default: it does not, and its result says that
   * it was interrupted.
   */
  readonly mayRepeat?: (call: ToolCallPart) => Promise<boolean>;
  /** Identity of the run and its signal, for calls that run again. */
  readonly options: CallOptions;
}

/** State of a call without a stored result. */
type Finding =
  | { readonly kind: "result"; readonly result: ToolResultPart }
  /** It did not take effect, or it may run again. */
  | { readonly kind: "run" };

/**
 * Gives each call of an interrupted run a result and stores it: the recorded one; otherwise, if the call did not take
 * effect or changes nothing, it runs; otherwise its result says what is known. A call that may have taken effect runs
 * again only if the user says so. Returns the conversation, legal for every provider.
 */
export async function settleCalls(settle: SettleOptions): Promise<readonly Message[]> {
  const { messages, log } = settle;
  const last = messages.at(-1);
  const calls = last?.role === "assistant" ? toolCallsOf(last) : [];
  if (calls.length === 0) return messages;
  const findings: Finding[] = [];
  // One after the other: each may ask the user.
  for (const call of calls) {
    // Calls of a run that was aborted stay as they were, for the run that continues the session.
    if (settle.options.signal?.aborted === true) throw abortedBefore(settle.options.signal);
    findings.push(await findingOf(call, settle));
  }
  const rerun = calls.filter((_call, index) => findings[index]?.kind === "run");
  const outcomes = new Map(
    (await runAgain(rerun, settle)).map((outcome, index) => [rerun[index]?.id, outcome]),
  );
  const results = calls.map((call, index): ToolResultPart => {
    const finding = findings[index];
    if (finding?.kind === "result") return finding.result;
    const outcome = outcomes.get(call.id);
    return outcome === undefined ? interruptedResult(call) : asResult(call, outcome);
  });
  const settled: Message = { role: "tool", content: results };
  await log.append([settled]);
  return [...messages, settled];
}

async function findingOf(call: ToolCallPart, settle: SettleOptions): Promise<Finding> {
  const recorded = settle.interrupted.step(`tool:${call.id}`);
  if (isOutcome(recorded)) return { kind: "result", result: asResult(call, recorded) };
  const known = settle.resultOf?.(call);
  if (known !== undefined) {
    const result = { ...interruptedResult(call, known.text), isError: known.isError };
    return { kind: "result", result };
  }
  const records = await settle.recordsOf(call.id);
  // Without a record of its start it did not start: running it is not a repetition.
  if (!records.some(({ kind }) => kind === "intent")) return { kind: "run" };
  switch (await settle.toolkit.reconcile?.(asCall(call), settle.options)) {
    case "done":
      return { kind: "result", result: { ...interruptedResult(call, tookEffect), isError: false } };
    case "not-done":
    case "repeatable":
      return { kind: "run" };
    case "unknown":
    case undefined: {
      const isRepeated = (await settle.mayRepeat?.(call)) === true;
      return isRepeated ? { kind: "run" } : { kind: "result", result: interruptedResult(call) };
    }
  }
}

const tookEffect =
  "This call took effect, but the program was interrupted before it stored the result, so its output is lost; that of a background command is with its task. Do not repeat it.";

/** Runs calls as steps of the run that continues, so that another interruption finds their results. */
async function runAgain(
  calls: readonly ToolCallPart[],
  { toolkit, log, options }: SettleOptions,
): Promise<readonly Outcome[]> {
  if (calls.length === 0) return [];
  const keys = calls.map(({ id }) => `tool:${id}`);
  return await log.steps.runAll<Outcome>(keys, async (missing, record) => {
    const left = calls.filter((_call, index) => missing.includes(keys[index] ?? ""));
    const outcomes = await toolkit.callAll(left.map(asCall), options);
    for (const [index, outcome] of outcomes.entries()) {
      record(`tool:${left[index]?.id ?? ""}`, outcome);
    }
  });
}

/** Whether a recorded step is an outcome with a content that can be shown. */
function isOutcome(value: unknown): value is Outcome {
  return (
    typeof value === "object" &&
    value !== null &&
    "content" in value &&
    Array.isArray(value.content) &&
    "isError" in value &&
    typeof value.isError === "boolean"
  );
}

function abortedBefore({ reason }: AbortSignal): ToolError {
  if (ToolError.is(reason)) return reason;
  return new ToolError("ABORTED", "The run was aborted.", {
    hint: "Continue the session when you like.",
  });
}
