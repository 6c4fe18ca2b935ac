import type { HostClock } from "../../core/index.ts";
import type { BlobStore } from "./content-store.ts";
import { isContentHash, type FileState } from "../capture/file-state.ts";
import type { RecordStore } from "./record-store.ts";
import type { CallRecord, JournalRecord, UndoRecord } from "../records.ts";
import { byCall } from "./merge-records.ts";

/** Limits of a journal; the first one reached applies. */
export interface JournalQuota {
  readonly bytes: number;
  readonly calls: number;
  readonly days: number;
}

/** Result of a collection: calls and contents removed, with their bytes. */
export interface Collected {
  readonly calls: number;
  readonly blobs: number;
  readonly bytes: number;
}

export interface RetentionOptions {
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  readonly clock: Pick<HostClock, "now">;
  readonly quota: JournalQuota;
  /** Whether a live process still runs the call of a record. */
  readonly isUnderWay: (record: CallRecord) => boolean;
  /** Remove no contents, because the set of referenced contents is uncertain. */
  readonly keepsContents: boolean;
  /** Report what would be deleted, without deleting it. */
  readonly dryRun?: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Minimum time for which an interrupted call is kept. */
const abandonedMs = dayMs;

/** Deletes the oldest calls beyond the quota, then every content that no record references. */
export async function collect(options: RetentionOptions): Promise<Collected> {
  const [calls, undos] = await Promise.all([options.records.calls(), options.records.undos()]);
  const all: readonly JournalRecord[] = [...calls, ...undos];
  const { forgotten, count } = beyondQuota(calls, undos, options);
  // Records first: a content without a record only wastes space, but a record without its content cannot be undone.
  if (options.dryRun !== true) {
    await options.records.remove([...forgotten]);
  }
  const named = new Set<string>();
  for (const record of all) {
    if (!forgotten.has(record)) for (const { hash } of contentsOf(record)) named.add(hash);
  }
  const isKept = (hash: string): boolean => options.keepsContents || named.has(hash);
  const swept = await options.blobs.sweep(isKept, options.dryRun);
  return { calls: count, ...swept };
}

/** Both lists are oldest first. */
function beyondQuota(
  calls: readonly CallRecord[],
  undos: readonly UndoRecord[],
  { clock, quota, isUnderWay }: RetentionOptions,
): { readonly forgotten: ReadonlySet<JournalRecord>; readonly count: number } {
  const stays = (record: CallRecord): boolean =>
    record.state === "applying" ||
    isUnderWay(record) ||
    (record.state === "open" && clock.now() - record.at < abandonedMs);
  const forgotten = new Set<JournalRecord>();
  const counted = new Set<string>();
  let bytes = 0;
  let met = 0;
  let count = 0;
  let isFull = false;
  // All records of a call are deleted together, or none.
  for (const records of byCall(calls.toReversed())) {
    if (records.some(stays)) continue;
    met += 1;
    for (const { hash, size } of records.flatMap(contentsOf)) {
      if (!counted.has(hash)) bytes += size;
      counted.add(hash);
    }
    const isOld = records.every(({ at }) => clock.now() - at > quota.days * dayMs);
    isFull ||= met > quota.calls || bytes > quota.bytes || isOld;
    if (!isFull) continue;
    count += 1;
    for (const record of records) forgotten.add(record);
  }
  const kept = new Set(calls.filter((record) => !forgotten.has(record)).map(({ id }) => id));
  for (const record of undos) {
    // An interrupted undo is completed first.
    if (record.state === "done" && !record.calls.some((id) => kept.has(id))) forgotten.add(record);
  }
  return { forgotten, count };
}

function contentsOf(record: CallRecord | UndoRecord): readonly (FileState & { kind: "file" })[] {
  const images =
    record.kind === "call"
      ? record.paths.flatMap(({ before, after }) =>
          after === undefined ? [before] : [before, after],
        )
      : record.steps.flatMap(({ from, to }) => [from, to]);
  return images.filter((image) => image.kind === "file").filter(({ hash }) => isContentHash(hash));
}
