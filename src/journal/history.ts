import { contentOf } from "./conflict-error.ts";
import { textDifference } from "./difference.ts";
import { changeBetween, sameImage, type Change, type Image } from "./image.ts";
import type { JournalState } from "./journal-state.ts";
import {
  levelOf,
  wholeOf,
  type CallRecord,
  type PathRecord,
  type Skipped,
  type UndoLevel,
} from "./records.ts";
import { lookAt } from "./sight.ts";

/** What is said about a call for its history. */
export interface CallInfo {
  readonly tool: string;
  readonly title?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
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
  /** `open`: under way, or cut short with its process. */
  readonly state: "open" | "done" | "undone";
  readonly changes: readonly { readonly path: string; readonly change: Change | "unknown" }[];
}

/** What one call did to one path. */
export interface PathDifference {
  readonly path: string;
  readonly change: Change | "unknown";
  readonly before: Image;
  readonly after?: Image;
  /** Unified; missing for what is no text, is large, or is not kept any more. */
  readonly diff?: string;
}

/** Newest first, as they are given: the records of one call as one, in the place of the newest. */
export function wholeCalls(records: readonly CallRecord[]): readonly CallRecord[] {
  const wholes = new Map<string, CallRecord>();
  for (const record of records) {
    const whole = wholeOf(record);
    const newer = wholes.get(whole);
    wholes.set(whole, newer === undefined ? record : together(record, newer));
  }
  return [...wholes.values()];
}

/** What an older record of a call and what came after it did, as the one that it was. */
function together(older: CallRecord, newer: CallRecord): CallRecord {
  const afters = new Map(newer.paths.map((each) => [each.path, each]));
  const both = older.paths.map((each): PathRecord => {
    const later = afters.get(each.path);
    afters.delete(each.path);
    return later === undefined ? each : { ...later, before: each.before };
  });
  const paths = [...both, ...afters.values()].toSorted((one, other) =>
    one.path < other.path ? -1 : 1,
  );
  const skipped = [...older.skipped, ...newer.skipped];
  const state = states.find((each) => each === older.state || each === newer.state) ?? newer.state;
  return { ...newer, state, paths, skipped, level: levelOf(paths.length, skipped) };
}

/** A call is as far as the least far of what it did. */
const states: readonly CallRecord["state"][] = ["applying", "open", "done", "undone"];

/** A record as it is told. */
export function entryOf(record: CallRecord): HistoryEntry {
  const { callId, tool, title, sessionId, agentId, at, state, level, skipped } = record;
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
  };
}

/** What a call did to a path, as far as both sides are known. */
export async function differenceOf(
  { path, before, after }: PathRecord,
  state: JournalState,
): Promise<PathDifference> {
  const change = after === undefined ? "unknown" : changeBetween(before, after);
  const known = after && (await leftContent(path, after, state));
  const diff = await textDifference(path, await contentOf(state, before), known);
  return {
    path,
    change,
    before,
    ...(after === undefined ? {} : { after }),
    ...(diff === undefined ? {} : { diff }),
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
