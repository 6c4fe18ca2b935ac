import { ToolError } from "../core/index.ts";
import { recoverStaged } from "./apply/apply-staged.ts";
import { applySteps } from "./apply/apply.ts";
import { reversed } from "./apply/order-steps.ts";
import { removeDraftsOfGone, removeStaleDrafts } from "./apply/stale-drafts.ts";
import type { JournalState } from "./journal-state.ts";
import type { LateNotes } from "./liveness/pending-entries.ts";
import { finishRedo, finishUndo, resultOf, type UndoResult } from "./undo/finish-undo.ts";

/** Prepares a journal for use: each use first completes the work of processes that ended too early. */
export interface JournalRecovery {
  readonly recover: () => Promise<readonly UndoResult[]>;
  /** The same also if this process has recovered before: a program that ended since may have left work. */
  readonly recoverAgain: () => Promise<readonly UndoResult[]>;
  /**
   * Recovers what can be: on a full disk the rest stays for later, so that reading needs no space. False if nothing is
   * stored.
   */
  readonly recoverToRead: () => Promise<boolean>;
  /** Recovers, then runs work when all work requested before has ended. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Notice, returned once, if the files of the journal were removed or truncated, or cannot be collected. */
  readonly takeNotice: () => string | undefined;
}

const notices = {
  empty: "The files that undo needs were removed: undo starts again from here.",
  less: "The files that undo needs were damaged: haft doctor says what is lost.",
} as const;

export function journalRecovery(
  state: JournalState,
  late: Pick<LateNotes, "write">,
): JournalRecovery {
  let notice: string | undefined;
  let recovering: Promise<readonly UndoResult[]> | undefined;

  /** Starts a new journal if its files were removed during a session: lines appended to removed files would be lost. */
  async function renewUnlessInPlace(): Promise<void> {
    if (await state.isInPlace()) return;
    await state.alone(async () => {
      if (await state.isInPlace()) return;
      notice = notices[await state.renew()];
      recovering = undefined;
    });
  }

  async function recover(): Promise<readonly UndoResult[]> {
    await renewUnlessInPlace();
    await late.write();
    // Runs alone, so that work of this journal in progress is not taken for interrupted.
    recovering ??= state
      .ready()
      .then(() => state.alone(() => recoverAll(state)))
      .then(({ results, isWhole }) => {
        if (!isWhole) recovering = undefined;
        return results;
      })
      .catch((error: unknown) => {
        recovering = undefined;
        throw error;
      });
    return await recovering;
  }

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    await recover();
    return state.alone(async () => {
      try {
        return await work();
      } catch (error) {
        // It may have left work half-done, which the next use completes.
        recovering = undefined;
        throw error;
      }
    });
  }

  async function recoverToRead(): Promise<boolean> {
    try {
      await recover();
      return true;
    } catch (error) {
      if (!ToolError.is(error) || error.code !== "NO_SPACE") throw error;
      if (!(await state.isStored())) return false;
      await state.ready();
      return true;
    }
  }

  return {
    recover,
    async recoverAgain() {
      recovering = undefined;
      return await recover();
    },
    recoverToRead,
    alone,
    takeNotice() {
      const told = notice ?? state.takeNotice();
      notice = undefined;
      return told;
    },
  };
}

/**
 * Completes the work of processes that ended too early. Paths that changed since stay and are listed. Work of live
 * processes is left to them; `isWhole` is false then.
 */
async function recoverAll(
  state: JournalState,
): Promise<{ readonly results: readonly UndoResult[]; readonly isWhole: boolean }> {
  const calls = (await state.records.calls()).filter((record) => record.state === "applying");
  const undos = (await state.records.undos()).filter((record) => record.state !== "done");
  const isElsewhere = [...calls, ...undos].some((record) => state.owner.isElsewhere(record));
  await removeDraftsOfGone(state);
  const results = [...(await recoverApplied(state)), ...(await recoverUndo(state))];
  return { results, isWhole: !isElsewhere };
}

async function recoverApplied(state: JournalState): Promise<readonly UndoResult[]> {
  const results: UndoResult[] = [];
  for (const record of await state.records.calls()) {
    if (record.state !== "applying" || state.owner.isElsewhere(record)) continue;
    const kept = await recoverStaged(state, record);
    results.push(resultOf({ calls: [record], steps: record.steps ?? [], kept, skipped: [] }));
  }
  return results;
}

async function recoverUndo(state: JournalState): Promise<readonly UndoResult[]> {
  const unfinished = (await state.records.undos()).filter(
    (record) => record.state !== "done" && !state.owner.isElsewhere(record),
  );
  if (unfinished.length === 0) return [];
  const calls = await state.records.calls();
  const results: UndoResult[] = [];
  for (const record of unfinished) {
    const isUndo = record.state === "started";
    const steps = isUndo ? record.steps : reversed(record.steps);
    await removeStaleDrafts(state.fs, steps);
    const kept = await applySteps(steps, { ...state, onFailure: "keep" });
    // The paths in `left` are stored with the call, because no caller reads this result.
    await (isUndo ? finishUndo : finishRedo)(state, record, { calls, left: kept });
    const inOrder = isUndo ? calls.toReversed() : calls;
    const named = inOrder.filter((each) => record.calls.includes(each.id));
    results.push(resultOf({ calls: named, steps, kept, skipped: [] }));
  }
  return results;
}
