import { contentText, ToolError, type CallOptions, type ToolResult } from "../../core/index.ts";
import type {
  ToolUndoRecord,
  Compensations,
  JournalEntry,
  Journal,
  UndoOptions,
  UndoResult,
  UndoTarget,
} from "../../journal/index.ts";
import { compensateCall } from "./tool-undo.ts";
import { toolErrorOf } from "../run/call-errors.ts";
import { type PipelineEnvironment } from "../environment/environment.ts";

/** A call that changed something. */
export interface HistoryEntry extends JournalEntry {
  /** The tool itself undoes the call; redo cannot repeat such a call. */
  readonly byItsTool?: true;
}

/** Result of an undo or redo. */
export interface UndoReport extends UndoResult {
  /** Messages of tools that undid their own calls, or why a call was not redone. */
  readonly messages?: readonly { readonly callId: string; readonly message: string }[];
}

export interface PastParts {
  readonly journal: Journal;
  readonly compensations: Compensations;
  readonly environment: PipelineEnvironment;
  /** Maximum number of stored calls, both kinds together. */
  readonly maxCalls: number;
}

/** Lists the calls that changed something, newest first: those that changed files and those that tools undo. */
export async function pastCalls({
  journal,
  compensations,
  maxCalls,
}: Pick<PastParts, "journal" | "compensations" | "maxCalls">): Promise<readonly HistoryEntry[]> {
  const [files, own] = await Promise.all([journal.history(), compensations.list()]);
  if (own.length === 0) return files;
  const byCall = new Map(own.map((each) => [each.callId, each]));
  const known = new Set(files.map(({ callId }) => callId));
  const both = files.map((entry): HistoryEntry =>
    byCall.has(entry.callId) ? { ...entry, byItsTool: true } : entry,
  );
  const others = own.filter(({ callId }) => !known.has(callId)).map(entryOf);
  return merged(both, others).slice(0, maxCalls);
}

/**
 * Merges two lists that are each sorted newest first. Only the order between the lists depends on the clock, which may
 * have been set back, so a call counts as at least as new as every call before it.
 */
function merged(
  files: readonly HistoryEntry[],
  others: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const all: HistoryEntry[] = [];
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
 * Undoes calls, newest first. If no tool has to undo its own call, the journal undoes all of them or none; otherwise
 * the calls undone before a failure stay undone, and the error names them.
 */
export async function undoPast(
  parts: PastParts,
  target: UndoTarget,
  options: UndoOptions & Pick<CallOptions, "signal" | "onAsk">,
): Promise<UndoReport> {
  const { journal, compensations } = parts;
  const own = new Map((await compensations.list()).map((each) => [each.callId, each]));
  const chosen = own.size === 0 ? [] : chosenFrom(await pastCalls(parts), target, options);
  const isOwn = ({ callId }: HistoryEntry): boolean => own.get(callId)?.state === "done";
  if (!chosen.some(isOwn)) {
    const undone = await journal.undo(target, options);
    await forgetLatest(compensations);
    return undone;
  }
  await forgetLatest(compensations);
  const done: UndoReport[] = [];
  const files: string[] = [];
  const taken: ToolUndoRecord[] = [];
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

/** Redoes the latest undo. Calls that their tools undid are not redone; the result names them. */
export async function redoPast(
  { journal, compensations }: PastParts,
  options: Pick<UndoOptions, "force">,
): Promise<UndoReport> {
  const latest = (await compensations.list()).filter(({ undoneWith }) => undoneWith !== undefined);
  const [first] = latest;
  if (first === undefined) return await journal.redo(options);
  const messages = latest.map(({ callId, tool }) => ({
    callId,
    message: `${tool} undid this call itself, so it cannot be redone: send the call again.`,
  }));
  const files = first.undoneWith ?? [];
  if (files.length === 0) {
    throw new ToolError("UNAVAILABLE", messages.map(({ message }) => message).join(" "), {
      hint: "To redo an earlier undo, undo a call first.",
      data: { calls: latest.map(({ callId }) => callId) },
      retryable: false,
    });
  }
  // Each was undone by a separate undo.
  const done: UndoReport[] = [];
  for (const _ of files) done.push(await journal.redo(options));
  await forgetLatest(compensations);
  return { ...together(done), messages };
}

function entryOf({ callId, tool, sessionId, agentId, at, state }: ToolUndoRecord): HistoryEntry {
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

/** Selects calls of both kinds as the journal does. The journal refuses a target that names no call. */
function chosenFrom(
  past: readonly HistoryEntry[],
  target: UndoTarget,
  { sessionId }: UndoOptions,
): readonly HistoryEntry[] {
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

/** A call cannot be undone if the journal captured nothing of it and its tool does not undo it. */
function isUndoable({ byItsTool, changes }: HistoryEntry): boolean {
  return byItsTool === true || changes.length > 0;
}

function isNamed({ callId }: HistoryEntry, target: UndoTarget): boolean {
  return "last" in target ? false : callId === ("call" in target ? target.call : target.to);
}

async function takeBack(
  compensation: ToolUndoRecord,
  { environment }: PastParts,
  options: CallOptions,
): Promise<UndoReport> {
  const result: ToolResult = await compensateCall(compensation, environment, options);
  const { callId, tool } = compensation;
  const { content } = result;
  const message = typeof content === "string" ? content : contentText(content);
  if (result.isError === true) {
    throw new ToolError("TOOL_FAILED", `${tool} could not undo ${callId}: ${message}`, {
      hint: "Check the present state; you may have to undo it by hand.",
      data: { callId },
    });
  }
  return { calls: [callId], changes: [], kept: [], skipped: [], messages: [{ callId, message }] };
}

function together(done: readonly UndoReport[]): UndoReport {
  const byHooks = done.flatMap((each) => each.byHooks ?? []);
  return {
    calls: [...new Set(done.flatMap(({ calls }) => calls))],
    changes: done.flatMap(({ changes }) => changes),
    kept: done.flatMap(({ kept }) => kept),
    skipped: done.flatMap(({ skipped }) => skipped),
    ...(byHooks.length === 0 ? {} : { byHooks }),
    messages: done.flatMap(({ messages = [] }) => messages),
  };
}

function stoppedAt(cause: unknown, done: readonly UndoReport[]): ToolError {
  const error = toolErrorOf(cause);
  const { calls } = together(done);
  if (calls.length === 0) return error;
  return new ToolError(
    error.code,
    `${error.message} Undone before the failure: ${calls.join(", ")}.`,
    {
      hint: error.hint,
      data: { ...error.data, undone: calls },
      cause,
    },
  );
}

/** Clears the record of the latest undo, because another one follows. */
async function forgetLatest(compensations: Compensations): Promise<void> {
  for (const { undoneWith, ...each } of await compensations.list()) {
    if (undoneWith !== undefined) await compensations.replace(each);
  }
}
