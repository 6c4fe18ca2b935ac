import type { FileState } from "./capture/file-state.ts";

/** Version of the stored form. Opening a journal of an older version converts it to this one. */
export const formatVersion = 3;
/** Version without checksums in its lines; otherwise the same as the current one. */
export const uncheckedVersion = 2;

export interface PathRecord {
  readonly path: string;
  readonly before: FileState;
  /** Missing until the call has ended. */
  readonly after?: FileState;
  /** Hooks whose programs ran after the call while the path changed to `after`. */
  readonly hooks?: readonly string[];
}

/** Path whose content could not be stored, and the reason. */
export interface NotCaptured {
  /** Path that is not stored. */
  readonly path: string;
  /** Reason, for users. */
  readonly because: string;
}

/** File whose content is not stored. The size is missing if it is unknown. */
export interface LostContent {
  readonly path: string;
  readonly size?: number;
  /** Hash of the content, if it was read. Without it, only the size shows which files may be copies of this one. */
  readonly hash?: string;
}

/** How far a call can be undone. */
export type UndoLevel = "full" | "partial" | "none";

/** Undo level of a call, from the number of stored paths and the list of paths that are not stored. */
export function levelOf(kept: number, skipped: readonly NotCaptured[]): UndoLevel {
  if (skipped.length === 0) return "full";
  return kept === 0 ? "none" : "partial";
}

/** A call and its changes to the files that it declared. */
export interface CallRecord {
  readonly kind: "call";
  /** Unique in this journal. */
  readonly id: string;
  /** Position of the record's first line in the log. Grows with every record; 0 until it is read from the log. */
  readonly seq: number;
  readonly callId: string;
  /** `id` of the first record of the same call, if this is a further one: they are listed and undone together. */
  readonly partOf?: string;
  readonly tool: string;
  readonly title?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `applying`: its staged changes are being applied to the real tree, as listed in `steps`. */
  readonly state: "open" | "applying" | "done" | "undone";
  readonly level: UndoLevel;
  readonly skipped: readonly NotCaptured[];
  readonly paths: readonly PathRecord[];
  /**
   * Files that the call removed or overwrote without a stored copy. A further record of the call may name their new
   * path.
   */
  readonly lost?: readonly LostContent[];
  readonly steps?: readonly Step[];
  /** Paths that the latest undo or redo of the call did not restore, and the reason. */
  readonly left?: readonly NotCaptured[];
  /** Its staged changes are applied and the call still runs: more may follow until it is completed. */
  readonly goesOn?: true;
  /** While it runs, its programs may change files that it does not name. */
  readonly watches?: true;
  /**
   * Process that owns the call while it is open, applying or still running. Omitted if other processes could not check
   * that it is alive.
   */
  readonly by?: string;
  /** Time of its latest heartbeat. Read from the log, where it has a line of its own. */
  readonly seenAt?: number;
  /** Part of the record that is lost because the stored form is damaged. Found when the log is read, never stored. */
  readonly damaged?: string;
}

/** FileChange of one path from its present state to its target state. */
export interface Step {
  readonly path: string;
  readonly from: FileState;
  readonly to: FileState;
  /** File with the content and metadata of `to`, which is moved to the path. Omitted: the content is in the journal. */
  readonly source?: string;
  /** Path to which the replaced file is moved. Omitted: it is removed, because the journal has its content. */
  readonly away?: string;
}

/** One undo. Written before its first change, so that an interrupted undo can be completed. */
export interface UndoRecord {
  readonly kind: "undo";
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  /** `started` and `redoing` are interrupted if no live process owns them. */
  readonly state: "started" | "done" | "redoing";
  /** Calls that it undoes, by `id`. */
  readonly calls: readonly string[];
  readonly steps: readonly Step[];
  /** Process that owns the undo until it is done. */
  readonly by?: string;
  /** As in `CallRecord`. */
  readonly damaged?: string;
}

/** Key shared by all records of one call and no others. A model may give two calls the same id. */
export function wholeOf({ id, partOf }: CallRecord): string {
  return partOf ?? id;
}

/**
 * Whether the call has not ended, provided that its owner is alive. Records in state `applying` are handled separately.
 */
export function isUnfinished({ state, goesOn }: CallRecord): boolean {
  return state === "open" || (state === "done" && goesOn === true);
}

export type JournalRecord = CallRecord | UndoRecord;

/** Record without an owner: the next process that opens the journal may complete it. */
export function disowned<R extends JournalRecord>({ by: _by, ...record }: R): Omit<R, "by"> {
  return record;
}
