import type { ContentBatch } from "../log/content-store.ts";
import { maxDifferenceBytes } from "../undo/difference.ts";
import { entryOf, type SettledEntry } from "../history.ts";
import type { JournalState } from "../journal-state.ts";
import type { Note } from "../liveness/pending-entries.ts";
import { changedByOthers } from "./change-author.ts";
import { observe } from "./compare.ts";
import { withoutOnlyCopies } from "../undo/irreplaceable-content.ts";
import { levelOf, type CallRecord } from "../records.ts";
import type { Snapshot } from "./snapshot.ts";
import { withBrought, type Settled, type UnderWay } from "../liveness/active-calls.ts";
import { changesSince, type Looked, type Watched, type WatchOptions } from "./watch-trees.ts";
import { wholeOfLog } from "../log/merge-records.ts";

export interface Settling {
  readonly state: JournalState;
  readonly watching: WatchOptions;
}

export interface SettleOptions {
  /** Called with the lines to write, right before they are written. */
  readonly onNote: (note: Note) => void;
  readonly onNoted: () => void;
  /** Called with the present snapshot of the watched trees. */
  readonly onLooked?: (now: Watched) => void;
}

/** Records the changes of a call; undefined if it changed nothing. */
export async function settleCall(
  { state, watching }: Settling,
  open: UnderWay,
  { onNote, onNoted, onLooked }: SettleOptions,
): Promise<SettledEntry | undefined> {
  const { fs, directory } = state;
  const batch = state.blobs.batch();
  const observed = await observe(open.captured, {
    fs,
    directory,
    maxBytes: state.maxBytes,
    written: open.transaction?.written,
    keep: (sight) => keepLeft(sight, batch),
  });
  const settled = withBrought(observed, open);
  const { changed: found, skipped: unkept, unkept: gone, lost } = settled;
  // A caller that deferred the flush must not learn that a change can be undone before it can.
  if (found.length > 0) await open.flush();
  const { watched } = open;
  const beyond = watched && (await lookedAgain(watched, { open, settled, state, watching }));
  // For applied changes it is known what was not stored; refused or passthrough writes removed nothing.
  const notKept = open.brought.length === 0 ? unkept : lost;
  const { paths: changed, skipped: copies } = withoutOnlyCopies({
    paths: found,
    lost: notKept,
  });
  const skipped = [...unkept, ...copies, ...(beyond?.skipped ?? [])];
  const { goesOn: _goesOn, ...first } = open.brought[0] ?? open.record;
  const record: CallRecord = {
    ...first,
    ...(lost.length === 0 ? {} : { lost }),
    state: "done",
    level: levelOf(changed.length, skipped),
    skipped,
    paths: changed,
  };
  const records = [record, ...settled.further];
  const kept = records.filter(saysSomething);
  const empty = records.filter((each) => !saysSomething(each));
  onNote({ settled: kept, gone: empty });
  await state.records.remove(empty, { durable: false });
  await state.records.settle(kept, batch);
  if (kept.length > 0) batch.written();
  onNoted();
  await state.alone(() => state.collectWhenDue());
  const { images } = open.captured;
  const paths = [...gone, ...copies];
  const isCounted = gone.every(({ path }) => images.get(path)?.kind !== "directory");
  const told = paths.length === 0 ? {} : { unkept: { paths, isCounted } };
  const isAlone = open.brought.length < 2 && record.partOf === undefined;
  const whole = isAlone ? kept[0] : await wholeOfLog(state.records, record);
  if (beyond !== undefined) onLooked?.(beyond.now);
  const seen = beyond === undefined || beyond.changed.length === 0 ? {} : { seen: beyond.changed };
  return whole && { ...entryOf(whole), ...told, ...seen };
}

async function lookedAgain(
  watched: Watched,
  what: Settling & { readonly open: UnderWay; readonly settled: Settled },
): Promise<Looked> {
  const isKnown = isKnownOf(what.open, what.settled);
  let isByOthers: Promise<(path: string) => Promise<boolean>> | undefined;
  return await changesSince(
    watched,
    async (path) => {
      if (isKnown(path)) return true;
      isByOthers ??= changedByOthers(what.state, what.open.record);
      return (await isByOthers)(path);
    },
    what.watching,
  );
}

/** Stores content after a call. It only explains changes, so a failure must not fail a call that has ended. */
export async function keepLeft({ image, bytes }: Snapshot, batch: ContentBatch): Promise<void> {
  if (image.kind !== "file" || bytes === undefined || bytes.length > maxDifferenceBytes) return;
  try {
    await batch.putLeft(image.hash, bytes);
  } catch {
    return;
  }
}

/** Whether a path is in one of the records of a call. */
function isKnownOf(
  { captured, brought }: UnderWay,
  { changed, skipped }: Settled,
): (path: string) => boolean {
  const told = [...changed, ...skipped, ...brought.flatMap(({ paths }) => paths)];
  const known = new Set([...captured.images.keys(), ...told.map(({ path }) => path)]);
  return (path) => known.has(path);
}

function saysSomething({ paths, skipped }: CallRecord): boolean {
  return paths.length + skipped.length > 0;
}
