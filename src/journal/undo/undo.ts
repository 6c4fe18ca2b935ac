import { ToolError } from "../../core/index.ts";
import { applyOrRollBack, readLimit } from "../apply/apply.ts";
import type { ContentBatch } from "../log/content-store.ts";
import {
  chooseCalls,
  noteUntouched,
  undoableCalls,
  type ChooseOptions,
  type UndoOptions,
  type UndoTarget,
} from "./select-calls.ts";
import { withClosedDirectories } from "../apply/read-only-directories.ts";
import { conflictError, withoutStarting } from "./conflict-error.ts";
import { contentSize, isSameState } from "../capture/file-state.ts";
import { finishUndo, resultOf, type UndoResult } from "./finish-undo.ts";
import { inBatches } from "../../text/index.ts";
import type { JournalState } from "../journal-state.ts";
import { isSecond, newCalls, ownTurn } from "../liveness/owner.ts";
import { withoutDamaged } from "./damaged-contents.ts";
import { withoutLosing } from "./last-versions.ts";
import { separated } from "../apply/other-names.ts";
import { planUndo } from "./undo-conflicts.ts";
import {
  disowned,
  isUnfinished,
  type CallRecord,
  type NotCaptured,
  type Step,
  type UndoRecord,
} from "../records.ts";
import { snapshotPath, snapshotAll, type Snapshot } from "../capture/snapshot.ts";
import { wholeCalls } from "../log/merge-records.ts";

export interface InTurn {
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
  readonly skipped: readonly NotCaptured[];
}

async function choice(
  state: JournalState,
  target: UndoTarget,
  options: ChooseOptions,
): Promise<Choice> {
  const calls = await state.records.calls();
  const isUnderWay = isRunning(state, options.isUnderWay);
  const standing = await undoableCalls(state, calls, isUnderWay);
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
  const present = await snapshotAll(
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
  if ((await isSecond(undo, state)) || (await newCalls(undo, calls, state)).length > 0) {
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

/** Whether a live process, this or another one, still runs the call of a record. */
export function isRunning(
  { owner }: Pick<JournalState, "owner">,
  isOwn: (record: CallRecord) => boolean,
): (record: CallRecord) => boolean {
  return (record) => isOwn(record) || (isUnfinished(record) && owner.isElsewhere(record));
}

/** Whether an undo or redo overrides the conflicts of a path. */
export function forcing(force: UndoOptions["force"]): (path: string) => boolean {
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
export async function keepContents(
  state: JournalState,
  steps: readonly Step[],
  present: ReadonlyMap<string, Snapshot>,
): Promise<{ readonly large: readonly NotCaptured[]; readonly batch: ContentBatch }> {
  const large: NotCaptured[] = [];
  const batch = state.blobs.batch();
  await inBatches(steps, async (step) => {
    const { path, from } = step;
    if (from.kind !== "file") return;
    const held = present.get(path);
    const { image, bytes } =
      held?.bytes === undefined ? await snapshotPath(state.fs, path, readLimit(step)) : held;
    if (!isSameState(image, from)) {
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
