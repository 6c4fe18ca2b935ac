import { byPath, type Captured } from "./capture.ts";
import type { Observed } from "./observe.ts";
import type { CallRecord } from "./records.ts";
import type { Watched } from "./watch.ts";

/** A call with a checkpoint that has not settled. */
export interface UnderWay {
  readonly record: CallRecord;
  /** Records of it that came after that one, by their ids: one for each further overlay that was brought over. */
  readonly further?: readonly string[];
  readonly captured: Captured;
  /** Makes what was captured durable, once. */
  readonly flush: () => Promise<unknown>;
  readonly watched: Watched | undefined;
  /** What was brought from an overlay has its record in the place of the checkpoint's; the rest is still to be looked at. */
  readonly applied?: CallRecord;
  /** Paths at which only others change something. */
  readonly isOthers?: (path: string) => boolean;
}

/** Calls that have not settled, by their ids. */
export type CallsUnderWay = ReadonlyMap<string, UnderWay>;

/** Whether a record is one of a call under way: another call may have had the same id once. */
export function isUnderWay({ id, callId }: CallRecord, calls: CallsUnderWay): boolean {
  const call = calls.get(callId);
  return call !== undefined && (call.record.id === id || call.further?.includes(id) === true);
}

/** Brought from an overlay and observed beside it: what was brought is known better. */
export function withApplied(
  all: Observed,
  { applied, record, captured, isOthers = () => false }: UnderWay,
): Observed {
  const isOwn = ({ path }: { readonly path: string }): boolean => !isOthers(path);
  const observed = { changed: all.changed.filter(isOwn), skipped: all.skipped.filter(isOwn) };
  if (applied === undefined) return observed;
  const brought = applied.paths.filter(({ after }) => after !== undefined);
  const before = new Set([...record.skipped, ...captured.skipped].map(({ path }) => path));
  const skipped = applied.skipped.filter(({ path }) => !before.has(path));
  const known = new Set([...brought, ...skipped].map(({ path }) => path));
  const isNew = ({ path }: { readonly path: string }): boolean => !known.has(path);
  return {
    changed: [...brought, ...observed.changed.filter(isNew)].toSorted(byPath),
    skipped: [...skipped, ...observed.skipped.filter(isNew)],
  };
}
