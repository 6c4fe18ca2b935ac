import type { RunOptions, RunResult } from "../../agent/index.ts";
import { settleCalls } from "../../agent/index.ts";
import type { Ask, OnAsk, Toolkit } from "../../core/index.ts";
import {
  repairMessages,
  type Message,
  type PastRun,
  type SessionStore,
  type StoredRun,
  type ToolCallPart,
} from "../../session/index.ts";

export interface StoredRunOptions {
  readonly store: SessionStore;
  readonly toolkit: Toolkit;
  readonly workspace: string;
  readonly onAsk: OnAsk | undefined;
  readonly run: Omit<RunOptions, "toolkit"> & {
    readonly runId: string;
    readonly sessionId: string;
  };
  readonly signal: AbortSignal;
}

/** A run whose conversation is stored. */
export interface ContinuedRun {
  /** Options with which the run continues the stored conversation. */
  readonly options: Pick<RunOptions, "log" | "messages">;
  /** Records how the run ended. */
  end(result: RunResult): Promise<void>;
}

/**
 * Starts a stored run: claims the session, creates it if it is new, and settles the calls of a run that was
 * interrupted. Messages that are given replace the stored conversation.
 */
export async function beginStoredRun(given: StoredRunOptions): Promise<ContinuedRun> {
  const { store, run, workspace } = given;
  const { sessionId, runId, agentId, parentAgentId, task = "", model } = run;
  if ((await store.get(sessionId)) === undefined) await store.create({ sessionId, workspace });
  const before = await store.latestRun(sessionId, agentId);
  const stored = await store.begin({
    sessionId,
    runId,
    task: task === "" ? (before?.task ?? "") : task,
    model: model.id,
    ...(agentId === undefined ? {} : { agentId }),
    ...(parentAgentId === undefined ? {} : { parentAgentId }),
  });
  const end = async (result: RunResult): Promise<void> => {
    const { status, turns, calls, usage, costUsd } = result;
    const cost = costUsd === undefined ? {} : { costUsd };
    await stored.end({ status, turns, calls, usage, ...cost });
  };
  try {
    const messages = await conversationOf(given, stored, before);
    return { options: { log: stored.log, messages }, end };
  } catch (error) {
    await stored.end({ status: "failed", turns: 0, calls: 0, usage: { input: 0, output: 0 } });
    throw error;
  }
}

async function conversationOf(
  given: StoredRunOptions,
  { log }: StoredRun,
  before: PastRun | undefined,
): Promise<readonly Message[]> {
  const { store, toolkit, run, signal } = given;
  const { sessionId, runId, agentId } = run;
  const messages = await store.messages(sessionId, agentId);
  if (run.messages !== undefined) {
    const own = repairMessages(run.messages);
    if (messages.length === 0) await log.append(own);
    else if (own.length > 0) await log.replace(own, "compaction");
    return own;
  }
  const last = messages.at(-1);
  if (before === undefined || last?.role !== "assistant") return repairMessages(messages);
  const settled = await settleCalls({
    toolkit,
    messages,
    interrupted: before,
    log,
    recordsOf: async (callId) => await store.callRecords(sessionId, callId),
    mayRepeat: async (call) => await mayRepeat(given, call),
    options: {
      signal,
      sessionId,
      runId,
      ...(agentId === undefined ? {} : { agentId }),
    },
  });
  return repairMessages(settled);
}

/** Asks the user whether a call that may have taken effect runs again; no user means no. */
async function mayRepeat(given: StoredRunOptions, call: ToolCallPart): Promise<boolean> {
  const { onAsk, toolkit, store, run, signal } = given;
  if (onAsk === undefined) return false;
  const { effects, input, decision } = await toolkit.explain(call);
  const ask: Ask = {
    callId: call.id,
    tool: call.name,
    displayName: call.name,
    input: input ?? call.input,
    effects,
    question: `Run ${call.name} again?`,
    reason: "The program was interrupted while it ran, so it may have taken effect.",
    trail: decision?.trail ?? [],
    sessionId: run.sessionId,
    refusals: 0,
  };
  const { kind } = await onAsk(ask, { signal });
  const record = { sessionId: run.sessionId, callId: call.id, kind: "answer" } as const;
  await store.recordCall({ ...record, isDurable: true, body: { answer: kind, about: "repeat" } });
  return kind === "once";
}
