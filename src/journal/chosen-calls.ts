import { ToolError } from "../core/index.ts";
import { contentSize, sameImage } from "./image.ts";
import { inBatches } from "./in-batches.ts";
import type { JournalState } from "./journal-state.ts";
import { wholeOf, type CallRecord } from "./records.ts";
import { lookAt } from "./sight.ts";

/** Which calls to take back: the last ones, one, or every call after one, which itself stays. */
export type UndoTarget =
  | { readonly last: number }
  | { readonly call: string }
  | { readonly to: string };

export interface UndoOptions {
  /** Paths to restore although what is there now would be lost; true for all. */
  readonly force?: boolean | readonly string[];
  /** Only calls of this session count for `last` and `to`. */
  readonly sessionId?: string;
}

/** The calls not taken back, but for those that were cut short before they changed anything. */
export async function standingCalls(
  state: JournalState,
  calls: readonly CallRecord[],
  isUnderWay: (record: CallRecord) => boolean,
): Promise<readonly CallRecord[]> {
  const standing = await Promise.all(
    calls
      .filter((record) => record.state !== "undone")
      .map((record) => withoutUntouched(state, record, isUnderWay(record))),
  );
  return standing.filter(
    (record) => record.paths.length + record.skipped.length > 0 || isUnderWay(record),
  );
}

/**
 * A call that nobody is at any more never said what it left. What still is as it found it was not changed by it,
 * or was put back, and is no reason to ask.
 */
async function withoutUntouched(
  state: JournalState,
  record: CallRecord,
  isUnderWay: boolean,
): Promise<CallRecord> {
  if (record.state !== "open" || isUnderWay) return record;
  const paths = await inBatches(record.paths, async (each) => {
    const { image } = await lookAt(state.fs, each.path, contentSize(each.before));
    return sameImage(image, each.before) ? [] : [each];
  });
  return { ...record, paths: paths.flat() };
}

export interface ChooseOptions extends UndoOptions {
  readonly isUnderWay: (record: CallRecord) => boolean;
}

/** The calls a target means, newest first. NOT_FOUND where there are none, UNAVAILABLE where one cannot be taken back. */
export function chooseCalls(
  standing: readonly CallRecord[],
  target: UndoTarget,
  options: ChooseOptions,
): readonly CallRecord[] {
  const chosen = choose(standing, target, options);
  if (chosen.length === 0) throw nothingToUndo();
  for (const record of chosen) refuseUnlessUndoable(record, options);
  return chosen;
}

function choose(
  standing: readonly CallRecord[],
  target: UndoTarget,
  options: ChooseOptions,
): readonly CallRecord[] {
  const newestFirst = standing.toReversed();
  const own = newestFirst.filter(
    ({ sessionId }) => options.sessionId === undefined || sessionId === options.sessionId,
  );
  if ("last" in target) {
    if (!Number.isSafeInteger(target.last) || target.last < 1) {
      throw new TypeError("last must be a whole number above 0.");
    }
    const busy = new Set(standing.filter(options.isUnderWay).map(wholeOf));
    const calls = [...new Set(own.map(wholeOf))].filter((call) => !busy.has(call));
    const last = new Set(calls.slice(0, target.last));
    return own.filter((record) => last.has(wholeOf(record)));
  }
  const callId = "call" in target ? target.call : target.to;
  const index = newestFirst.findIndex((record) => record.callId === callId);
  const record = newestFirst[index];
  if (record === undefined) {
    throw new ToolError(
      "NOT_FOUND",
      `No call ${callId} that could be taken back is in the history.`,
      {
        hint: "It changed nothing, was taken back already, or is older than the journal goes back.",
        data: { callId },
      },
    );
  }
  // Newest first, so this is the last of its records.
  const call = wholeOf(record);
  if ("call" in target) return newestFirst.filter((each) => wholeOf(each) === call);
  const later = new Set(own.filter((each) => each.seq > record.seq).map(wholeOf));
  return own.filter((each) => later.has(wholeOf(each)));
}

function nothingToUndo(): ToolError {
  return new ToolError("NOT_FOUND", "There is no call to take back.", {
    hint: "Only calls that changed something are in the history.",
  });
}

function refuseUnlessUndoable(record: CallRecord, options: ChooseOptions): void {
  const { callId, tool, skipped } = record;
  if (options.isUnderWay(record)) {
    throw new ToolError("UNAVAILABLE", `${tool} (${callId}) is still running.`, {
      hint: "Wait until it ended, or stop it.",
      data: { callId },
    });
  }
  if (record.paths.length > 0 || skipped.length === 0 || options.force === true) return;
  throw new ToolError(
    "UNAVAILABLE",
    `${tool} (${callId}) cannot be taken back: nothing was kept.`,
    {
      hint: "Name an earlier call, or pass over this one with force.",
      data: { callId, skipped },
      retryable: false,
    },
  );
}
