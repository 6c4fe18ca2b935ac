import { isWithin } from "../../text/index.ts";
import { byPath, type Captured } from "../capture/capture.ts";
import { absent, changeBetween, type FileState } from "../capture/file-state.ts";
import type { CapturedWrites } from "../capture/captured-writes.ts";
import type { Observed } from "../capture/compare.ts";
import type { CallRecord, LostContent, PathRecord } from "../records.ts";
import type { Watched } from "../capture/watch-trees.ts";

/** Call with a checkpoint that has not been completed. */
export interface UnderWay {
  readonly record: CallRecord;
  /**
   * Records of changes applied from overlays, in order; the first replaces the record of the checkpoint. Changes
   * outside the overlays are still to be compared.
   */
  readonly brought: readonly CallRecord[];
  readonly captured: Captured;
  /** Set where the call makes all its changes through its host. */
  readonly transaction?: CapturedWrites | undefined;
  /** Makes the captured content durable, once. */
  readonly flush: () => Promise<unknown>;
  readonly watched: Watched | undefined;
  /** Matches paths whose changes belong to other calls only. */
  readonly isOthers?: (path: string) => boolean;
}

/** Calls that have not been completed, by their ids. */
export type CallsUnderWay = ReadonlyMap<string, UnderWay>;

/** Whether a record belongs to an active call: an earlier call may have had the same id. */
export function isUnderWay({ id, callId }: CallRecord, calls: CallsUnderWay): boolean {
  const call = calls.get(callId);
  return call !== undefined && [call.record, ...call.brought].some((record) => record.id === id);
}

/** Changes of a call with a checkpoint, for its records. */
export interface Settled extends Observed {
  /** For the first record: files that the call removed or overwrote without a stored copy. */
  readonly lost: readonly LostContent[];
  /** Further records of the call that need new content. */
  readonly further: readonly CallRecord[];
}

/**
 * Final content of the records of a call, from the changes applied from overlays and the changes observed outside them.
 * A path that the call itself may change goes from its state in the checkpoint, through the state that each part found,
 * to its present state. For every other path, the applied records are more accurate.
 */
export function withBrought(all: Observed, call: UnderWay): Settled {
  // Most calls have no overlay.
  if (call.brought.length === 0 && call.isOthers === undefined)
    return { ...all, lost: [], further: [] };
  const { record, captured, isOthers = () => false } = call;
  const isOwn = ({ path }: { readonly path: string }): boolean => !isOthers(path);
  const observed = {
    changed: all.changed.filter(isOwn),
    skipped: all.skipped.filter(isOwn),
    unkept: all.unkept.filter(isOwn),
  };
  const [first, ...further] = partsOf(all, call);
  if (first === undefined) return { ...observed, lost: [], further: [] };
  const before = new Set([...record.skipped, ...captured.skipped].map(({ path }) => path));
  const skipped = first.skipped.filter(({ path }) => !before.has(path));
  // A directory may be stored although an entry in it is not.
  const came = new Set(call.brought[0]?.paths.flatMap(({ path, after }) => (after ? path : [])));
  const unkept = new Set(skipped.flatMap(({ path }) => (came.has(path) ? [] : path)));
  const changed = first.paths.filter(({ path }) => !unkept.has(path));
  const known = new Set(changed.map(({ path }) => path));
  const lost = observed.skipped.filter(({ path }) => !unkept.has(path) && !known.has(path));
  return {
    changed: changed.filter(isChanged).toSorted(byPath),
    skipped: [...skipped, ...lost],
    // `apply` has already reported the paths that it applied.
    unkept: observed.unkept.filter((each) => lost.includes(each)),
    lost: [...(first.lost ?? []), ...lost.map(({ path }) => ({ path }))],
    further: further.filter((each, index) => each !== call.brought[index + 1]),
  };
}

/** Records of applied changes; the first also includes the changes of the call itself. */
function partsOf(
  { changed, skipped }: Observed,
  { brought, captured, isOthers = () => false }: UnderWay,
): readonly CallRecord[] {
  const found = new Map(changed.map((each) => [each.path, each.after]));
  const unseen = new Set([...skipped, ...captured.skipped].map(({ path }) => path));
  const isOwn = (path: string): boolean =>
    !isOthers(path) &&
    !unseen.has(path) &&
    (captured.images.has(path) || captured.trees.some((root) => isWithin(root, path)));
  /** State that the next part after the current one found at a path. */
  const next = new Map<string, FileState>();
  /** The path's change up to its last state; nothing for a path that is back in its state before the call. */
  const end = ({ path, before }: PathRecord): readonly PathRecord[] => {
    const last = found.get(path);
    return last === undefined ? [] : [{ path, before, after: next.get(path) ?? last }];
  };
  const further = brought
    .slice(1)
    .toReversed()
    .map((part): CallRecord => {
      const paths = part.paths.flatMap((each) => (isOwn(each.path) ? end(each) : [each]));
      for (const { path, before } of part.paths) next.set(path, before);
      const isSame =
        paths.length === part.paths.length &&
        paths.every(({ after }, at) => isSameImage(after, part.paths[at]?.after));
      if (isSame) return part;
      const { goesOn: _goesOn, ...ended } = part;
      return { ...ended, paths: paths.filter(isChanged) };
    });
  return [...brought.slice(0, 1).map(firstPart), ...further.toReversed()];

  function firstPart(part: CallRecord): CallRecord {
    const others = part.paths.filter(({ path, after }) => after !== undefined && !isOwn(path));
    const ends = [...found.keys()].filter(isOwn).flatMap((path) => {
      return end({ path, before: captured.images.get(path) ?? absent });
    });
    return { ...part, paths: [...others, ...ends] };
  }
}

function isSameImage(one: FileState | undefined, other: FileState | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return changeBetween(one, other) === "none";
}

function isChanged({ before, after }: PathRecord): boolean {
  return after === undefined || changeBetween(before, after) !== "none";
}
