import { changeBetween, isSameState, type FileState } from "../capture/file-state.ts";
import { withoutOnlyCopies } from "../undo/irreplaceable-content.ts";
import type { RecordStore } from "./record-store.ts";
import { levelOf, wholeOf, type CallRecord, type PathRecord } from "../records.ts";

/** Groups records by call, in the given order. */
export function byCall(records: readonly CallRecord[]): readonly (readonly CallRecord[])[] {
  return [...Map.groupBy(records, wholeOf).values()];
}

/** Merged record of all records of a call in the log. */
export async function wholeOfLog(
  records: Pick<RecordStore, "calls">,
  record: CallRecord,
): Promise<CallRecord | undefined> {
  const all = (await records.calls()).filter((each) => wholeOf(each) === wholeOf(record));
  return wholeCalls(all.toReversed())[0];
}

/** Merges the records of each call, at the position of the newest. The records are given newest first. */
export function wholeCalls(newestFirst: readonly CallRecord[]): readonly CallRecord[] {
  return byCall(withoutLastCopies(newestFirst)).flatMap(wholeCall);
}

/**
 * Drops calls whose applied changes cancel out. Calls that may still run stay, and so do calls with a path that another
 * process changed between their parts.
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

/**
 * Excludes paths that may be the only copy of a file that another record of the same call did not store: undo must not
 * remove them.
 */
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

/** States in order of progress: a call has the earliest state of its records. */
const states: readonly CallRecord["state"][] = ["applying", "open", "done", "undone"];

function wholeCall(newestFirst: readonly CallRecord[]): readonly CallRecord[] {
  // A process undoes one record alone if the next one did not exist yet or if it knows no others.
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

/** Whether each record found every path in the state that the previous record left. */
function isUnbroken(records: readonly CallRecord[]): boolean {
  const left = new Map<string, FileState | undefined>();
  for (const { paths } of records.toSorted((one, other) => one.seq - other.seq)) {
    for (const { path, before, after } of paths) {
      const last = left.get(path);
      if (left.has(path) && (last === undefined || !isSameState(last, before))) return false;
      left.set(path, after);
    }
  }
  return true;
}

/** Total change of each path by the records of one call. */
function pathsOf(records: readonly CallRecord[]): readonly PathRecord[] {
  const paths = new Map<string, PathRecord>();
  for (const record of records.toSorted((one, other) => one.seq - other.seq)) {
    for (const each of record.paths) {
      const { before, hooks: earlier = [] } = paths.get(each.path) ?? each;
      const hooks = [...new Set([...earlier, ...(each.hooks ?? [])])];
      paths.set(each.path, { ...each, before, ...(hooks.length === 0 ? {} : { hooks }) });
    }
  }
  return [...paths.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
