import { ToolError } from "../../core/index.ts";
import { maxDifferenceBytes, textDifference } from "./difference.ts";
import { describeImage, type Image } from "../capture/file-state.ts";
import type { JournalState } from "../journal-state.ts";
import type { Conflict } from "./plan.ts";
import { isMissing } from "../capture/snapshot.ts";

/** More conflicts than this nobody reads; their number is told. */
const maxShown = 20;

/** The three states of a path that an undo would have to choose between. */
export interface ThreeWayDifference {
  readonly path: string;
  readonly callId: string;
  /** What the undo would restore. */
  readonly before: string;
  /** What the call left. */
  readonly after: string;
  /** What is there. */
  readonly now: string;
  /** Unified diff from what the call left to what is there; missing where a side is no text or not kept. */
  readonly changedSince?: string;
  /** Unified diff from what is there to what the undo would restore. */
  readonly wouldChange?: string;
  readonly laterCalls: readonly string[];
}

/** STALE_READ that says what an undo would overwrite; `data.conflicts` are `ThreeWayDifference`s. */
export async function conflictError(
  conflicts: readonly Conflict[],
  state: JournalState,
): Promise<ToolError> {
  const shown = await Promise.all(
    conflicts.slice(0, maxShown).map((conflict) => threeWay(conflict, state)),
  );
  const [first] = conflicts;
  const paths = conflicts.map(({ path }) => path);
  const later = conflicts.flatMap(({ laterCalls }) => laterCalls);
  const others = paths.length > 1 ? ` and ${paths.length - 1} more are` : " is";
  return new ToolError(
    "STALE_READ",
    `Nothing was changed: ${first?.path ?? "a path"}${others} no longer what the call left.`,
    {
      hint:
        later.length > 0
          ? `Take back ${[...new Set(later)].join(", ")} first, or force these paths.`
          : "Look at the differences; force the paths whose present content may be lost.",
      data: { conflicts: shown, paths },
    },
  );
}

async function threeWay(conflict: Conflict, state: JournalState): Promise<ThreeWayDifference> {
  const { path, record, before, after, now, laterCalls } = conflict;
  const present = (await contentOf(state, now)) ?? (await presentContent(state, path));
  const left = after === undefined ? undefined : await contentOf(state, after);
  const { decodeOlder } = state;
  const since = { before: left, after: present };
  const would = { before: present, after: await contentOf(state, before) };
  const { diff: changedSince } = await textDifference(path, since, decodeOlder);
  const { diff: wouldChange } = await textDifference(path, would, decodeOlder);
  return {
    path,
    callId: record.callId,
    before: describeImage(before),
    after: after === undefined ? "unknown: the call was cut short" : describeImage(after),
    now: describeImage(now),
    ...(changedSince === undefined ? {} : { changedSince }),
    ...(wouldChange === undefined ? {} : { wouldChange }),
    laterCalls,
  };
}

/** What an image held; nothing for what does not exist, undefined for what has no text or is not kept. */
export async function contentOf(
  state: JournalState,
  image: Image,
): Promise<Uint8Array | undefined> {
  if (image.kind === "absent") return new Uint8Array();
  if (image.kind !== "file") return undefined;
  try {
    return await state.blobs.get(image.hash);
  } catch (error) {
    // A damaged copy must not hide the conflict.
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

async function presentContent(state: JournalState, path: string): Promise<Uint8Array | undefined> {
  try {
    return (await state.fs.readFile(path, { maxBytes: maxDifferenceBytes })).bytes;
  } catch (error) {
    if (isMissing(error)) return new Uint8Array();
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
