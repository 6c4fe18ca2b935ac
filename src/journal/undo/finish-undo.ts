import { changeBetween, type FileChange } from "../capture/file-state.ts";
import type { JournalState } from "../journal-state.ts";
import { wholeCalls } from "../log/merge-records.ts";
import type { CallRecord, NotCaptured, Step, UndoRecord } from "../records.ts";

/** Result of an undo or redo. */
export interface UndoResult {
  /** Calls undone or redone, in the order of execution. */
  readonly calls: readonly string[];
  /** Paths that were restored, and how they changed. */
  readonly changes: readonly { readonly path: string; readonly change: FileChange }[];
  /** Paths left as they are, with the reason. */
  readonly kept: readonly NotCaptured[];
  /** Paths for which the journal had no content. */
  readonly skipped: readonly NotCaptured[];
}

/** Builds the result of steps: their changes sorted by path, without the paths left as they are. */
export function resultOf(what: {
  readonly calls: readonly CallRecord[];
  readonly steps: readonly Step[];
  readonly kept: readonly NotCaptured[];
  readonly skipped: readonly NotCaptured[];
}): UndoResult {
  const kept = new Set(what.kept.map(({ path }) => path));
  return {
    calls: wholeCalls(what.calls).map((record) => record.callId),
    changes: what.steps
      .filter(({ path, from, to }) => !kept.has(path) && changeBetween(from, to) !== "none")
      .map(({ path, from, to }) => ({ path, change: changeBetween(from, to) }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    kept: what.kept,
    skipped: what.skipped,
  };
}

interface Finished {
  readonly calls: readonly CallRecord[];
  readonly left: readonly NotCaptured[];
}

/** Records an undo as completed, with the paths that are left as they are. */
export async function finishUndo(
  state: JournalState,
  undo: UndoRecord,
  end: Finished,
): Promise<void> {
  await state.records.replace([...marked(undo, end, "undone"), { ...undo, state: "done" }]);
}

/** Records a redo as completed and removes its undo. */
export async function finishRedo(
  state: JournalState,
  undo: UndoRecord,
  end: Finished,
): Promise<void> {
  await state.records.replace(marked(undo, end, "done"));
  await state.records.remove([undo]);
}

function marked(
  undo: UndoRecord,
  { calls, left }: Finished,
  state: "done" | "undone",
): readonly CallRecord[] {
  const because = new Map(left.map((each) => [each.path, each]));
  return calls
    .filter((record) => undo.calls.includes(record.id))
    .map(({ left: _before, ...record }) => {
      const own = record.paths.flatMap(({ path }) => because.get(path) ?? []);
      return { ...record, state, ...(own.length === 0 ? {} : { left: own }) };
    });
}
