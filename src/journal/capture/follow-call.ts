import { inBatches } from "../../text/index.ts";
import { maxDifferenceBytes } from "../undo/difference.ts";
import type { JournalState } from "../journal-state.ts";
import { byCall } from "../log/merge-records.ts";
import { wholeOf, type CallRecord } from "../records.ts";
import { changedByOthers } from "./change-author.ts";
import { keepLeft } from "./complete-call.ts";
import { contentSize, isSameState, type FileState } from "./file-state.ts";
import { snapshotPath, type Snapshot } from "./snapshot.ts";

/** Change that a program made to a file of a call after the call had ended. */
export interface FollowedChange {
  readonly path: string;
  /** State in which the call left the file, and its content if that is small. */
  readonly before: FollowedState;
  readonly after: FollowedState;
}

export interface FollowedState {
  /** Hash of the content; missing where no file is left. */
  readonly hash?: string;
  readonly bytes?: Uint8Array;
}

/** Maximum number of files that are followed and of their bytes, which are read twice; a formatter gets fewer. */
const maxPaths = 200;
const maxBytes = 64 * 1024 * 1024;

/**
 * Watches the files that a completed call changed, while programs run whose changes belong to the call. The returned
 * function ends that and adds their changes to the record of the call, so that undo covers both. A file that another
 * program changed before, and a change by another call, an undo or a redo, are left out. Undefined where there is
 * nothing to watch.
 */
export async function followCall(
  state: JournalState,
  call: FollowedCall,
): Promise<(() => Promise<readonly FollowedChange[]>) | undefined> {
  const own = await recordsOf(state, call);
  const left = new Map(own.flatMap(({ paths }) => paths.map(({ path, after }) => [path, after])));
  const bytes = [...left.values()].reduce((sum, after) => sum + contentSize(after), 0);
  if (left.size === 0 || left.size > maxPaths || bytes > maxBytes) return undefined;
  const followed = await inBatches([...left], async ([path, after]) => {
    if (after === undefined || after.kind === "directory" || after.kind === "special") return [];
    const now = await snapshotPath(state.fs, path, state.maxBytes);
    return isSameState(now.image, after) ? [{ path, ...smallPart(now) }] : [];
  });
  const started = followed.flat();
  if (started.length === 0) return undefined;
  return async () => await state.alone(async () => await amend(state, call, started));
}

export interface FollowedCall {
  readonly callId: string;
  /** Time at which it began, in milliseconds since the epoch: an earlier call may have had the same id. */
  readonly startedAt: number;
}

type Started = Pick<Snapshot, "image" | "bytes"> & { readonly path: string };

async function amend(
  state: JournalState,
  call: FollowedCall,
  started: readonly Started[],
): Promise<readonly FollowedChange[]> {
  const looked = await inBatches(started, async (before) => {
    const after = await snapshotPath(state.fs, before.path, state.maxBytes);
    return isSameState(before.image, after.image) ? [] : [{ before, after }];
  });
  const changed = looked.flat();
  if (changed.length === 0) return [];
  const own = await recordsOf(state, call);
  const [newest] = own;
  if (newest === undefined) return [];
  const isByOthers = await changedByOthers(state, newest);
  const batch = state.blobs.batch();
  const amended = new Map(own.map((record) => [record.id, record]));
  const found: FollowedChange[] = [];
  for (const { before, after } of changed) {
    const { path } = before;
    // The newest record with the path has the state in which the call left it.
    const record = [...amended.values()].findLast(({ paths }) =>
      paths.some((each) => each.path === path),
    );
    const last = record?.paths.find((each) => each.path === path)?.after;
    if (record === undefined || last === undefined || !isSameState(last, before.image)) continue;
    if (await isByOthers(path)) continue;
    await keepLeft(after, batch);
    const paths = record.paths.map((each) =>
      each.path === path ? { ...each, after: after.image } : each,
    );
    amended.set(record.id, { ...record, paths });
    found.push({ path, before: stateOf(before), after: stateOf(smallPart(after)) });
  }
  const rewritten = [...amended.values()].filter((record) => !own.includes(record));
  await state.records.settle(rewritten, batch);
  if (rewritten.length > 0) batch.written();
  return found;
}

/** Records of the latest call with this id, oldest first; none where it is undone or still runs. */
async function recordsOf(
  { records }: Pick<JournalState, "records">,
  { callId, startedAt }: FollowedCall,
): Promise<readonly CallRecord[]> {
  const all = (await records.calls()).filter(
    (record) => record.callId === callId && record.at >= startedAt,
  );
  const newest = all.at(-1);
  if (newest === undefined) return [];
  const own = byCall(all).find(([first]) => first !== undefined && isPart(first, newest)) ?? [];
  return own.every(({ state }) => state === "done") ? own : [];
}

function isPart(record: CallRecord, of: CallRecord): boolean {
  return wholeOf(record) === wholeOf(of);
}

function smallPart({ image, bytes }: Snapshot): Pick<Snapshot, "image" | "bytes"> {
  return bytes === undefined || bytes.length > maxDifferenceBytes ? { image } : { image, bytes };
}

function stateOf({
  image,
  bytes,
}: {
  readonly image: FileState;
  readonly bytes?: Uint8Array;
}): FollowedState {
  return {
    ...(image.kind === "file" ? { hash: image.hash } : {}),
    ...(bytes === undefined ? {} : { bytes }),
  };
}
