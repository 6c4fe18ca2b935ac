import type { HostClock } from "../core/index.ts";
import type { BlobStore } from "./blob-store.ts";
import { isContentHash, type Image } from "./image.ts";
import type { RecordStore } from "./record-store.ts";
import { wholeOf, type CallRecord, type JournalRecord, type UndoRecord } from "./records.ts";

/** How far back a journal goes: the first of these that is reached. */
export interface JournalQuota {
  readonly bytes: number;
  readonly calls: number;
  readonly days: number;
}

/** What a collection took away. */
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
  /** Whether somebody is at the call of a record. */
  readonly isUnderWay: (record: CallRecord) => boolean;
  /** Say what would be forgotten, and forget nothing. */
  readonly dryRun?: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A call that was cut short is kept at least so long. */
const abandonedMs = dayMs;

/** Forgets the oldest calls beyond the quota, then every content that no record names. */
export async function collect(options: RetentionOptions): Promise<Collected> {
  const [calls, undos] = await Promise.all([options.records.calls(), options.records.undos()]);
  const all: readonly JournalRecord[] = [...calls, ...undos];
  const forgotten = beyondQuota(all, options);
  // Records first: content without a record is rubbish, a record without content is a broken promise.
  if (options.dryRun !== true) {
    await options.records.remove([...forgotten]);
  }
  const named = new Set<string>();
  for (const record of all) {
    if (!forgotten.has(record)) for (const { hash } of contentsOf(record)) named.add(hash);
  }
  const swept = await options.blobs.sweep((hash) => named.has(hash), options.dryRun);
  return { calls: calls.filter((record) => forgotten.has(record)).length, ...swept };
}

function beyondQuota(
  all: readonly JournalRecord[],
  { clock, quota, isUnderWay }: RetentionOptions,
): ReadonlySet<JournalRecord> {
  const stays = (record: CallRecord, age: number): boolean =>
    record.state === "applying" ||
    isUnderWay(record) ||
    (record.state === "open" && age < abandonedMs);
  const forgotten = new Set<JournalRecord>();
  const counted = new Set<string>();
  let bytes = 0;
  let calls = 0;
  let isFull = false;
  for (const record of all.toReversed()) {
    if (record.kind !== "call") continue;
    const age = clock.now() - record.at;
    if (stays(record, age)) continue;
    calls += 1;
    for (const { hash, size } of contentsOf(record)) {
      if (!counted.has(hash)) bytes += size;
      counted.add(hash);
    }
    isFull ||= calls > quota.calls || bytes > quota.bytes || age > quota.days * dayMs;
    if (isFull) forgotten.add(record);
  }
  // A call that would be known by half is forgotten whole.
  const gone = new Set([...forgotten].map(({ id }) => id));
  for (const record of all) {
    if (record.kind !== "call" || stays(record, clock.now() - record.at)) continue;
    if (gone.has(wholeOf(record))) forgotten.add(record);
  }
  const kept = new Set(
    all.flatMap((record) => (record.kind === "call" && !forgotten.has(record) ? [record.id] : [])),
  );
  for (const record of all) {
    // One that was cut short is finished first.
    const isUndo = record.kind === "undo" && record.state === "done";
    if (isUndo && !record.calls.some((id) => kept.has(id))) forgotten.add(record);
  }
  return forgotten;
}

function contentsOf(record: CallRecord | UndoRecord): readonly (Image & { kind: "file" })[] {
  const images =
    record.kind === "call"
      ? record.paths.flatMap(({ before, after }) =>
          after === undefined ? [before] : [before, after],
        )
      : record.steps.flatMap(({ from, to }) => [from, to]);
  return images.filter((image) => image.kind === "file").filter(({ hash }) => isContentHash(hash));
}
