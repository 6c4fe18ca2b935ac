import type { WriteTransaction } from "../core/index.ts";
import { contentOf } from "./undo/conflict-error.ts";
import { textDifference } from "./undo/difference.ts";
import {
  changeBetween,
  isSameState,
  type FileChange,
  type FileState,
} from "./capture/file-state.ts";
import type { JournalState } from "./journal-state.ts";
import {
  wholeOf,
  type CallRecord,
  type PathRecord,
  type NotCaptured,
  type UndoLevel,
} from "./records.ts";
import { snapshotPath } from "./capture/snapshot.ts";
import { wholeCalls, withoutNothing } from "./log/merge-records.ts";

/** Description of a call for its history. */
export interface JournaledCall {
  /** Name of the tool. */
  readonly tool: string;
  /** Title for users. */
  readonly title?: string;
  /** Session of the call. */
  readonly sessionId?: string;
  /** Agent of the call. */
  readonly agentId?: string;
}

/** Description of a call that may have to wait for other programs that change the same paths. */
export interface WaitingCallInfo extends JournaledCall {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

export interface ApplyInfo extends WaitingCallInfo {
  /**
   * Fail with LIMIT_REACHED, without changing anything, if some change could not be undone. `data.count` is the number
   * of such paths, `data.unkept` lists the first of them with the reason.
   */
  readonly keepsAll?: boolean;
  /** More changes of the call may follow: it counts as running until `settle`. */
  readonly goesOn?: boolean;
  /**
   * Result of an earlier `apply` of the same call. Both become one entry, and this `apply` resolves to the merged
   * entry.
   */
  readonly continues?: JournalEntry | undefined;
}

export interface CheckpointInfo extends WaitingCallInfo {
  /**
   * Trees that the call may change in addition to its declared writes. They are scanned before and after the call,
   * within the budget; changes in them are listed as not stored.
   */
  readonly watch?: readonly string[];
  /**
   * The call makes all its changes through its host, in a transaction. The checkpoint then resolves once its before
   * states are written; they become durable right before the first change, together with it.
   */
  readonly isTransaction?: boolean;
}

/** How much of a call can be undone: all of its declared writes, some of them, or nothing. */
export interface UndoAssessment {
  /** How far the call can be undone. */
  readonly level: UndoLevel;
  /** Paths that are not stored, and the reason. */
  readonly skipped: readonly NotCaptured[];
}

/** Record of what the journal stored before a call changed anything. */
export interface Checkpoint extends UndoAssessment {
  /** Call that it belongs to. */
  readonly callId: string;
}

/** Result of a checkpoint. */
export interface CheckpointTaken extends Checkpoint {
  /** Set where the call makes all its changes in a transaction. */
  readonly transaction?: WriteTransaction;
}

/** A call in the journal. */
export interface JournalEntry extends Checkpoint, JournaledCall {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `open`: still running, or interrupted with its process before its changes were recorded. */
  readonly state: "open" | "done" | "undone";
  /** A live process still runs it. It can be undone after it has ended. */
  readonly isRunning?: true;
  /** Paths it changed, and the hooks whose programs ran after it while the path changed once more. */
  readonly changes: readonly {
    readonly path: string;
    readonly change: FileChange | "unknown";
    readonly hooks?: readonly string[];
  }[];
  /**
   * Paths that the latest undo or redo did not restore, and the reason; also for one that was interrupted and completed
   * later.
   */
  readonly left?: readonly NotCaptured[];
  /** Data of the call that is lost because a file of the journal is damaged. */
  readonly damaged?: string;
}

/** Call that has ended. */
export interface SettledEntry extends JournalEntry {
  /**
   * Known changes of the call itself that cannot be undone, without those applied from an overlay. A directory of
   * unknown content counts as one.
   */
  readonly unkept?: {
    readonly paths: readonly NotCaptured[];
    /** Whether `paths` is complete. */
    readonly isCounted: boolean;
  };
  /** Paths in watched trees that changed while the call ran and that no other call is known to have changed. */
  readonly seen?: readonly string[];
}

/** FileChange of one path by one call. */
export interface PathDifference {
  /** Absolute path. */
  readonly path: string;
  /** Kind of change; `unknown` if the state after the call is not recorded. */
  readonly change: FileChange | "unknown";
  /** State before the call. */
  readonly before: FileState;
  /** State after the call; absent if it was not recorded. */
  readonly after?: FileState;
  /** Unified diff. Missing for binary or large content, and for content that is no longer stored. */
  readonly diff?: string;
  /** Hooks whose programs ran after the call while the path changed once more. The diff includes that. */
  readonly hooks?: readonly string[];
  /** Encoding of a text that is not UTF-8. Its diff is for reading and cannot be applied as a patch. */
  readonly encoding?: string;
}

/** Public form of a record. */
export function entryOf(record: CallRecord): JournalEntry {
  const { callId, tool, title, sessionId, agentId, at, state, level, skipped, left, damaged } =
    record;
  return {
    callId,
    tool,
    ...(title === undefined ? {} : { title }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    at,
    state: state === "applying" ? "open" : state,
    level,
    skipped,
    changes: record.paths.map(({ path, before, after, hooks }) => ({
      path,
      change: after === undefined ? "unknown" : changeBetween(before, after),
      ...(hooks === undefined ? {} : { hooks }),
    })),
    ...(left === undefined ? {} : { left }),
    ...(damaged === undefined ? {} : { damaged }),
  };
}

/** Calls of these records, newest first if the records are. */
export function toldCalls(
  records: readonly CallRecord[],
  { isRunning }: { readonly isRunning: (record: CallRecord) => boolean },
): readonly JournalEntry[] {
  const running = new Set(
    records.filter((record) => record.state === "applying" || isRunning(record)).map(wholeOf),
  );
  return wholeCalls(withoutNothing(records, isRunning)).map((record) => {
    const entry = entryOf(record);
    return running.has(wholeOf(record)) ? { ...entry, state: "open", isRunning: true } : entry;
  });
}

/** FileChange of one path by a call, as far as both sides are known. */
export async function differenceOf(
  { path, before, after, hooks }: PathRecord,
  state: JournalState,
): Promise<PathDifference> {
  const change = after === undefined ? "unknown" : changeBetween(before, after);
  const known = after && (await leftContent(path, after, state));
  const sides = { before: await contentOf(state, before), after: known };
  return {
    path,
    change,
    before,
    ...(after === undefined ? {} : { after }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(await textDifference(path, sides, state.decodeOlder)),
  };
}

/** Content after a call: from the journal, or from the path if it is unchanged since. */
async function leftContent(
  path: string,
  after: FileState,
  state: JournalState,
): Promise<Uint8Array | undefined> {
  const kept = await contentOf(state, after);
  if (kept !== undefined || after.kind !== "file") return kept;
  const { image, bytes } = await snapshotPath(state.fs, path, after.size);
  return isSameState(image, after) ? bytes : undefined;
}
