import { argumentError, ToolError } from "../../core/index.ts";
import { contentSize, isSameState } from "../capture/file-state.ts";
import { inBatches } from "../../text/index.ts";
import type { JournalState } from "../journal-state.ts";
import type { CallRecord, PathRecord, NotCaptured, Step } from "../records.ts";
import { snapshotPath } from "../capture/snapshot.ts";
import { byCall, withoutLastCopies, withoutNothing } from "../log/merge-records.ts";

/** Calls to undo: the last ones, one call, or every call after one, which itself stays. */
export type UndoTarget =
  | { readonly last: number }
  | { readonly call: string }
  | { readonly to: string };

/** Options of an undo. */
export interface UndoOptions {
  /** Paths to restore although their present content would be lost; true for all. */
  readonly force?: boolean | readonly string[];
  /** Only calls of this session count for `last` and `to`. */
  readonly sessionId?: string;
  /** Ends the wait for other programs that change the same paths. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls that are not undone, except those interrupted before they changed anything. */
export async function undoableCalls(
  state: JournalState,
  calls: readonly CallRecord[],
  isUnderWay: (record: CallRecord) => boolean,
): Promise<readonly CallRecord[]> {
  const standing = await Promise.all(
    withoutLastCopies(calls)
      .filter((record) => record.state !== "undone")
      .map((record) => withoutUntouched(state, record, isUnderWay(record))),
  );
  const left = standing.filter(
    (record) => record.paths.length + record.skipped.length > 0 || isUnderWay(record),
  );
  return withoutNothing(left, isUnderWay);
}

/**
 * An interrupted call never recorded its changes. A path that is still in its state before the call was not changed by
 * it, or was restored, and needs no question.
 */
async function withoutUntouched(
  state: JournalState,
  record: CallRecord,
  isUnderWay: boolean,
): Promise<CallRecord> {
  if (record.state !== "open" || isUnderWay) return record;
  const paths = await inBatches(record.paths, async (each) => {
    const { image } = await snapshotPath(state.fs, each.path, contentSize(each.before));
    return isSameState(image, each.before) ? [] : [each];
  });
  return { ...record, paths: paths.flat() };
}

/**
 * Records that interrupted calls have not changed the paths that are still in their states before the call. After these
 * steps that can no longer be determined.
 */
export async function noteUntouched(
  { records }: Pick<JournalState, "records">,
  steps: readonly Step[],
  isUnderWay: (record: CallRecord) => boolean,
): Promise<void> {
  const now = new Map(steps.map(({ path, from }) => [path, from]));
  const isUntouched = ({ path, before }: PathRecord): boolean => {
    const image = now.get(path);
    return image !== undefined && isSameState(image, before);
  };
  const known = (await records.calls())
    .filter((record) => record.state === "open" && !isUnderWay(record))
    .filter((record) => record.paths.some(isUntouched))
    .map((record) => ({ ...record, paths: record.paths.filter((each) => !isUntouched(each)) }));
  if (known.length > 0) await records.replace(known);
}

export interface ChooseOptions extends UndoOptions {
  readonly isUnderWay: (record: CallRecord) => boolean;
}

/** Calls that a target selects. */
export interface Chosen {
  /** Newest first. */
  readonly records: readonly CallRecord[];
  /** Selected calls of which nothing was stored: they stay, each with its first path. */
  readonly skipped: readonly NotCaptured[];
}

/**
 * Selects the calls of a target. Unless the target names one call, calls of which nothing was stored stay and are
 * reported, so that they do not prevent the undo of earlier ones. NOT_FOUND if no call is selected, UNAVAILABLE if one
 * cannot be undone.
 */
export function chooseCalls(
  standing: readonly CallRecord[],
  target: UndoTarget,
  options: ChooseOptions,
): Chosen {
  const calls = byCall(standing.toReversed());
  const isLeft = (records: readonly CallRecord[]): boolean =>
    !("call" in target) && hasNothing(records) && !isForced(records, options);
  const meant = choose(calls, target, options);
  const undoable = meant.filter((records) => !isLeft(records));
  const own = "last" in target ? choose(calls, { last: calls.length + 1 }, options) : meant;
  // If none of the latest calls can be undone, the latest one that can is selected.
  const next = own.findIndex((records) => !isLeft(records));
  const chosen = undoable.length > 0 ? undoable : own.slice(Math.max(next, 0), next + 1 || 1);
  if (chosen.length === 0) throw nothingToUndo();
  for (const records of chosen) refuseUnlessUndoable(records, options);
  const passed = undoable.length > 0 ? meant : own.slice(0, Math.max(next, 0));
  return {
    records: chosen.flat().toSorted((one, other) => other.seq - one.seq),
    skipped: passed.filter(isLeft).flatMap(stayed),
  };
}

function hasNothing(records: readonly CallRecord[]): boolean {
  return records.every(({ paths }) => paths.length === 0);
}

function isForced(records: readonly CallRecord[], { force = [] }: ChooseOptions): boolean {
  if (typeof force === "boolean") return force;
  const skipped = records.flatMap((record) => record.skipped);
  return skipped.length > 0 && skipped.every(({ path }) => force.includes(path));
}

/**
 * A call without paths is not reported. Whether the call changed them is not known: it may have failed before it began,
 * and another program may have changed what was only watched.
 */
function stayed(records: readonly CallRecord[]): readonly NotCaptured[] {
  const [first, ...others] = records.flatMap(({ skipped }) => skipped);
  const [newest] = records;
  if (first === undefined || newest === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const because = `${newest.tool} (${newest.callId}) may have changed it${more}, and nothing of that was kept`;
  return [{ path: first.path, because }];
}

/** Newest first, like the records of each call: the latest record of a call determines its position. */
function choose(
  calls: readonly (readonly CallRecord[])[],
  target: UndoTarget,
  { sessionId }: ChooseOptions,
): readonly (readonly CallRecord[])[] {
  const isOwn = ([newest]: readonly CallRecord[]): boolean =>
    sessionId === undefined || newest?.sessionId === sessionId;
  if ("last" in target) {
    if (!Number.isSafeInteger(target.last) || target.last < 1) {
      throw argumentError("last must be a whole number above 0.");
    }
    return calls.filter(isOwn).slice(0, target.last);
  }
  const callId = "call" in target ? target.call : target.to;
  const index = calls.findIndex(([newest]) => newest?.callId === callId);
  const named = calls[index];
  if (named === undefined) {
    throw new ToolError("NOT_FOUND", `The history has no call ${callId} that could be undone.`, {
      hint: "It changed nothing, was undone already, or is older than the journal.",
      data: { callId },
    });
  }
  return "call" in target ? [named] : calls.slice(0, index).filter(isOwn);
}

function nothingToUndo(): ToolError {
  return new ToolError("NOT_FOUND", "There is nothing to undo.", {
    hint: "Only calls that changed something are in the history.",
  });
}

/** Refusal because of a call that has not ended. */
export function stillRunning({ tool, callId }: CallRecord, alternative = ""): ToolError {
  return new ToolError("UNAVAILABLE", `${tool} (${callId}) is still running.`, {
    hint: `Wait until it has ended, or stop it${alternative}.`,
    data: { callId },
  });
}

function refuseUnlessUndoable(records: readonly CallRecord[], options: ChooseOptions): void {
  const [newest] = records;
  if (newest === undefined) return;
  const { callId, tool } = newest;
  if (records.some(options.isUnderWay)) {
    throw stillRunning(newest, "; a call before it can be undone by its id");
  }
  if (!hasNothing(records) || isForced(records, options)) return;
  const skipped = records.flatMap((record) => record.skipped);
  const damaged = records.find((record) => record.damaged !== undefined)?.damaged;
  throw new ToolError(
    "UNAVAILABLE",
    `${tool} (${callId}) cannot be undone: ${damaged ?? "nothing was stored"}.`,
    {
      hint: "Name an earlier call, or force its paths to skip this one.",
      data: { callId, skipped },
      retryable: false,
    },
  );
}
