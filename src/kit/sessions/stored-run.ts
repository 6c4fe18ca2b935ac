import type { RunOptions, RunResult } from "../../agent/index.ts";
import { settleCalls } from "../../agent/index.ts";
import { ToolError, type Answer, type Ask, type OnAsk, type Toolkit } from "../../core/index.ts";
import {
  repairMessages,
  type Message,
  type SessionStore,
  type StoredRun,
  type ToolCallPart,
} from "../../session/index.ts";
import { isRecord } from "../../text/index.ts";
import { suspect, suspectStored, type Taints } from "./taints.ts";

export interface StoredRunOptions {
  readonly store: SessionStore;
  readonly toolkit: Toolkit;
  readonly workspace: string;
  readonly onAsk: OnAsk | undefined;
  readonly taints: Taints;
  readonly run: Omit<RunOptions, "toolkit"> & {
    readonly runId: string;
    readonly sessionId: string;
  };
  readonly signal: AbortSignal;
  /** Called once the session is claimed, before its interrupted calls are settled. */
  readonly onClaim: () => void;
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
  const { store, run } = given;
  const { sessionId, runId, agentId, parentAgentId, task = "", model } = run;
  await createIfNew(given);
  const stored = await store.begin({
    sessionId,
    runId,
    task,
    model: model.id,
    ...(agentId === undefined ? {} : { agentId }),
    ...(parentAgentId === undefined ? {} : { parentAgentId }),
  });
  const end = async (result: RunResult): Promise<void> => {
    const { status, turns, calls, usage, costUsd } = result;
    const cost = costUsd === undefined ? {} : { costUsd };
    await stored.end({ status, turns, calls, usage, ...cost });
  };
  given.onClaim();
  try {
    const messages = await conversationOf(given, stored);
    return { options: { log: logOf(stored, given), messages }, end };
  } catch (error) {
    const status = ToolError.is(error) && error.code === "ABORTED" ? "aborted" : "failed";
    await stored.end({ status, turns: 0, calls: 0, usage: { input: 0, output: 0 } });
    throw error;
  }
}

/** The log of the run. What another session wrote to this one may be private and untrusted. */
function logOf({ log }: StoredRun, { run, taints }: StoredRunOptions): StoredRun["log"] {
  return {
    ...log,
    mail() {
      const mail = log.mail?.() ?? [];
      if (mail.some(({ workId }) => workId === undefined)) suspect(taints, run.sessionId);
      return mail;
    },
  };
}

/** Creates the session, unless another run that starts at the same time has done so. */
export async function createIfNew({
  store,
  run: { sessionId },
  workspace,
}: Pick<StoredRunOptions, "store" | "workspace"> & {
  readonly run: { readonly sessionId: string };
}): Promise<void> {
  if ((await store.get(sessionId)) !== undefined) return;
  await store.create({ sessionId, workspace }).catch((error: unknown) => {
    if (!ToolError.is(error) || error.code !== "ALREADY_EXISTS") throw error;
  });
}

async function conversationOf(
  given: StoredRunOptions,
  { log, before }: StoredRun,
): Promise<readonly Message[]> {
  const { store, toolkit, run, signal } = given;
  const { sessionId, runId, agentId } = run;
  const messages = await store.messages(sessionId, agentId);
  suspectStored(given.taints, sessionId, messages);
  const { settleAgents } = await import("../agents/settle-agents.ts");
  const started = await settleAgents(given);
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
    resultOf: (call) => started.get(call.id),
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

/** Asks the user whether a call that may have taken effect runs again; no user, or no answer, means no. */
async function mayRepeat(given: StoredRunOptions, call: ToolCallPart): Promise<boolean> {
  const { onAsk, toolkit, store, run, signal } = given;
  if (onAsk === undefined) return false;
  const { sessionId, runId, agentId, parentAgentId, depth } = run;
  const callId = call.id;
  const source = { sessionId, runId, agentId, parentAgentId, depth };
  const { effects, input, decision } = await toolkit.explain(call);
  const ask: Ask = {
    kind: "permission",
    callId,
    tool: call.name,
    displayName: call.name,
    input: input ?? call.input,
    effects,
    question: `Run ${call.name} again?`,
    reason: "The program was interrupted while it ran, so it may have taken effect.",
    trail: decision?.trail ?? [],
    sessionId,
    refusals: 0,
  };
  toolkit.events.emit({ type: "permission-ask", callId, ask, ...source });
  const answer = await answerOf(async () => await onAsk(ask, { signal }), signal);
  if (answer === undefined) return false;
  toolkit.events.emit({ type: "permission-answer", callId, answer, ...source });
  const body = { answer, about: "repeat" };
  await store.recordCall({ sessionId, callId, kind: "answer", isDurable: true, body });
  if (answer === "abort") throw ended("The run was ended by the answer to a question.");
  return answer === "once";
}

/** Kind of the user's answer; undefined if the question could not be put. Rejects as soon as the signal aborts. */
async function answerOf(
  ask: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer["kind"] | undefined> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(ended(signal.reason));
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    const answer: unknown = await Promise.race([aborted, ask().catch(() => undefined)]);
    const kind: unknown = isRecord(answer) ? answer["kind"] : undefined;
    return kinds.find((each) => each === kind);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

const kinds = [
  "once",
  "save",
  "edit",
  "deny",
  "deny-all",
  "abort",
] as const satisfies readonly Answer["kind"][];

function ended(reason: unknown): ToolError {
  if (ToolError.is(reason)) return reason;
  return new ToolError("ABORTED", typeof reason === "string" ? reason : "The run was aborted.", {
    hint: "Continue the session when you like.",
  });
}
