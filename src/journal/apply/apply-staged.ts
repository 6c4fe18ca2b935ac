import { joinPath } from "../../text/index.ts";
import {
  ToolError,
  type StagedChange,
  type StagedChanges,
  type WriteEffect,
} from "../../core/index.ts";
import { applyOrRollBack, applySteps, isThere } from "./apply.ts";
import type { ContentBatch } from "../log/content-store.ts";
import { capture, type JournalBudget } from "../capture/capture.ts";
import { withClosedDirectories } from "./read-only-directories.ts";
import {
  absent,
  changeBetween,
  imageOfStat,
  isContentHash,
  isInexact,
  type FileState,
} from "../capture/file-state.ts";
import { inBatches } from "../../text/index.ts";
import type { JournalState } from "../journal-state.ts";
import { authorOf } from "../capture/change-author.ts";
import { removeStaleDrafts } from "./stale-drafts.ts";
import { isSecond, ownTurn } from "../liveness/owner.ts";
import { withoutOnlyCopies } from "../undo/irreplaceable-content.ts";
import {
  disowned,
  levelOf,
  type CallRecord,
  type LostContent,
  type PathRecord,
  type NotCaptured,
  type Step,
} from "../records.ts";
import { snapshotPath, type Snapshot } from "../capture/snapshot.ts";
import { stagedConflictError, stagedConflicts } from "./staged-conflicts.ts";
import { reversed } from "./order-steps.ts";

export interface StagedCall {
  readonly callId: string;
  readonly info: {
    readonly tool: string;
    readonly title?: string;
    readonly sessionId?: string;
    readonly agentId?: string;
  };
  readonly staged: StagedChanges;
  readonly budget: JournalBudget;
  /** Record of the call's checkpoint, which this one replaces. */
  readonly open: CallRecord | undefined;
  /** Id of the first record of a call that already has one of staged changes. */
  readonly partOf: string | undefined;
  /** More changes of the call may follow. */
  readonly goesOn: boolean;
  /** FileChange nothing if some change could not be undone. */
  readonly keepsAll: boolean;
  /** Called with the content of each path after the call, if it was read. */
  readonly keep: (sight: Snapshot, batch: ContentBatch) => Promise<void>;
  /** Ends the wait for other processes, before anything is applied. */
  readonly signal?: AbortSignal | undefined;
  /** Called after a failure that could not be reverted completely, so that the record has to stay. */
  readonly onHalfDone: () => void;
}

/**
 * Applies the changes of a command on an overlay to the real tree, all or none. The present state is stored first, then
 * the plan, so that the next process can complete it if this one ends at any point. Files are moved to their paths with
 * all metadata. A path that had several names before has a file of its own afterwards, as the command saw it. Undefined
 * if nothing would change.
 */
export async function applyStaged(
  state: JournalState,
  call: StagedCall,
): Promise<CallRecord | undefined> {
  const { fs, clock, directory } = state;
  const { staged, budget } = call;
  await ownTurn(
    staged.changes.map(({ path }) => path),
    { ...state, signal: call.signal },
  );
  const batch = state.blobs.batch();
  // Runs while the rest is read, which takes about as long.
  const flushed = fs.flush?.(
    staged.changes.flatMap(({ to }) => (to.kind === "file" ? [to.source] : [])),
  );
  flushed?.catch(() => undefined);
  const captured = await capture(writesOf(staged.changes), { fs, batch, clock, budget, directory });
  const conflicts = await stagedConflicts(fs, staged);
  const [conflict] = conflicts;
  if (conflict !== undefined) {
    throw stagedConflictError(conflicts, await authorOf(conflict.path, state));
  }
  const steps = await stepsOf(state, {
    call,
    images: captured.images,
    keep: (sight) => call.keep(sight, batch),
  });
  const paths = new Set(steps.map(({ path }) => path));
  const lost = lostOf(captured.skipped, steps);
  const unkept = new Set(lost.map(({ path }) => path));
  if (call.keepsAll && lost.length > 0) throw unkeptError(lost);
  const gone = await goneOf(state, { steps, unkept, maxBytes: budget.bytes });
  const safe = withoutOnlyCopies({
    paths: steps.flatMap((step) => (unkept.has(step.path) ? [] : [pathOf(step)])),
    lost: gone,
  });
  const skipped = [
    ...safe.skipped,
    ...lost,
    ...staged.refused,
    ...(steps.length === 0 ? [] : staged.through.map(writtenThrough)),
  ];
  if (steps.length === 0 && skipped.length === 0) return undefined;
  const withClosed = await withClosedDirectories(setAside(steps, { unkept, staged }), fs);
  const about = {
    kind: "call",
    callId: call.callId,
    ...(call.partOf === undefined ? {} : { partOf: call.partOf }),
    ...call.info,
    ...(call.goesOn ? ({ goesOn: true } as const) : {}),
    ...(call.open?.watches === true ? ({ watches: true } as const) : {}),
    ...state.owner.mark,
    at: clock.now(),
    level: levelOf(steps.length, beside(skipped, call.open?.skipped ?? [], paths)),
    skipped: beside(skipped, call.open?.skipped ?? [], paths),
    // Paths changed outside the overlay stay as the checkpoint stored them.
    paths: beside(safe.paths, call.open?.paths ?? [], paths),
    ...(gone.length === 0 ? {} : { lost: gone }),
    steps: withClosed,
  } as const;
  const begin = ({ id, seq }: Pick<CallRecord, "id" | "seq">): CallRecord => ({
    ...about,
    id,
    seq,
    state: "applying",
  });
  // Must be durable before the plan that moves the staged files: they replace the present files.
  await Promise.all([batch.stored(), flushed]);
  let record: CallRecord;
  if (call.open === undefined) record = await state.records.add(begin, batch);
  else await state.records.replace([(record = begin(call.open))], batch);
  batch.written();
  if (await isSecond(record, state)) {
    await (call.open === undefined
      ? state.records.remove([record])
      : state.records.replace([call.open]));
    return applyStaged(state, call);
  }
  const left = await applyOrRollBack({ ...state, purpose: "command" }, withClosed, {
    back: () => takenBack(state, record),
    half: async () => {
      await state.records.replace([halfDone(record)]);
      call.onHalfDone();
    },
  });
  return finish(state, record, left);
}

