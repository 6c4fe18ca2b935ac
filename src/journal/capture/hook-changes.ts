import type { HookChange, HookChangeSide, HookProgramListener } from "../../core/index.ts";
import { isWithin } from "../../text/index.ts";
import { maxDifferenceBytes } from "../undo/difference.ts";
import type { JournalState } from "../journal-state.ts";
import { byCall } from "../log/merge-records.ts";
import { isUnfinished, wholeOf, type CallRecord } from "../records.ts";
import { keepLeft } from "./complete-call.ts";
import { contentSize, isContentHash, isSameState, type FileState } from "./file-state.ts";
import { snapshotPath, type Snapshot } from "./snapshot.ts";

/** Compares the files of a completed call directly before and after each program of its hooks. */
export interface HookChangeTracker {
  readonly onProgramStart: HookProgramListener;
  /** Ends the tracking: a program that still runs is not waited for, and its changes are not added. */
  end(): Promise<readonly HookChange[]>;
}

/** Knowledge of a journal about work in its own process. */
export interface TrackerKnowledge {
  /** Whether a record is of a call that this process runs. */
  readonly isUnderWay: (record: CallRecord) => boolean;
  /** Whether a program runs that outlived its call and may change any file. */
  readonly hasLatePrograms: () => boolean;
}

/** Maximum number of files that are compared, and of bytes read of them in all comparisons; a formatter gets fewer. */
const maxPaths = 200;
const maxBytes = 64 * 1024 * 1024;

/** Completed call whose hooks run. */
export interface HookedCall {
  readonly callId: string;
  /** Time at which it began, in milliseconds since the epoch: an earlier call may have had the same id. */
  readonly startedAt: number;
}

/** Programs of hooks that run at the same time: their changes cannot be told apart. */
interface Group {
  readonly ran: Set<string>;
  running: number;
  readonly before: Promise<Before>;
}

/** Files and records directly before the programs of a group start. */
interface Before {
  readonly files: readonly Seen[];
  /** Ids of the records that existed. */
  readonly known: ReadonlySet<string>;
}

interface Seen extends Pick<Snapshot, "image" | "bytes"> {
  readonly path: string;
}

interface Changed {
  readonly before: Seen;
  readonly after: Snapshot;
}

/**
 * Adds to a call what changed in its files while programs of its hooks ran. No more is known about the author of a
 * change, so whatever another call, an undo, a redo or a late program may have changed is never added, and neither is a
 * file that was no longer as the call left it when the first program started.
 */
export function trackHookChanges(
  state: JournalState,
  call: HookedCall,
  knowledge: TrackerKnowledge,
): HookChangeTracker {
  const found: HookChange[] = [];
  const endings: Promise<void>[] = [];
  let bytesLeft = maxBytes;
  let place: number | undefined;
  let group: Group | undefined;
  let isEnded = false;

  async function look(path: string, expected?: FileState): Promise<Snapshot | undefined> {
    const size = contentSize(expected);
    if (size > bytesLeft) return undefined;
    const snapshot = await snapshotPath(state.fs, path, Math.min(bytesLeft, state.maxBytes));
    const { image, bytes } = snapshot;
    bytesLeft -= bytes?.length ?? 0;
    // Most bytes are only compared by their hash.
    return bytes === undefined || bytes.length > maxDifferenceBytes ? { image } : snapshot;
  }

  async function lookBefore(): Promise<Before> {
    const own = await recordsOf(state, call);
    const known = new Set((await state.records.calls()).map(({ id }) => id));
    place ??= Math.max(0, ...own.map(({ id }) => state.records.lastPlace(id)));
    const left = new Map(own.flatMap(({ paths }) => paths.map((each) => [each.path, each.after])));
    const sizes = [...left.values()].reduce((sum, after) => sum + contentSize(after), 0);
    if (left.size > maxPaths || sizes > bytesLeft) return { files: [], known };
    const files: Seen[] = [];
    for (const [path, after] of left) {
      if (after === undefined || after.kind === "directory" || after.kind === "special") continue;
      const now = await look(path, after);
      if (now !== undefined && isSameState(now.image, after)) files.push({ path, ...now });
    }
    return { files, known };
  }

  async function ended({ ran, before }: Group): Promise<void> {
    const { files, known } = await before;
    const changed: Changed[] = [];
    for (const file of files) {
      const after = await look(file.path).catch(() => undefined);
      if (after !== undefined && !isSameState(file.image, after.image))
        changed.push({ before: file, after });
    }
    if (changed.length === 0) return;
    const amending = { call, place: place ?? 0, hooks: [...ran], known, knowledge };
    found.push(...(await state.alone(async () => await amend(state, changed, amending))));
  }

  return {
    async onProgramStart(hook) {
      if (isEnded) return async () => undefined;
      // Where the files cannot be read, nothing is added to the call.
      group ??= {
        ran: new Set(),
        running: 0,
        before: lookBefore().catch(() => ({ files: [], known: new Set() })),
      };
      const own = group;
      own.running += 1;
      await own.before;
      return async (hasRun) => {
        if (hasRun) own.ran.add(hook);
        own.running -= 1;
        if (own.running > 0) return;
        if (group === own) group = undefined;
        if (isEnded || own.ran.size === 0) return;
        const ending = ended(own).catch(() => undefined);
        endings.push(ending);
        await ending;
      };
    },
    async end() {
      isEnded = true;
      await Promise.all(endings);
      return found;
    },
  };
}

