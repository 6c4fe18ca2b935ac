import { contentText, ToolError, type CallOptions, type ToolResult } from "../../core/index.ts";
import type {
  Compensation,
  Compensations,
  HistoryEntry,
  Journal,
  UndoOptions,
  UndoResult,
  UndoTarget,
} from "../../journal/index.ts";
import { compensateCall } from "./compensate.ts";
import { toolErrorOf } from "../run/run-call.ts";
import { type PipelineEnvironment } from "../environment.ts";

/** A call that changed something. */
export interface PastCall extends HistoryEntry {
  /** Its tool takes it back itself; such a call can not be done again by redo. */
  readonly byItsTool?: true;
}

/** What an undo or redo did. */
export interface CallsUndone extends UndoResult {
  /** What tools said that took back a call of their own, or why one was not done again. */
  readonly told?: readonly { readonly callId: string; readonly message: string }[];
}

export interface PastParts {
  readonly journal: Journal;
  readonly compensations: Compensations;
  readonly environment: PipelineEnvironment;
  /** Calls that are kept, of both kinds together. */
  readonly maxCalls: number;
}

/** The calls that changed something, newest first: files, and what tools take back themselves. */
export async function pastCalls({
  journal,
  compensations,
  maxCalls,
}: Pick<PastParts, "journal" | "compensations" | "maxCalls">): Promise<readonly PastCall[]> {
  const [files, own] = await Promise.all([journal.history(), compensations.list()]);
  if (own.length === 0) return files;
  const byCall = new Map(own.map((each) => [each.callId, each]));
  const known = new Set(files.map(({ callId }) => callId));
  const both = files.map((entry): PastCall =>
    byCall.has(entry.callId) ? { ...entry, byItsTool: true } : entry,
  );
  const others = own.filter(({ callId }) => !known.has(callId)).map(entryOf);
  return merged(both, others).slice(0, maxCalls);
}

/**
 * Newest first, as each of them is: only how they stand to each other is told by the clock. It may have been set back, so
 * a call is at least as new as each one before it.
 */
function merged(files: readonly PastCall[], others: readonly PastCall[]): readonly PastCall[] {
  const all: PastCall[] = [];
  const oldestFirst = others.toReversed();
  let latest = Number.NEGATIVE_INFINITY;
  let taken = 0;
  for (const file of files.toReversed()) {
    latest = Math.max(latest, file.at);
    for (
      let next = oldestFirst[taken];
      next !== undefined && next.at <= latest;
      next = oldestFirst[taken]
    ) {
      all.push(next);
      taken += 1;
    }
    all.push(file);
  }
  return [...all, ...oldestFirst.slice(taken)].toReversed();
}

/**
 * Takes calls back, newest first. Without a call that its tool takes back itself the journal does it, all or none;
 * with one, the calls before a failure stay taken back, and the error names them.
 */
export async function undoPast(
  parts: PastParts,
  target: UndoTarget,
  options: UndoOptions & Pick<CallOptions, "signal" | "onAsk">,
): Promise<CallsUndone> {
  const { journal, compensations } = parts;
  const own = new Map((await compensations.list()).map((each) => [each.callId, each]));
  const chosen = own.size === 0 ? [] : chosenFrom(await pastCalls(parts), target, options);
  const isOwn = ({ callId }: PastCall): boolean => own.get(callId)?.state === "done";
  if (!chosen.some(isOwn)) {
    const undone = await journal.undo(target, options);
    await forgetLatest(compensations);
    return undone;
  }
  await forgetLatest(compensations);
  const done: CallsUndone[] = [];
  const files: string[] = [];
  const taken: Compensation[] = [];
  try {
    for (const entry of chosen) {
      if (entry.changes.length + entry.skipped.length > 0) {
        done.push(await journal.undo({ call: entry.callId }, options));
        files.push(entry.callId);
      }
      const compensation = own.get(entry.callId);
      if (compensation?.state !== "done") continue;
      done.push(await takeBack(compensation, parts, options));
      taken.push(compensation);
    }
  } catch (cause) {
    throw stoppedAt(cause, done);
  } finally {
    for (const each of taken) {
      await compensations.replace({ ...each, state: "undone", undoneWith: files });
    }
  }
  return together(done);
}

