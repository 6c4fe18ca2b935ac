import { ToolError, type StagedChanges, type WriteEffect } from "../core/index.ts";
import { applyStaged, unkeptChanges } from "./apply/apply-staged.ts";
import { capture, type Captured } from "./capture/capture.ts";
import { CapturedWrites } from "./capture/captured-writes.ts";
import { recordBefore } from "./capture/record-before.ts";
import {
  differenceOf,
  entryOf,
  toldCalls,
  type ApplyInfo,
  type UndoAssessment,
  type JournaledCall,
  type CheckpointInfo,
  type CheckpointTaken,
  type JournalEntry,
  type PathDifference,
  type SettledEntry,
  type WaitingCallInfo,
} from "./history.ts";
import { examineJournal, type JournalReport } from "./examine.ts";
import { inBatches } from "../text/index.ts";
import { withDefaults, type JournalOptions } from "./journal-options.ts";
import { journalState } from "./journal-state.ts";
import { journalRecovery } from "./recovery.ts";
import { journalOwner } from "./liveness/owner.ts";
import { levelOf, wholeOf, type CallRecord, type NotCaptured } from "./records.ts";
import type { Collected } from "./log/collect.ts";
import type { UndoOptions, UndoTarget } from "./undo/select-calls.ts";
import { keepLeft, settleCall } from "./capture/complete-call.ts";
import {
  trackHookChanges,
  type HookChangeTracker,
  type HookedCall,
} from "./capture/hook-changes.ts";
import type { UndoResult } from "./undo/finish-undo.ts";
import { redoCalls } from "./undo/redo.ts";
import { isRunning, undoCalls } from "./undo/undo.ts";
import { goingOnCalls } from "./liveness/overlay-calls.ts";
import { cutShort, lateNotes, type Note } from "./liveness/pending-entries.ts";
import { signsOfLife } from "./liveness/heartbeat.ts";
import { lateWatches } from "./capture/late-watches.ts";
import { isUnderWay, type UnderWay } from "./liveness/active-calls.ts";
import { wholeCalls, wholeOfLog } from "./log/merge-records.ts";
import { journalTurns, wantedBy } from "./turns.ts";
import { watch, watchAlso } from "./capture/watch-trees.ts";

