import type { HostFs } from "../../core/index.ts";
import { contentSize, isSameState, type FileState } from "./file-state.ts";
import type { JournalState } from "../journal-state.ts";
import type { RecordStore } from "../log/record-store.ts";
import { wholeOf, type CallRecord } from "../records.ts";
import { snapshotPath } from "./snapshot.ts";

/** Description of the call of another process that left a path in its present state; undefined if none is known. */
export async function authorOf(
  path: string,
  { records, fs, owner }: Pick<JournalState, "records" | "fs" | "owner">,
): Promise<string | undefined> {
  const ends = (await records.calls()).flatMap((record) => {
    const image = record.paths.find((each) => each.path === path)?.after;
    return image === undefined ? [] : [{ record, image, place: records.lastPlace(record.id) }];
  });
  const last = ends.toSorted((one, other) => one.place - other.place).at(-1);
  if (last === undefined || last.record.by === undefined || last.record.by === owner.mark.by) {
    return undefined;
  }
  const { image } = await snapshotPath(fs, path, contentSize(last.image));
  if (!isSameState(image, last.image)) return undefined;
  const { tool, callId, by } = last.record;
  return `${tool} (${callId}) of another haft program (process ${by.split("/", 1)[0]})`;
}

/**
 * Whether a path is in the state that another call, an undo or a redo of any process left: then that made the change,
 * and not a program that ran meanwhile.
 */
export async function changedByOthers(
  { records, fs }: { readonly records: RecordStore; readonly fs: HostFs },
  own?: CallRecord,
): Promise<(path: string) => Promise<boolean>> {
  const calls = (await records.calls()).filter(
    (record) => own === undefined || wholeOf(record) !== wholeOf(own),
  );
  const ends = [
    ...calls.map(({ id, state, paths }) => ({
      place: records.lastPlace(id),
      images: paths.map(({ path, before, after }) => {
        return [path, state === "undone" ? before : after] as const;
      }),
    })),
    ...(await records.undos()).map(({ id, steps }) => ({
      place: records.lastPlace(id),
      images: steps.map(({ path, to }) => [path, to] as const),
    })),
  ].toSorted((one, other) => one.place - other.place);
  const left = new Map<string, FileState | undefined>(ends.flatMap(({ images }) => images));
  return async (path) => {
    const image = left.get(path);
    if (image === undefined) return false;
    try {
      return isSameState((await snapshotPath(fs, path, contentSize(image))).image, image);
    } catch {
      return false;
    }
  };
}