interface Amending {
  readonly call: HookedCall;
  /** Position in the log at which the call was complete. */
  readonly place: number;
  readonly hooks: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly knowledge: TrackerKnowledge;
}

async function amend(
  state: JournalState,
  changed: readonly Changed[],
  { call, place, hooks, known, knowledge }: Amending,
): Promise<readonly HookChange[]> {
  const own = await recordsOf(state, call);
  const newest = own.at(-1);
  const others = newest && (await othersSince(state, newest, { place, known, knowledge }));
  const batch = state.blobs.batch();
  const amended = new Map(own.map((record) => [record.id, record]));
  const found: HookChange[] = [];
  for (const { before, after } of changed) {
    const { path } = before;
    // The newest record with the path has the state in which the call left it.
    const record = [...amended.values()].findLast(({ paths }) =>
      paths.some((each) => each.path === path),
    );
    const last = record?.paths.find((each) => each.path === path);
    const isAsLeft = last?.after !== undefined && isSameState(last.after, before.image);
    const left = isAsLeft ? others?.leftAt(path, after) : undefined;
    const isPart = left !== undefined && isKeepable(left.image);
    if (isPart && record !== undefined && last !== undefined) {
      await keepLeft(left, batch);
      const by = [...new Set([...(last.hooks ?? []), ...hooks])];
      const paths = record.paths.map((each) =>
        each.path === path ? { ...each, after: left.image, hooks: by } : each,
      );
      amended.set(record.id, { ...record, paths });
    }
    const reported = isPart ? left : after;
    if (!isSameState(before.image, reported.image))
      found.push({ path, hooks, isPart, before: stateOf(before), after: stateOf(reported) });
  }
  const rewritten = [...amended.values()].filter((record) => !own.includes(record));
  await state.records.settle(rewritten, batch);
  if (rewritten.length > 0) batch.written();
  return found;
}

/** Whether undo can restore a state exactly: not a directory, whose entries are unknown, or a file too large to read. */
function isKeepable(image: FileState): boolean {
  if (image.kind === "file") return isContentHash(image.hash);
  return image.kind === "absent" || image.kind === "symlink";
}

interface Others {
  /**
   * State of a path that only the hooks can have left: the present one where nothing else may have changed the path, else
   * the one that the first later call found. Undefined where neither is certain.
   */
  leftAt(path: string, now: Snapshot): Snapshot | undefined;
}

async function othersSince(
  state: JournalState,
  own: CallRecord,
  { place, known, knowledge }: Pick<Amending, "place" | "known" | "knowledge">,
): Promise<Others> {
  const { records, owner } = state;
  const isLater = ({ id, seq }: { readonly id: string; readonly seq: number }): boolean =>
    records.lastPlace(id) > place || seq > own.seq;
  const others = (await records.calls()).filter((record) => wholeOf(record) !== wholeOf(own));
  const isRunning = (record: CallRecord): boolean =>
    (isUnfinished(record) || record.state === "applying") &&
    (isLater(record) || knowledge.isUnderWay(record) || owner.isElsewhere(record));
  const running = others.filter(isRunning);
  const later = others.filter((record) => isLater(record) && !running.includes(record));
  const undos = (await records.undos()).filter((undo) => undo.state !== "done" || isLater(undo));
  const mayChangeAny =
    knowledge.hasLatePrograms() ||
    [...running, ...later].some(
      ({ watches, damaged }) => watches === true || damaged !== undefined,
    );
  const never = [
    ...running.flatMap(pathsOf),
    ...later.flatMap(({ skipped, lost = [] }) => [...skipped, ...lost].map(({ path }) => path)),
    ...undos.flatMap(({ steps }) => steps.map(({ path }) => path)),
  ];
  return {
    leftAt(path, now) {
      if (mayChangeAny || never.some((each) => isWithin(each, path) || isWithin(path, each)))
        return undefined;
      const touching = later.filter((record) =>
        pathsOf(record).some((each) => isWithin(each, path) || isWithin(path, each)),
      );
      const [next] = touching;
      if (next === undefined) return now;
      if (known.has(next.id)) return undefined;
      const image = next.paths.find((each) => each.path === path)?.before;
      return image === undefined ? undefined : { image };
    },
  };
}

function pathsOf({ paths, skipped, lost = [], steps = [] }: CallRecord): readonly string[] {
  return [...paths, ...skipped, ...lost, ...steps].map(({ path }) => path);
}

/** Records of the latest call with this id, oldest first; none where it is undone or still runs. */
async function recordsOf(
  { records }: Pick<JournalState, "records">,
  { callId, startedAt }: HookedCall,
): Promise<readonly CallRecord[]> {
  const all = (await records.calls()).filter(
    (record) => record.callId === callId && record.at >= startedAt,
  );
  const newest = all.at(-1);
  if (newest === undefined) return [];
  const own = byCall(all).find(([first]) => first !== undefined && isSameCall(first, newest)) ?? [];
  return own.every((record) => record.state === "done" && !isUnfinished(record)) ? own : [];
}

function isSameCall(record: CallRecord, of: CallRecord): boolean {
  return wholeOf(record) === wholeOf(of);
}

function stateOf({ image, bytes }: Pick<Snapshot, "image" | "bytes">): HookChangeSide {
  return {
    kind: image.kind,
    ...(image.kind === "file" ? { hash: image.hash } : {}),
    ...(bytes === undefined ? {} : { bytes }),
  };
}
