import type { Image } from "./capture/file-state.ts";

/** Grows when a stored form changes; opening a journal then turns older ones into this one. */
export const formatVersion = 3;
/** As this one, but for checksums, which its lines do not have. */
export const uncheckedVersion = 2;

export interface PathRecord {
  readonly path: string;
  readonly before: Image;
  /** Missing until the call is over. */
  readonly after?: Image;
}

/** A path whose content could not be kept, and why. */
export interface Skipped {
  readonly path: string;
  readonly because: string;
}

/** A file whose content is not kept; without a size where nobody knows that either. */
export interface Lost {
  readonly path: string;
  readonly size?: number;
  /** Of its content, where that was read; left out, only its size tells what may be a copy of it. */
  readonly hash?: string;
}

export type UndoLevel = "full" | "partial" | "none";

/** How far that can be taken back of which so many paths are kept, and these are not. */
export function levelOf(kept: number, skipped: readonly Skipped[]): UndoLevel {
  if (skipped.length === 0) return "full";
  return kept === 0 ? "none" : "partial";
}

/** One call and what it did to the files it said it would touch. */
export interface CallRecord {
  readonly kind: "call";
  /** No other record of this journal has it. */
  readonly id: string;
  /** Where it first stands in the log; grows with every record, and is 0 until it is read from there. */
  readonly seq: number;
  readonly callId: string;
  /** The first record of the same call, by `id`, where this is a further one: they are told and taken back together. */
  readonly partOf?: string;
  readonly tool: string;
  readonly title?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `applying`: its staged changes are on their way to the real tree, by `steps`. */
  readonly state: "open" | "applying" | "done" | "undone";
  readonly level: UndoLevel;
  readonly skipped: readonly Skipped[];
  readonly paths: readonly PathRecord[];
  /** What it took away or wrote over and nobody kept: a further record of the call may say where it went. */
  readonly lost?: readonly Lost[];
  readonly steps?: readonly Step[];
  /** What the latest undo or redo of it had to leave as it was, and why. */
  readonly left?: readonly Skipped[];
  /** Its staged changes are at their places, and its call goes on: it may bring more until it has settled. */
  readonly goesOn?: true;
  /** Who works on it while it is open or applying, or goes on. Left out where nobody could tell that it still does. */
  readonly by?: string;
  /** When its program last noted that it does; found in the log beside the record. */
  readonly seenAt?: number;
  /** What of this record is lost, for the stored form is damaged; found when the log is read, and never stored. */
  readonly damaged?: string;
}

/** One path on its way from what is there to what shall be there. */
export interface Step {
  readonly path: string;
  readonly from: Image;
  readonly to: Image;
  /** A file that has all of `to` and is moved to the path. Left out: the content is in the journal. */
  readonly source?: string;
  /** Where the file that leaves is moved to. Left out: it is removed, for the journal has its content. */
  readonly away?: string;
}

/** One undo: written before its first change, so that one that was cut short can be finished. */
export interface UndoRecord {
  readonly kind: "undo";
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  /** `started` and `redoing` are cut short when nobody is at it any more. */
  readonly state: "started" | "done" | "redoing";
  /** The calls it takes back, by `id`. */
  readonly calls: readonly string[];
  readonly steps: readonly Step[];
  /** Who works on it while it is not done. */
  readonly by?: string;
  /** As in `CallRecord`. */
  readonly damaged?: string;
}

/** What is the same for all records of one call, and only for them: a model may give two calls one id. */
export function wholeOf({ id, partOf }: CallRecord): string {
  return partOf ?? id;
}

/** Whether its call is not over, if whoever works on it is there; what is applied has its turn besides. */
export function isUnfinished({ state, goesOn }: CallRecord): boolean {
  return state === "open" || (state === "done" && goesOn === true);
}

export type JournalRecord = CallRecord | UndoRecord;

/** A record that nobody is at any more: whoever opens the journal next may finish what it says. */
export function disowned<R extends JournalRecord>({ by: _by, ...record }: R): Omit<R, "by"> {
  return record;
}