/** Does again what the latest undo put back. What a tool took back itself is not done again, and told. */
export async function redoPast(
  { journal, compensations }: PastParts,
  options: Pick<UndoOptions, "force">,
): Promise<CallsUndone> {
  const latest = (await compensations.list()).filter(({ undoneWith }) => undoneWith !== undefined);
  const [first] = latest;
  if (first === undefined) return await journal.redo(options);
  const told = latest.map(({ callId, tool }) => ({
    callId,
    message: `${tool} took this call back itself, so it is not done again: make the call anew.`,
  }));
  const files = first.undoneWith ?? [];
  if (files.length === 0) {
    throw new ToolError("UNAVAILABLE", told.map(({ message }) => message).join(" "), {
      hint: "The undo before it can be taken back once another undo was made.",
      data: { calls: latest.map(({ callId }) => callId) },
      retryable: false,
    });
  }
  // Each was an undo of its own.
  const done: CallsUndone[] = [];
  for (const _ of files) done.push(await journal.redo(options));
  await forgetLatest(compensations);
  return { ...together(done), told };
}

function entryOf({ callId, tool, sessionId, agentId, at, state }: Compensation): PastCall {
  return {
    callId,
    tool,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    at,
    state,
    level: "full",
    skipped: [],
    changes: [],
    byItsTool: true,
  };
}

/** As the journal chooses, over both kinds. What names no call is left to the journal to refuse. */
function chosenFrom(
  past: readonly PastCall[],
  target: UndoTarget,
  { sessionId }: UndoOptions,
): readonly PastCall[] {
  const standing = past.filter(
    (each) => each.state !== "undone" && (isUndoable(each) || isNamed(each, target)),
  );
  const own = standing.filter((each) => sessionId === undefined || each.sessionId === sessionId);
  if ("last" in target) {
    return Number.isSafeInteger(target.last) && target.last > 0 ? own.slice(0, target.last) : [];
  }
  const callId = "call" in target ? target.call : target.to;
  const at = standing.findIndex((each) => each.callId === callId);
  const named = standing[at];
  if (named === undefined) return [];
  return "call" in target ? [named] : own.filter((each) => standing.indexOf(each) < at);
}

/** A call of which the journal kept nothing stays as it is. */
function isUndoable({ byItsTool, changes }: PastCall): boolean {
  return byItsTool === true || changes.length > 0;
}

function isNamed({ callId }: PastCall, target: UndoTarget): boolean {
  return "last" in target ? false : callId === ("call" in target ? target.call : target.to);
}

async function takeBack(
  compensation: Compensation,
  { environment }: PastParts,
  options: CallOptions,
): Promise<CallsUndone> {
  const result: ToolResult = await compensateCall(compensation, environment, options);
  const { callId, tool } = compensation;
  const { content } = result;
  const message = typeof content === "string" ? content : contentText(content);
  if (result.isError === true) {
    throw new ToolError("TOOL_FAILED", `${tool} could not take ${callId} back: ${message}`, {
      hint: "Look what is there now; it may have to be taken back by hand.",
      data: { callId },
    });
  }
  return { calls: [callId], changes: [], kept: [], skipped: [], told: [{ callId, message }] };
}

function together(done: readonly CallsUndone[]): CallsUndone {
  return {
    calls: [...new Set(done.flatMap(({ calls }) => calls))],
    changes: done.flatMap(({ changes }) => changes),
    kept: done.flatMap(({ kept }) => kept),
    skipped: done.flatMap(({ skipped }) => skipped),
    told: done.flatMap(({ told = [] }) => told),
  };
}

function stoppedAt(cause: unknown, done: readonly CallsUndone[]): ToolError {
  const error = toolErrorOf(cause);
  const { calls } = together(done);
  if (calls.length === 0) return error;
  return new ToolError(
    error.code,
    `${error.message} Taken back before that: ${calls.join(", ")}.`,
    {
      hint: error.hint,
      data: { ...error.data, undone: calls },
      cause,
    },
  );
}

/** From now on another undo is the latest. */
async function forgetLatest(compensations: Compensations): Promise<void> {
  for (const { undoneWith, ...each } of await compensations.list()) {
    if (undoneWith !== undefined) await compensations.replace(each);
  }
}
