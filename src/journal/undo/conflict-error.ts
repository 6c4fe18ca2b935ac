import { ToolError } from "../../core/index.ts";
import { isNotFound } from "../../text/index.ts";
import { maxDifferenceBytes, textDifference } from "./difference.ts";
import { describeImage, type FileState } from "../capture/file-state.ts";
import type { JournalState } from "../journal-state.ts";
import type { Conflict } from "./undo-conflicts.ts";

/** Maximum number of conflicts listed; the rest are counted. */
const maxShown = 20;

/** The three states of a path in a conflict of an undo. */
export interface ThreeWayDifference {
  readonly path: string;
  readonly callId: string;
  /** State that the undo would restore. */
  readonly before: string;
  /** State after the call. */
  readonly after: string;
  /** Present state. */
  readonly now: string;
  /** Unified diff from the state after the call to the present state. Missing if a side is binary or not stored. */
  readonly changedSince?: string;
  /** Unified diff from the present state to the state that the undo would restore. */
  readonly wouldChange?: string;
  readonly laterCalls: readonly string[];
}

/** STALE_READ error that lists what an undo would overwrite; `data.conflicts` are `ThreeWayDifference`s. */
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
    `Nothing was changed: ${first?.path ?? "a path"}${others} no longer as the call left it.`,
    {
      hint:
        later.length > 0
          ? `Undo ${[...new Set(later)].join(", ")} first, or force these paths.`
          : "Check the differences; force the paths whose present content may be lost.",
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
    after: after === undefined ? "unknown: the call was interrupted" : describeImage(after),
    now: describeImage(now),
    ...(changedSince === undefined ? {} : { changedSince }),
    ...(wouldChange === undefined ? {} : { wouldChange }),
    laterCalls,
  };
}

/** Content of a state: empty for an absent path, undefined if it has no text or is not stored. */
export async function contentOf(
  state: JournalState,
  image: FileState,
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
    if (isNotFound(error)) return new Uint8Array();
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

/** Adds to the error of a full disk that the undo was not started. */
export async function withoutStarting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!ToolError.is(cause) || cause.code !== "NO_SPACE") throw cause;
    const { code, message, hint, data } = cause;
    throw new ToolError(code, `Nothing was changed: an undo has to be recorded first. ${message}`, {
      ...(hint === undefined ? {} : { hint }),
      ...(data === undefined ? {} : { data }),
      cause,
    });
  }
}