/** Before-images and after-hashes of the changes of calls, with undo and redo. */
export interface Journal {
  /** Assesses what a checkpoint of these writes would store. Reads no content and stores nothing. */
  assess(writes: readonly WriteEffect[]): Promise<UndoAssessment>;
  /**
   * Stores what these writes may change. When it resolves, the before states are durable and the call may run; a
   * transaction defers that to the call's first change.
   */
  checkpoint(
    callId: string,
    writes: readonly WriteEffect[],
    info: CheckpointInfo,
  ): Promise<CheckpointTaken>;
  /** Runs the work of a call. Other kits of this process that it calls do not wait for the paths of the call. */
  inside<T>(callId: string, work: () => T): T;
  /**
   * Watches trees for a call that turns out to change more than it declared. Starts a checkpoint for the call if it has
   * none; does nothing for trees that are watched already.
   */
  watch(callId: string, roots: readonly string[], info: WaitingCallInfo): Promise<void>;
  /**
   * Continues watching for a program that outlives the call, if the call has watched trees. Call the returned function
   * when the program has ended: it records changes between the end of the call and the end of the program as a call of
   * its own, with the paths that are not stored.
   */
  watchLate(callId: string, lateId: string, info: JournaledCall): () => Promise<void>;
  /**
   * Releases the paths of the call, because the call itself writes only on overlays. Others may change the same paths
   * until the overlay is applied; `apply` detects that.
   */
  yield(callId: string): void;
  /**
   * Marks paths whose changes, apart from applied ones, belong to other calls: `settle` does not record them for this
   * call.
   */
  disown(callId: string, isOthers: (path: string) => boolean): void;
  /**
   * Records the changes of the call. Undefined if it changed nothing; then nothing of it is stored. Files that the call
   * wrote in its transaction are not read again, and changes that another process made to them meanwhile do not count
   * for this call.
   */
  settle(callId: string): Promise<SettledEntry | undefined>;
  /**
   * Adds to the record of a settled call what changes in its files while programs of its hooks run. Reads nothing until
   * a program starts.
   */
  trackHookChanges(call: HookedCall): HookChangeTracker;
  /**
   * Applies the changes of a command on an overlay to the real tree, so that they can be undone like those of any call.
   * Undefined if nothing changed. STALE_READ if another process changed one of the paths meanwhile: then nothing is
   * applied, and the staged files stay where they are. A call with a checkpoint still needs `settle`, which records its
   * changes outside the overlay.
   */
  apply(callId: string, staged: StagedChanges, info: ApplyInfo): Promise<JournalEntry | undefined>;
  /** Lists staged changes that exceed the budget and could not be undone. Reads no content. */
  unkept(staged: StagedChanges): Promise<readonly NotCaptured[]>;
  /** Calls, newest first. */
  history(options?: {
    readonly limit?: number;
    readonly sessionId?: string;
  }): Promise<readonly JournalEntry[]>;
  diff(callId: string): Promise<readonly PathDifference[]>;
  /**
   * Undoes calls, all or none. STALE_READ if a path changed after the call or a later call touched it, with a
   * `ThreeWayDifference` for each path in `data.conflicts`; NOT_FOUND if there is no such call.
   */
  undo(target: UndoTarget, options?: UndoOptions): Promise<UndoResult>;
  /**
   * Redoes the calls of the latest undo. May be repeated until no undo is left. NOT_FOUND if a call has changed
   * something since.
   */
  redo(options?: Pick<UndoOptions, "force" | "signal">): Promise<UndoResult>;
  /**
   * Notice for the next answer, returned once, if the files of the journal were removed or truncated during a session,
   * or if old calls cannot be deleted from it, as on a full disk.
   */
  takeNotice(): string | undefined;
  /** Checks everything stored and reports damage. Changes nothing. */
  examine(): Promise<JournalReport>;
  /** Completes the work of processes that ended too early. Every other method does so first. */
  recover(): Promise<readonly UndoResult[]>;
  /**
   * Deletes what exceeds the quota. Also runs automatically from time to time. A dry run only reports what it would
   * delete.
   */
  gc(options?: { readonly dryRun?: boolean }): Promise<Collected>;
  /** Closes the open log file. Using the journal again reopens it. */
  close(): Promise<void>;
}

