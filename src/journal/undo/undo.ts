import { ToolError } from "../../core/index.ts";
import { applyOrRollBack, applySteps, readLimit } from "../apply/apply.ts";
import type { ContentBatch } from "../log/content-store.ts";
import { recoverStaged } from "../apply/apply-staged.ts";
import {
  chooseCalls,
  noteUntouched,
  standingCalls,
  type ChooseOptions,
  type UndoOptions,
  type UndoTarget,
} from "./select-calls.ts";
import { withClosedDirectories } from "../apply/read-only-directories.ts";
import { conflictError, withoutStarting } from "./conflict-error.ts";
import {
  absent,
  changeBetween,
  contentSize,
  sameImage,
  type Change,
} from "../capture/file-state.ts";
import { inBatches } from "../../text/index.ts";
import type { JournalState } from "../journal-state.ts";
import { isSecond, ownTurn } from "../liveness/owner.ts";
import { withoutDamaged } from "./damaged-contents.ts";
import { withoutLosing, withoutLost } from "./last-copies.ts";
import { removeDraftsOfGone, removeLeftDrafts } from "../apply/stale-drafts.ts";
import { separated } from "../apply/other-names.ts";
import { planUndo } from "./plan.ts";
import {
  disowned,
  isUnfinished,
  type CallRecord,
  type Skipped,
  type Step,
  type UndoRecord,
} from "../records.ts";
import { lookAt, lookAtAll, type Sight } from "../capture/snapshot.ts";
import { reversed } from "../apply/order-steps.ts";
import { wholeCalls } from "../log/merge-records.ts";

/** Result of an undo or redo. */
export interface UndoResult {
  /** Calls undone or redone, in the order of execution. */
  readonly calls: readonly string[];
  readonly changes: readonly { readonly path: string; readonly change: Change }[];
  /** Paths left as they are, with the reason. */
  readonly kept: readonly Skipped[];
  /** Paths for which the journal had no content. */
  readonly skipped: readonly Skipped[];
}

