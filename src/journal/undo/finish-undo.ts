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
  /** Paths that changed once more while programs of hooks ran after a call: that counts as part of the call. */
  readonly byHooks?: readonly HookPart[];
}

/** Part of a call's change of a path that was made while programs of its hooks ran. */
export interface HookPart {
  /** Absolute path. */
  readonly path: string;
  /** Commands of the hooks. */
  readonly hooks: readonly string[];
  /** Description for users. */
  readonly note: string;
}

/** Builds the result of steps: their changes sorted by path, without the paths left as they are. */
export function resultOf(what: {
  readonly calls: readonly CallRecord[];
  readonly steps: readonly Step[];
  readonly kept: readonly NotCaptured[];
  readonly skipped: readonly NotCaptured[];
}): UndoResult {
  const kept = new Set(what.kept.map(({ path }) => path));
  const wholes = wholeCalls(what.calls);
  const byHooks = hookParts(what.calls).filter(({ path }) => !kept.has(path));
  return {
    calls: wholes.map((record) => record.callId),
    changes: what.steps
      .filter(({ path, from, to }) => !kept.has(path) && changeBetween(from, to) !== "none")
      .map(({ path, from, to }) => ({ path, change: changeBetween(from, to) }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    kept: what.kept,
    skipped: what.skipped,
    ...(byHooks.length === 0 ? {} : { byHooks }),
  };
}

function hookParts(records: readonly CallRecord[]): readonly HookPart[] {
  const parts = new Map<string, HookPart>();
  const paths = records.flatMap((record) => record.paths);
  for (const { path, after, hooks: own = [] } of paths) {
    if (own.length === 0) continue;
    const hooks = [...new Set([...(parts.get(path)?.hooks ?? []), ...own])];
    const named = `the ${hooks.length === 1 ? "hook" : "hooks"} ${hooks.map((hook) => `\`${hook}\``).join(" and ")}`;
    const note =
      after?.kind === "absent"
        ? `it was removed or moved while ${named} ran after the call; a file to which it was moved stays`
        : `also what changed while ${named} ran after the call`;
    parts.set(path, { path, hooks, note });
  }
  return [...parts.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
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
