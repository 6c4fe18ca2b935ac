import { ToolError } from "../../core/index.ts";
import { applyOrRollBack, readLimit } from "../apply/apply.ts";
import { reversed } from "../apply/order-steps.ts";
import { withClosedDirectories } from "../apply/read-only-directories.ts";
import { absent, changeBetween, isSameState } from "../capture/file-state.ts";
import { snapshotAll } from "../capture/snapshot.ts";
import type { JournalState } from "../journal-state.ts";
import { isSecond, newCalls, ownTurn } from "../liveness/owner.ts";
import { disowned, type CallRecord, type Step, type UndoRecord } from "../records.ts";
import { conflictError } from "./conflict-error.ts";
import { withoutDamaged } from "./damaged-contents.ts";
import { finishRedo, resultOf, type UndoResult } from "./finish-undo.ts";
import { withoutLost } from "./last-versions.ts";
import { noteUntouched, stillRunning, undoableCalls, type ChooseOptions } from "./select-calls.ts";
import { forcing, isRunning, keepContents, type InTurn } from "./undo.ts";

type RedoOptions = Pick<ChooseOptions, "force" | "isUnderWay" | "signal">;

/** Redoes the calls of the latest undo: every path returns to its state before that undo. */
export async function redoCalls(
  state: JournalState,
  { alone, ...options }: RedoOptions & InTurn,
): Promise<UndoResult> {
  const { signal } = options;
  const latest = async () => await latestUndo(state, await state.records.calls());
  for (;;) {
    const { id, steps } = await alone(latest);
    const redo = async (): Promise<UndoResult | undefined> => {
      const calls = await state.records.calls();
      const undo = await latestUndo(state, calls);
      return undo.id === id ? await redoOf(state, undo, { ...options, calls }) : undefined;
    };
    const wanted = { paths: steps.map(({ path }) => path), what: "a redo", signal };
    const result = await state.turns.during(wanted, () => alone(redo));
    if (result !== undefined) return result;
  }
}

/** Undefined if another program was first. */
async function redoOf(
  state: JournalState,
  undo: UndoRecord,
  options: RedoOptions & { readonly calls: readonly CallRecord[] },
): Promise<UndoResult | undefined> {
  const { calls } = options;
  const named = undo.steps.map(({ path }) => path);
  if (await ownTurn(named, { ...state, signal: options.signal })) return undefined;
  const earlier = calls.filter(({ seq }) => seq < undo.seq);
  const isRunningCall = isRunning(state, () => false);
  const running = (await newCalls(undo, earlier, state)).find(isRunningCall);
  if (running !== undefined) throw stillRunning(running);
  const chosen = calls.filter((record) => undo.calls.includes(record.id));
  const isForced = forcing(options.force);
  // The set of directories without write permission may have changed since.
  const undone = undo.steps.filter(({ from, to }) => changeBetween(from, to) !== "none");
  const { steps: kept, kept: lost } = withoutLost(reversed(undone));
  const { steps: back, kept: damaged } = await withoutDamaged(kept, state, isForced);
  const limits = back.map((step): readonly [string, number] => {
    return [step.path, Math.max(readLimit(step), isForced(step.path) ? state.maxBytes : 0)];
  });
  const present = await snapshotAll(state.fs, new Map(limits));
  const changes = back.map((step): Step => {
    return { ...step, from: present.get(step.path)?.image ?? absent };
  });
  const lefts = new Map(back.map(({ path, from }) => [path, from]));
  const conflicts = changes.flatMap(({ path, from, to }) => {
    const left = lefts.get(path);
    if (left === undefined || isSameState(from, left) || isSameState(from, to) || isForced(path))
      return [];
    const record = chosen.find((call) => call.paths.some((each) => each.path === path));
    return record === undefined
      ? []
      : [{ path, record, before: to, after: left, now: from, laterCalls: [] }];
  });
  if (conflicts.length > 0) throw await conflictError(conflicts, state);
  const steps = await withClosedDirectories(changes, state.fs);
  const closed = reversed(steps.slice(changes.length));
  const redoing: UndoRecord = {
    ...undo,
    ...state.owner.mark,
    at: state.clock.now(),
    state: "redoing",
    steps: [...reversed(back), ...closed],
  };
  const { large, batch } = await keepContents(state, steps, present);
  await noteUntouched(state, steps, isRunning(state, options.isUnderWay));
  await state.records.replace([redoing], batch);
  batch.written();
  const [taken] = (await state.records.undos()).filter(({ id }) => id === undo.id);
  if (taken?.state !== "redoing" || taken.by !== redoing.by) return undefined;
  if ((await isSecond(redoing, state)) || (await newCalls(redoing, calls, state)).length > 0) {
    await state.records.replace([undo]);
    return undefined;
  }
  const notDone = await applyOrRollBack(state, steps, {
    back: () => state.records.replace([undo]),
    half: () => state.records.replace([disowned({ ...undo, state: "started" })]),
  });
  const left = [...lost, ...damaged, ...notDone];
  await finishRedo(state, redoing, { calls, left });
  return resultOf({ calls: chosen, steps, kept: left, skipped: large });
}

/** Undo that can be redone. As in every editor, a later change discards it. */
async function latestUndo(state: JournalState, calls: readonly CallRecord[]): Promise<UndoRecord> {
  const undo = (await state.records.undos()).findLast((record) => record.state === "done");
  if (undo === undefined) {
    throw new ToolError("NOT_FOUND", "There is nothing to redo.", {
      hint: "The history lists what can be undone.",
    });
  }
  const later = calls.filter(({ seq }) => seq > undo.seq);
  const [change] = await undoableCalls(state, later, () => false);
  if (change === undefined) return undo;
  const { tool, callId } = change;
  throw new ToolError("NOT_FOUND", `${tool} (${callId}) has changed files since the last undo.`, {
    hint: "After a new change nothing can be redone; send the undone calls again.",
    data: { callId },
  });
}