/** Staged changes that could not be undone, judged by size; reads no content. */
export async function unkeptChanges(
  { fs, clock, directory }: JournalState,
  { changes }: StagedChanges,
  budget: JournalBudget,
): Promise<readonly NotCaptured[]> {
  const { skipped } = await capture(writesOf(changes), { fs, clock, budget, directory });
  const lost = await inBatches(skipped, async (each) => {
    const kind = await fs.stat(each.path).then(
      (stat) => stat.kind,
      () => undefined,
    );
    return kind === "file" ? [each] : [];
  });
  return lost.flat();
}

/** Completes interrupted staged changes, or reverts them if their source files no longer exist. */
export async function recoverStaged(
  state: JournalState,
  record: CallRecord,
): Promise<readonly NotCaptured[]> {
  const steps = record.steps ?? [];
  await removeStaleDrafts(state.fs, [...steps, ...reversed(steps)]);
  if (await canFinish(state, steps)) {
    const left = await applySteps(steps, { ...state, onFailure: "keep" });
    await finish(state, record, left);
    return left;
  }
  const left = await applySteps(reversed(steps), { ...state, onFailure: "keep" });
  if (left.length === 0) await takenBack(state, record);
  else await state.records.replace([halfDone(record)]);
  return left;
}

/** The states of its paths are unknown now; those that differ from before can be undone by force. */
function halfDone({ steps: _steps, ...record }: CallRecord): CallRecord {
  const paths = record.paths.map(({ path, before }) => ({ path, before }));
  return { ...disowned(record), state: "open", paths };
}

/** Nothing of it was applied; what its checkpoint stored outside the overlay is still needed. */
async function takenBack(
  state: JournalState,
  { steps = [], ...record }: CallRecord,
): Promise<void> {
  const taken = new Set(steps.map(({ path }) => path));
  const paths = record.paths.filter(({ path }) => !taken.has(path));
  if (paths.length === 0) await state.records.remove([record]);
  else await state.records.replace([{ ...record, state: "open", paths }]);
}

function writesOf(changes: readonly StagedChange[]): readonly WriteEffect[] {
  return changes.map(({ path }) => ({ kind: "write", path, scope: "file", change: "modify" }));
}

/** Paths that cannot be restored. Directories and ordinary links can: the record itself has their state. */
function lostOf(skipped: readonly NotCaptured[], steps: readonly Step[]): readonly NotCaptured[] {
  const from = new Map(steps.map((step) => [step.path, step.from]));
  return skipped.filter(({ path }) => {
    const image = from.get(path);
    return (
      image !== undefined && (image.kind === "file" || image.kind === "special" || isInexact(image))
    );
  });
}

/**
 * Files that are replaced or deleted and not stored. If a file that the command made has the size of one, its content
 * is read, up to `maxBytes` in all, so that undo can tell the only copy from other files of that size.
 */
async function goneOf(
  state: JournalState,
  what: {
    readonly steps: readonly Step[];
    readonly unkept: ReadonlySet<string>;
    readonly maxBytes: number;
  },
): Promise<readonly LostContent[]> {
  const { steps, unkept } = what;
  const gone = steps.flatMap(({ path, from }) =>
    unkept.has(path) && from.kind === "file" && from.size > 0 ? [{ path, size: from.size }] : [],
  );
  if (gone.length === 0) return gone;
  const made = new Set(
    steps.flatMap(({ path, to }) => (to.kind === "file" && !unkept.has(path) ? [to.size] : [])),
  );
  let bytesLeft = what.maxBytes;
  return await inBatches(gone, async (lost): Promise<LostContent> => {
    if (!made.has(lost.size) || lost.size > bytesLeft) return lost;
    bytesLeft -= lost.size;
    const { image } = await sightOf(state, lost.path, lost.size);
    return image.kind === "file" && isContentHash(image.hash)
      ? { ...lost, hash: image.hash }
      : lost;
  });
}

