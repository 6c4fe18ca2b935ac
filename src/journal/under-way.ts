import { byPath, type Captured } from "./capture.ts";
import { changeBetween } from "./image.ts";
import type { Observed } from "./observe.ts";
import type { CallRecord, Lost, PathRecord } from "./records.ts";
import type { Watched } from "./watch.ts";

/** A call with a checkpoint that has not settled. */
export interface UnderWay {
  readonly record: CallRecord;
  /**
   * What was brought from overlays, one after the other: the first has its record in the place of the checkpoint's. The
   * rest is still to be looked at.
   */
  readonly brought: readonly CallRecord[];
  readonly captured: Captured;
  /** Makes what was captured durable, once. */
  readonly flush: () => Promise<unknown>;
  readonly watched: Watched | undefined;
  /** Paths at which only others change something. */
  readonly isOthers?: (path: string) => boolean;
}

/** Calls that have not settled, by their ids. */
export type CallsUnderWay = ReadonlyMap<string, UnderWay>;

/** Whether a record is one of a call under way: another call may have had the same id once. */
export function isUnderWay({ id, callId }: CallRecord, calls: CallsUnderWay): boolean {
  const call = calls.get(callId);
  return call !== undefined && [call.record, ...call.brought].some((record) => record.id === id);
}

/**
 * What the first record of a call is to say. Brought from an overlay and observed beside it: what was brought is known
 * better. What the call itself changed at a path that it said is its own as well, up to where a further record goes on.
 */
export function withBrought(
  all: Observed,
  { brought: [first, ...further], record, captured, isOthers = () => false }: UnderWay,
): Observed & { readonly lost: readonly Lost[] } {
  const isOwn = ({ path }: { readonly path: string }): boolean => !isOthers(path);
  const observed = {
    changed: all.changed.filter(isOwn),
    skipped: all.skipped.filter(isOwn),
    unkept: all.unkept.filter(isOwn),
  };
  if (first === undefined) return { ...observed, lost: [] };
  const before = new Set([...record.skipped, ...captured.skipped].map(({ path }) => path));
  const skipped = first.skipped.filter(({ path }) => !before.has(path));
  const unkept = new Set(skipped.map(({ path }) => path));
  const brought = first.paths.filter(({ after }) => after !== undefined);
  const changed = new Map(brought.map((each) => [each.path, each]));
  const lost = observed.skipped.filter(({ path }) => !unkept.has(path) && !changed.has(path));
  const next = new Map(
    further.toReversed().flatMap(({ paths }) => paths.map((each) => [each.path, each.before])),
  );
  for (const found of [...observed.changed, ...record.paths.filter(isOwn)]) {
    const { path } = found;
    const after = next.get(path) ?? changed.get(path)?.after ?? found.after;
    if (after !== undefined && !unkept.has(path)) changed.set(path, { ...found, after });
  }
  return {
    changed: [...changed.values()].filter(isChanged).toSorted(byPath),
    skipped: [...skipped, ...lost],
    // What was brought has been told by whoever brought it.
    unkept: observed.unkept.filter((each) => lost.includes(each)),
    lost: [...(first.lost ?? []), ...lost.map(({ path }) => ({ path }))],
  };
}

function isChanged({ before, after }: PathRecord): boolean {
  return after === undefined || changeBetween(before, after) !== "none";
}
