import type { HostFile, HostFs, WriteEffect } from "../../core/index.ts";
import type { JournalState } from "../journal-state.ts";
import { isSecond, hasOrphanedWork, ownTurn } from "../liveness/owner.ts";
import type { ContentBatch } from "../log/content-store.ts";
import type { Begun } from "../log/record-store.ts";
import { levelOf, type CallRecord } from "../records.ts";
import { capture, type Captured, type CaptureOptions } from "./capture.ts";

export interface RecordBefore {
  readonly state: JournalState;
  readonly limits: Omit<CaptureOptions, "batch" | "files"> & { readonly fs: HostFs };
  /** Fields of the record that are known before its paths are read. */
  readonly known: Omit<CallRecord, "id" | "seq" | "at" | "level" | "skipped" | "paths" | "state">;
  /** Whether changes outside the declared writes are noticed, but not stored. */
  readonly isWatched: boolean;
  /** Whether to return the files that were read. */
  readonly keepsFiles: boolean;
  /** Completes the work of programs that ended too early. */
  readonly recover: () => Promise<unknown>;
  /** Ends the wait for other programs. */
  readonly signal: AbortSignal | undefined;
}

export interface RecordedBefore extends Begun<CallRecord> {
  readonly captured: Captured;
  readonly batch: ContentBatch;
  readonly files: HostFile[] | undefined;
}

/**
 * Stores the states before a call, then its record. Where other programs take no turns, an undo of another program may
 * change the same paths meanwhile: then the states are read again once that has ended, so that a later undo of this call
 * does not bring back what was undone.
 */
export async function recordBefore(
  writes: readonly WriteEffect[],
  { state, limits, known, isWatched, keepsFiles, recover, signal }: RecordBefore,
): Promise<RecordedBefore> {
  const paths = writes.map(({ path }) => path);
  for (;;) {
    if (state.turns.areOff()) {
      await ownTurn(paths, { ...state, signal });
      if (await hasOrphanedWork(paths, state)) await recover();
    }
    const batch = state.blobs.batch();
    const files: HostFile[] | undefined = keepsFiles ? [] : undefined;
    const captured = await capture(writes, { ...limits, batch, files });
    const { images, skipped } = captured;
    const begun = await state.records.begin(
      (key): CallRecord => ({
        ...key,
        ...known,
        at: state.clock.now(),
        state: "open",
        level: isWatched ? "partial" : levelOf(images.size, skipped),
        skipped,
        paths: Array.from(images, ([path, before]) => ({ path, before })),
      }),
      batch,
    );
    const isFirst =
      !state.turns.areOff() ||
      !((await isSecond(begun.record, state)) || (await hasOrphanedWork(paths, state)));
    if (isFirst) return { ...begun, captured, batch, files };
    await state.records.remove([begun.record], { durable: false });
  }
}