/** Moves files that are not stored to a place from which they can be restored until everything else has succeeded. */
function setAside(
  steps: readonly Step[],
  { unkept, staged }: { readonly unkept: ReadonlySet<string>; readonly staged: StagedChanges },
): readonly Step[] {
  const { aside } = staged;
  if (aside === undefined || unkept.size === 0) return steps;
  return steps.map((step, index) =>
    step.from.kind === "file" && unkept.has(step.path)
      ? { ...step, away: joinPath(aside, String(index)) }
      : step,
  );
}

/** Maximum number of paths in the error data. */
const maxTold = 100;

function unkeptError(lost: readonly NotCaptured[]): ToolError {
  const [first] = lost;
  const more = lost.length > 1 ? ` and ${lost.length - 1} more` : "";
  return new ToolError(
    "LIMIT_REACHED",
    `${first?.path ?? "A path"}${more} could not be undone: ${first?.because ?? "it was not stored"}.`,
    {
      hint: "Nothing was changed.",
      data: { unkept: lost.slice(0, maxTold), count: lost.length },
    },
  );
}

function beside<T extends { readonly path: string }>(
  own: readonly T[],
  others: readonly T[],
  paths: ReadonlySet<string>,
): readonly T[] {
  const known = new Set([...paths, ...own.map(({ path }) => path)]);
  return [...own, ...others.filter(({ path }) => !known.has(path))];
}

async function finish(
  state: JournalState,
  { steps = [], ...record }: CallRecord,
  left: readonly NotCaptured[],
): Promise<CallRecord> {
  const isLeft = new Set(left.map(({ path }) => path));
  const skipped = [...record.skipped, ...left];
  const large = new Set(
    steps.flatMap(({ path, to }) => (to.kind === "file" && !isContentHash(to.hash) ? [path] : [])),
  );
  const paths: PathRecord[] = [];
  for (const each of record.paths) {
    if (isLeft.has(each.path)) continue;
    // The move gave the file a new version.
    const after = large.has(each.path) ? (await sightOf(state, each.path, 0)).image : each.after;
    paths.push(after === undefined ? each : { ...each, after });
  }
  const level = levelOf(paths.length, skipped);
  const done: CallRecord = { ...record, state: "done", level, skipped, paths };
  // Durable: recovery would apply an unfinished plan again, when other processes may have changed its paths.
  await state.records.replace([done]);
  return done;
}

async function canFinish(state: JournalState, steps: readonly Step[]): Promise<boolean> {
  for (const step of steps) {
    if (step.source === undefined) continue;
    if ((await sightOf(state, step.source, 0)).image.kind === "file") continue;
    const limit = step.to.kind === "file" && isContentHash(step.to.hash) ? step.to.size : 0;
    if (!isThere((await sightOf(state, step.path, limit)).image, step)) return false;
  }
  return true;
}

interface Staging {
  readonly call: StagedCall;
  readonly images: ReadonlyMap<string, FileState>;
  readonly keep: (sight: Snapshot) => Promise<void>;
}

async function stepsOf(
  state: JournalState,
  { call, images, keep }: Staging,
): Promise<readonly Step[]> {
  const steps = await inBatches(call.staged.changes, async (change): Promise<readonly Step[]> => {
    const { path } = change;
    // A file that is not stored is identified by its version, so that at least no change of another process is lost.
    const from = images.get(path) ?? (await sightOf(state, path, 0)).image;
    const to = await imageOf(state, change, { call, keep });
    if (changeBetween(from, to) === "none") return [];
    const source = change.to.kind === "file" ? { source: change.to.source } : {};
    return [{ path, from, to, ...source }];
  });
  return steps.flat().toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function imageOf(
  state: JournalState,
  { path, to }: StagedChange,
  { call, keep }: Omit<Staging, "images">,
): Promise<FileState> {
  switch (to.kind) {
    case "absent":
      return absent;
    case "symlink":
      return { kind: "symlink", target: to.target };
    case "directory":
      return { kind: "directory", mode: to.mode };
    case "file": {
      const sight = await sightOf(state, to.source, call.budget.bytes);
      if (sight.image.kind === "file") {
        await keep(sight);
        return sight.image;
      }
      throw new ToolError(
        "UNAVAILABLE",
        `The content that the command wrote for ${path} is gone.`,
        {
          hint: "Nothing was changed. Run the command again.",
          data: { path, source: to.source },
        },
      );
    }
  }
}

/** Present state of a path. A file without read permission is identified by its version. */
async function sightOf({ fs }: JournalState, path: string, maxBytes: number): Promise<Snapshot> {
  try {
    return await snapshotPath(fs, path, maxBytes);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "ACCESS_DENIED") throw error;
    const stat = await fs.stat(path);
    return { image: imageOfStat(stat), stat };
  }
}

function pathOf({ path, from, to }: Step): PathRecord {
  return { path, before: from, after: to };
}

function writtenThrough(path: string): NotCaptured {
  return { path, because: "what the command did there was not kept" };
}
