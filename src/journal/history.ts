import type { HostFile } from "../core/index.ts";
import { contentOf } from "./undo/conflict-error.ts";
import { textDifference } from "./undo/difference.ts";
import { changeBetween, sameImage, type Change, type Image } from "./capture/file-state.ts";
import type { JournalState } from "./journal-state.ts";
import {
  wholeOf,
  type CallRecord,
  type PathRecord,
  type Skipped,
  type UndoLevel,
} from "./records.ts";
import { lookAt } from "./capture/snapshot.ts";
import { wholeCalls, withoutNothing } from "./log/merge-records.ts";

/** What is said about a call for its history. */
export interface CallInfo {
  readonly tool: string;
  readonly title?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
}

/** One that may have to wait for other programs that change the same paths. */
export interface WaitingCallInfo extends CallInfo {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

export interface ApplyInfo extends WaitingCallInfo {
  /**
   * Fail with LIMIT_REACHED, having changed nothing, where something could not be taken back; `data.count` says of how
   * many paths, `data.unkept` names the first of them and why.
   */
  readonly keepsAll?: boolean;
  /** More of the call may come: it counts as running until it is settled. */
  readonly goesOn?: boolean;
  /** What an earlier `apply` of the same call resolved to: both are one then, and this resolves to the whole. */
  readonly continues?: HistoryEntry | undefined;
}

export interface CheckpointInfo extends WaitingCallInfo {
  /**
   * Trees the call may change beyond what it says. They are looked at before and after, within the budget; what changed
   * in them is named as not kept.
   */
  readonly watch?: readonly string[];
  /**
   * Where given, the checkpoint resolves when its images are written, and tells here what makes them durable: to be
   * called before anything is changed, as often as need be.
   */
  readonly flushLater?: (flush: () => Promise<unknown>) => void;
  /** Told of each file whose content is kept, as it was. */
  readonly onKept?: (file: HostFile) => void;
}

/** How far a call can be taken back: all it said it would write, some of it, nothing. */
export interface Assessment {
  readonly level: UndoLevel;
  /** What is not kept, and why. */
  readonly skipped: readonly Skipped[];
}

export interface Checkpoint extends Assessment {
  readonly callId: string;
}

export interface HistoryEntry extends Checkpoint, CallInfo {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `open`: still running, or cut short with its process before anybody knew what it left. */
  readonly state: "open" | "done" | "undone";
  /** Somebody is at it: it can be taken back when it has ended. */
  readonly isRunning?: true;
  readonly changes: readonly { readonly path: string; readonly change: Change | "unknown" }[];
  /** What the latest undo or redo of it left as it was, and why; one that was cut short and finished later, too. */
  readonly left?: readonly Skipped[];
  /** What the journal has lost of it, because a file of the journal is damaged. */
  readonly damaged?: string;
}

/** A call that is over. */
export interface SettledEntry extends HistoryEntry {
  /**
   * What it is known to have changed itself and cannot be taken back; what was brought from an overlay is not
   * among it. A directory of which nobody knows what was in it counts as one.
   */
  readonly unkept?: {
    readonly paths: readonly Skipped[];
    /** Whether `paths` has every one there was. */
    readonly isCounted: boolean;
  };
  /** Paths in watched trees that changed while it ran, and that no other call is known to have changed. */
  readonly seen?: readonly string[];
}

/** What one call did to one path. */
export interface PathDifference {
  readonly path: string;
  readonly change: Change | "unknown";
  readonly before: Image;
  readonly after?: Image;
  /** Unified; missing for what is no text, is large, or is not kept any more. */
  readonly diff?: string;
  /** Of a text that is not in UTF-8; its diff can be read, and is no patch. */
  readonly encoding?: string;
}

/** A record as it is told. */
export function entryOf(record: CallRecord): HistoryEntry {
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
    changes: record.paths.map(({ path, before, after }) => ({
      path,
      change: after === undefined ? "unknown" : changeBetween(before, after),
    })),
    ...(left === undefined ? {} : { left }),
    ...(damaged === undefined ? {} : { damaged }),
  };
}

/** The calls of these records, newest first as they are given. */
export function toldCalls(
  records: readonly CallRecord[],
  { isRunning }: { readonly isRunning: (record: CallRecord) => boolean },
): readonly HistoryEntry[] {
  const running = new Set(
    records.filter((record) => record.state === "applying" || isRunning(record)).map(wholeOf),
  );
  return wholeCalls(withoutNothing(records, isRunning)).map((record) => {
    const entry = entryOf(record);
    return running.has(wholeOf(record)) ? { ...entry, state: "open", isRunning: true } : entry;
  });
}

/** What a call did to a path, as far as both sides are known. */
export async function differenceOf(
  { path, before, after }: PathRecord,
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
    ...(await textDifference(path, sides, state.decodeOlder)),
  };
}

/** What a call left: from the journal, or from the path where it still is that. */
async function leftContent(
  path: string,
  after: Image,
  state: JournalState,
): Promise<Uint8Array | undefined> {
  const kept = await contentOf(state, after);
  if (kept !== undefined || after.kind !== "file") return kept;
  const { image, bytes } = await lookAt(state.fs, path, after.size);
  return sameImage(image, after) ? bytes : undefined;
}