interface InTurn {
  /** Runs after all work requested before. Waiting for other programs happens outside of it. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Undoes calls, all of them or, if one cannot be undone, none. */
export async function undoCalls(
  state: JournalState,
  target: UndoTarget,
  { alone, ...options }: ChooseOptions & InTurn,
): Promise<UndoResult> {
  const { signal } = options;
  for (;;) {
    const paths = namedBy(await alone(() => choice(state, target, options)));
    const undo = async (): Promise<UndoResult | undefined> => {
      const now = await choice(state, target, options);
      // Another program has changed the choice meanwhile.
      const isSame = now.chosen.length > 0 && namedBy(now).every((path) => paths.includes(path));
      return isSame ? await undoChoice(state, now, options) : undefined;
    };
    const wanted = { paths, what: "an undo", signal };
    const result = await state.turns.during(wanted, () => alone(undo));
    if (result !== undefined) return result;
  }
}

interface Choice {
  readonly calls: readonly CallRecord[];
  readonly standing: readonly CallRecord[];
  /** Newest first. */
  readonly chosen: readonly CallRecord[];
  /** Changes of newer calls of which nothing was stored. */
  readonly skipped: readonly Skipped[];
}

async function choice(
  state: JournalState,
  target: UndoTarget,
  options: ChooseOptions,
): Promise<Choice> {
  const calls = await state.records.calls();
  const isUnderWay = isRunning(state, options.isUnderWay);
  const standing = await standingCalls(state, calls, isUnderWay);
  const { records, skipped } = chooseCalls(standing, target, { ...options, isUnderWay });
  return { calls, standing, chosen: records, skipped };
}

function namedBy({ chosen }: Choice): readonly string[] {
  return [...new Set(chosen.flatMap(({ paths }) => paths.map(({ path }) => path)))];
}

/** Undefined if another program was first, so that the choice has to be made again. */
async function undoChoice(
  state: JournalState,
  { calls, standing, chosen, skipped }: Choice,
  options: ChooseOptions,
): Promise<UndoResult | undefined> {
  const isUnderWay = isRunning(state, options.isUnderWay);
  const named = chosen.flatMap(({ paths }) => paths.map(({ path }) => path));
  if (await ownTurn(named, { ...state, signal: options.signal })) return undefined;
  const isForced = forcing(options.force);
  const present = await lookAtAll(
    state.fs,
    limitsOf(chosen, (path) => (isForced(path) ? state.maxBytes : 0)),
  );
  const { steps: planned, conflicts } = planUndo({
    records: chosen,
    others: standing.filter((record) => !chosen.includes(record)),
    present,
    isForced,
  });
  if (conflicts.length > 0) throw await conflictError(conflicts, state);
  const readable = await withoutDamaged(planned, state, isForced);
  const safe = withoutLosing(readable.steps, isForced);
  const steps = await withClosedDirectories(safe.steps, state.fs);
  const { undo, large } = await withoutStarting(async () => {
    const kept = await keepContents(state, steps, present);
    await noteUntouched(state, steps, isUnderWay);
    const added = await state.records.add(
      (key): UndoRecord => ({
        ...key,
        kind: "undo",
        ...state.owner.mark,
        at: state.clock.now(),
        state: "started",
        calls: chosen.map((record) => record.id),
        steps,
      }),
      kept.batch,
    );
    kept.batch.written();
    return { undo: added, large: kept.large };
  });
  if (await isSecond(undo, state)) {
    await state.records.remove([undo]);
    return undefined;
  }
  const kept = await applyOrRollBack(state, steps, {
    back: () => state.records.remove([undo]),
    half: () => state.records.replace([disowned({ ...undo, state: "redoing" })]),
  });
  const left = [...readable.kept, ...safe.kept, ...kept];
  await finishUndo(state, undo, { calls, left });
  return resultOf({
    calls: chosen,
    steps,
    kept: left,
    skipped: [
      ...skipped,
      ...wholeCalls(chosen).flatMap((record) => record.skipped),
      ...large,
      ...(await separated(steps, state.fs)),
    ],
  });
}

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
  const chosen = calls.filter((record) => undo.calls.includes(record.id));
  const isForced = forcing(options.force);
  // The set of directories without write permission may have changed since.
  const undone = undo.steps.filter(({ from, to }) => changeBetween(from, to) !== "none");
  const { steps: kept, kept: lost } = withoutLost(reversed(undone));
  const { steps: back, kept: damaged } = await withoutDamaged(kept, state, isForced);
  const limits = back.map((step): readonly [string, number] => {
    return [step.path, Math.max(readLimit(step), isForced(step.path) ? state.maxBytes : 0)];
  });
  const present = await lookAtAll(state.fs, new Map(limits));
  const changes = back.map((step): Step => {
    return { ...step, from: present.get(step.path)?.image ?? absent };
  });
  const lefts = new Map(back.map(({ path, from }) => [path, from]));
  const conflicts = changes.flatMap(({ path, from, to }) => {
    const left = lefts.get(path);
    if (left === undefined || sameImage(from, left) || sameImage(from, to) || isForced(path))
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
  if (await isSecond(redoing, state)) {
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
  const [change] = await standingCalls(state, later, () => false);
  if (change === undefined) return undo;
  const { tool, callId } = change;
  throw new ToolError("NOT_FOUND", `${tool} (${callId}) has changed files since the last undo.`, {
    hint: "After a new change nothing can be redone; send the undone calls again.",
    data: { callId },
  });
}

/**
 * Completes the work of processes that ended too early. Paths that changed since stay and are listed. Work of live
 * processes is left to them; `isWhole` is false then.
 */
export async function recoverAll(
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
    await removeLeftDrafts(state.fs, steps);
    const kept = await applySteps(steps, { ...state, onFailure: "keep" });
    // The paths in `left` are stored with the call, because no caller reads this result.
    await (isUndo ? finishUndo : finishRedo)(state, record, { calls, left: kept });
    const inOrder = isUndo ? calls.toReversed() : calls;
    const named = inOrder.filter((each) => record.calls.includes(each.id));
    results.push(resultOf({ calls: named, steps, kept, skipped: [] }));
  }
  return results;
}

interface Finished {
  readonly calls: readonly CallRecord[];
  readonly left: readonly Skipped[];
}

async function finishUndo(state: JournalState, undo: UndoRecord, end: Finished): Promise<void> {
  await state.records.replace([...marked(undo, end, "undone"), { ...undo, state: "done" }]);
}

async function finishRedo(state: JournalState, undo: UndoRecord, end: Finished): Promise<void> {
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

/** Whether a live process, this or another one, still runs the call of a record. */
export function isRunning(
  { owner }: Pick<JournalState, "owner">,
  isOwn: (record: CallRecord) => boolean,
): (record: CallRecord) => boolean {
  return (record) => isOwn(record) || (isUnfinished(record) && owner.isElsewhere(record));
}

function forcing(force: UndoOptions["force"]): (path: string) => boolean {
  if (typeof force === "object") return (path) => force.includes(path);
  return () => force === true;
}

/** A file larger than every state of its path cannot equal one of them. */
function limitsOf(
  records: readonly CallRecord[],
  least: (path: string) => number,
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const record of records) {
    for (const { path, before, after } of record.paths) {
      const size = Math.max(contentSize(before), contentSize(after));
      sizes.set(path, Math.max(sizes.get(path) ?? least(path), size));
    }
  }
  return sizes;
}

/** Stores content before it is replaced, so that a failure can be rolled back and redo can restore it. */
async function keepContents(
  state: JournalState,
  steps: readonly Step[],
  present: ReadonlyMap<string, Sight>,
): Promise<{ readonly large: readonly Skipped[]; readonly batch: ContentBatch }> {
  const large: Skipped[] = [];
  const batch = state.blobs.batch();
  await inBatches(steps, async (step) => {
    const { path, from } = step;
    if (from.kind !== "file") return;
    const held = present.get(path);
    const { image, bytes } =
      held?.bytes === undefined ? await lookAt(state.fs, path, readLimit(step)) : held;
    if (!sameImage(image, from)) {
      throw new ToolError("STALE_READ", `${path} is changing right now.`, {
        hint: "Undo again when nothing writes to it.",
        data: { path },
      });
    }
    if (bytes === undefined)
      large.push({ path, because: "it is gone for good, being too large to be kept for redo" });
    else batch.put(from.hash, bytes);
  });
  await batch.stored();
  return { large, batch };
}

function resultOf(what: {
  readonly calls: readonly CallRecord[];
  readonly steps: readonly Step[];
  readonly kept: readonly Skipped[];
  readonly skipped: readonly Skipped[];
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