/** Journal in a directory of a host. Nothing is read or created before first use. */
export function createJournal(options: JournalOptions): Journal {
  const { fs, clock, directory, budget, applyBudget, quota } = withDefaults(options);
  const watching = { fs, clock, budget, directory };
  const owner = journalOwner(options.processes, clock);
  const turns = journalTurns(options.turns, owner.mark.by, async () => await recoverAgain());
  const activeCallKeys = new Map<string, UnderWay>();
  const wholes = new WeakMap<JournalEntry, string>();
  const late = lateNotes({
    records: () => state.records,
    alone: async (work) => await state.alone(work),
    clock: options.host.clock,
    by: owner.mark.by,
  });
  const goingOn = goingOnCalls(async (ended) => {
    await state.records.end(ended).catch(() => late.keep({ ended }));
  });
  const life = signsOfLife({
    clock: options.host.clock,
    running: () => [
      ...[...activeCallKeys.values()].flatMap(({ record, brought }) => [record, ...brought]),
      ...goingOn.all(),
    ],
    note: async (records) => await state.records.running(records, clock.now()),
  });
  const isOwnUnderWay = (record: CallRecord): boolean =>
    isUnderWay(record, activeCallKeys) || goingOn.has(record);
  const state = journalState({
    fs,
    clock,
    owner,
    turns,
    directory,
    maxBytes: budget.bytes,
    decodeOlder: options.decodeOlder,
    quota,
    isUnderWay: isOwnUnderWay,
  });
  const settling = { state, watching };
  const { recover, recoverAgain, recoverToRead, alone, takeNotice } = journalRecovery(state, late);
  const outliving = lateWatches(state, watching);

  async function calls(): Promise<readonly CallRecord[]> {
    if (!(await recoverToRead())) return [];
    return (await state.records.calls()).toReversed();
  }

  async function checkpoint(
    callId: string,
    writes: readonly WriteEffect[],
    info: CheckpointInfo,
  ): Promise<CheckpointTaken> {
    if (activeCallKeys.has(callId)) throw new TypeError(`The call ${callId} is already running.`);
    await recover();
    try {
      await turns.hold(callId, wantedBy(callId, info, writes));
      return await begin(callId, writes, info);
    } catch (error) {
      // The call does not run.
      turns.release(callId);
      throw error;
    }
  }

  async function begin(
    callId: string,
    writes: readonly WriteEffect[],
    { watch: roots = [], isTransaction = false, signal, ...info }: CheckpointInfo,
  ): Promise<CheckpointTaken> {
    const watched = roots.length === 0 ? undefined : await watch(roots, watching);
    const { record, flush, batch, files, captured } = await recordBefore(writes, {
      state,
      limits: { fs, clock, budget, directory },
      known: {
        kind: "call",
        callId,
        ...goingOn.furtherPart(callId),
        ...info,
        ...owner.mark,
        ...(watched === undefined ? {} : { watches: true }),
      },
      isWatched: watched !== undefined,
      keepsFiles: isTransaction,
      recover: recoverAgain,
      signal,
    });
    batch.written();
    let flushed: Promise<unknown> | undefined;
    const flushOnce = (): Promise<unknown> => (flushed ??= Promise.all([flush(), batch.stored()]));
    const transaction = files && new CapturedWrites(files, flushOnce);
    try {
      if (transaction === undefined) await flushOnce();
    } catch (error) {
      late.keep({ gone: [record] });
      throw error;
    }
    activeCallKeys.set(callId, {
      record,
      brought: [],
      captured,
      transaction,
      watched,
      flush: flushOnce,
    });
    life.begin();
    const { level, skipped } = record;
    return { callId, level, skipped, ...(transaction && { transaction }) };
  }

  return {
    async assess(writes) {
      return assessed(await capture(writes, { fs, clock, budget, directory }));
    },
    checkpoint,
    async watch(callId, roots, info) {
      const open = activeCallKeys.get(callId);
      if (open === undefined) await checkpoint(callId, [], { ...info, watch: roots });
      else {
        const { paths } = open.record;
        if (!turns.holds(callId)) await turns.hold(callId, wantedBy(callId, info, paths));
        const watched =
          open.watched === undefined
            ? await watch(roots, watching)
            : await watchAlso(open.watched, roots, watching);
        // The call may have ended meanwhile, or changes of it may have been applied.
        const now = activeCallKeys.get(callId);
        if (now === undefined) return;
        const record: CallRecord = { ...now.record, watches: true };
        activeCallKeys.set(callId, { ...now, record, watched });
        // The record of changes that were applied has replaced that of the checkpoint.
        if (now.record.watches !== true && now.brought.length === 0)
          await state.records.settle([record], { lines: [] });
      }
    },
    watchLate(callId, lateId, info) {
      const endWatch = outliving.begin(callId, lateId, activeCallKeys.get(callId)?.watched);
      return async () => {
        const watched = endWatch();
        // The changes of a program that ends before its call are recorded when the call settles.
        if (watched !== undefined && !activeCallKeys.has(callId))
          await outliving.record(lateId, watched, info);
      };
    },
    inside: (callId, work) => turns.inside(callId, work),
    yield: (callId) => turns.release(callId),
    disown(callId, isOthers) {
      const open = activeCallKeys.get(callId);
      if (open !== undefined) activeCallKeys.set(callId, { ...open, isOthers });
    },
    async settle(callId) {
      const open = activeCallKeys.get(callId);
      await late.write();
      await goingOn.end(callId, open?.brought[0] ?? open?.record);
      if (open === undefined) {
        turns.release(callId);
        return undefined;
      }
      let note: Note = { settled: [cutShort(open.brought[0] ?? open.record)] };
      try {
        return await settleCall(settling, open, {
          onNote: (known) => void (note = known),
          onNoted: () => void activeCallKeys.delete(callId),
          onLooked: (now) => outliving.update(callId, now),
        });
      } catch (error) {
        late.keep(note);
        throw error;
      } finally {
        activeCallKeys.delete(callId);
        turns.release(callId);
      }
    },
    trackHookChanges: (call) =>
      trackHookChanges(state, call, {
        isUnderWay: isOwnUnderWay,
        hasLatePrograms: () => outliving.isWatching(),
      }),
    unkept: (staged) => unkeptChanges(state, staged, applyBudget),
    apply(callId, staged, { keepsAll = false, goesOn = false, continues, signal, ...info }) {
      const wanted = wantedBy(callId, { ...info, signal }, staged.changes);
      const apply = async (): Promise<JournalEntry | undefined> => {
        const call = activeCallKeys.get(callId);
        const record = await applyStaged(state, {
          callId,
          info,
          staged,
          budget: applyBudget,
          keepsAll,
          goesOn,
          open: call?.brought.length === 0 ? call.record : undefined,
          partOf: continues === undefined ? undefined : wholes.get(continues),
          keep: keepLeft,
          signal,
          onHalfDone: () => void activeCallKeys.delete(callId),
        });
        if (record === undefined) return undefined;
        if (goesOn) {
          goingOn.add(record);
          life.begin();
        }
        if (call !== undefined) {
          activeCallKeys.set(callId, { ...call, brought: [...call.brought, record] });
        }
        await state.collectWhenDue();
        const isFirst = record.partOf === undefined;
        const entry = entryOf(
          isFirst ? record : ((await wholeOfLog(state.records, record)) ?? record),
        );
        wholes.set(entry, wholeOf(record));
        return entry;
      };
      // Other calls of this process do not wait for the turn that this call waits for.
      return turns.during(wanted, () => alone(apply));
    },
    async history({ limit = Number.POSITIVE_INFINITY, sessionId } = {}) {
      const own = (await calls()).filter(
        (record) => sessionId === undefined || record.sessionId === sessionId,
      );
      return toldCalls(own, { isRunning: isRunning(state, isOwnUnderWay) }).slice(0, limit);
    },
    async diff(callId) {
      const record = wholeCalls(await calls()).find((each) => each.callId === callId);
      if (record === undefined) {
        throw new ToolError("NOT_FOUND", `No call ${callId} is in the history.`, {
          hint: "It changed nothing, or is older than the journal goes back.",
          data: { callId },
        });
      }
      return inBatches(record.paths, (path) => differenceOf(path, state));
    },
    undo: (target, undoOptions = {}) =>
      undoCalls(state, target, { ...undoOptions, alone, isUnderWay: isOwnUnderWay }),
    redo: (redoOptions = {}) =>
      redoCalls(state, { ...redoOptions, alone, isUnderWay: isOwnUnderWay }),
    takeNotice,
    async examine() {
      await recoverToRead();
      return await examineJournal(state);
    },
    recover,
    gc: (gcOptions) => alone(() => state.collect(gcOptions)),
    close: async () => {
      outliving.clear();
      life.close();
      await goingOn.endAll();
      await late.close();
      await state.close();
    },
  };
}

function assessed({ images, skipped }: Captured): UndoAssessment {
  return { level: levelOf(images.size, skipped), skipped };
}
