import { changeBetween, sameImage, type Image } from "../capture/file-state.ts";
import { withoutOnlyCopies } from "../undo/only-copies.ts";
import type { RecordStore } from "./record-store.ts";
import { levelOf, wholeOf, type CallRecord, type PathRecord } from "../records.ts";

/** The records of each call together, in the order in which they are given. */
export function byCall(records: readonly CallRecord[]): readonly (readonly CallRecord[])[] {
  return [...Map.groupBy(records, wholeOf).values()];
}

/** What all records of a call in the log come to. */
export async function wholeOfLog(
  records: Pick<RecordStore, "calls">,
  record: CallRecord,
): Promise<CallRecord | undefined> {
  const all = (await records.calls()).filter((each) => wholeOf(each) === wholeOf(record));
  return wholeCalls(all.toReversed())[0];
}

/** Newest first, as they are given: the records of one call as one, in the place of the newest. */
export function wholeCalls(newestFirst: readonly CallRecord[]): readonly CallRecord[] {
  return byCall(withoutLastCopies(newestFirst)).flatMap(wholeCall);
}

/**
 * Without calls that put everything back which they had brought, but for those that may go on, and those between whose
 * parts somebody else was at the same path.
 */
export function withoutNothing(
  records: readonly CallRecord[],
  isRunning: (record: CallRecord) => boolean,
): readonly CallRecord[] {
  const nothing = new Set(
    byCall(records).flatMap((own) => {
      if (own.length === 1 || own.some(isRunning) || !isUnbroken(own)) return [];
      const [whole] = wholeCall(own.toSorted((one, other) => other.seq - one.seq));
      return whole !== undefined && whole.paths.length + whole.skipped.length > 0 ? [] : own;
    }),
  );
  return nothing.size === 0 ? records : records.filter((record) => !nothing.has(record));
}

/** What one record of a call made may be all that is left of what another one did not keep, and then has to stay. */
export function withoutLastCopies(records: readonly CallRecord[]): readonly CallRecord[] {
  const copies = new Map(
    byCall(records).flatMap((own) => {
      const lost = own.flatMap((record) => record.lost ?? []);
      if (own.length === 1 || lost.length === 0) return [];
      const { skipped } = withoutOnlyCopies({ paths: pathsOf(own), lost });
      return own.map(({ id }) => [id, skipped] as const);
    }),
  );
  return records.map((record) => {
    const stay = new Map(copies.get(record.id)?.map((each) => [each.path, each]));
    const paths = record.paths.filter(({ path }) => !stay.has(path));
    if (paths.length === record.paths.length) return record;
    const skipped = [
      ...record.skipped,
      ...record.paths.flatMap(({ path }) => stay.get(path) ?? []),
    ];
    return { ...record, paths, skipped, level: levelOf(paths.length, skipped) };
  });
}

/** A call is as far as the least far of what it did. */
const states: readonly CallRecord["state"][] = ["applying", "open", "done", "undone"];

function wholeCall(newestFirst: readonly CallRecord[]): readonly CallRecord[] {
  // One of them is taken back alone by a program that did so before the next one came, or knows of no others.
  const standing = newestFirst.filter(({ state }) => state !== "undone");
  const records = standing.length === 0 ? newestFirst : standing;
  const [newest] = records;
  if (newest === undefined || records.length === 1) return records;
  const state = states.find((each) => records.some((record) => record.state === each));
  const paths = pathsOf(records).filter(
    ({ before, after }) => after === undefined || changeBetween(before, after) !== "none",
  );
  const all = records.toReversed().flatMap((record) => record.skipped);
  const skipped = [...new Map(all.map((each) => [each.path, each])).values()];
  const level = levelOf(paths.length, skipped);
  const left = records.flatMap((record) => record.left ?? []);
  const damaged = records.flatMap((record) => record.damaged ?? []).slice(0, 1);
  const whole = {
    ...newest,
    state: state ?? newest.state,
    paths,
    skipped,
    level,
    ...(damaged[0] === undefined ? {} : { damaged: damaged[0] }),
  };
  return [left.length === 0 ? whole : { ...whole, left }];
}

/** Whether each record found every path as the one before it had left it. */
function isUnbroken(records: readonly CallRecord[]): boolean {
  const left = new Map<string, Image | undefined>();
  for (const { paths } of records.toSorted((one, other) => one.seq - other.seq)) {
    for (const { path, before, after } of paths) {
      const last = left.get(path);
      if (left.has(path) && (last === undefined || !sameImage(last, before))) return false;
      left.set(path, after);
    }
  }
  return true;
}

/** What records of one call did to each path in all. */
function pathsOf(records: readonly CallRecord[]): readonly PathRecord[] {
  const paths = new Map<string, PathRecord>();
  for (const record of records.toSorted((one, other) => one.seq - other.seq)) {
    for (const each of record.paths) {
      const { before } = paths.get(each.path) ?? each;
      paths.set(each.path, { ...each, before });
    }
  }
  return [...paths.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
