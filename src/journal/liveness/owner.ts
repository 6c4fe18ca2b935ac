import { parentPath } from "../../text/index.ts";
import { ToolError, type HostClock } from "../../core/index.ts";
import type { RecordStore } from "../log/record-store.ts";
import type { CallRecord, JournalRecord } from "../records.ts";

/** Processes that may have the same journal open, by names that are never reused. */
export interface JournalProcesses {
  readonly own: string;
  /** Undefined if it cannot be determined from here. */
  readonly isRunning: (name: string) => boolean | undefined;
  /** Prefix of the names of drafts that a process wrote. Omitted: no drafts can be attributed. */
  readonly draftMarkOf?: (name: string) => string;
}

/** This opened journal among those of this and other processes. */
export interface Owner {
  /** Fields of a record that this journal works on. */
  readonly mark: { readonly by?: string };
  /** Whether another journal works on a record, so that the record is neither deleted nor treated as interrupted. */
  isElsewhere(record: {
    readonly by?: string;
    readonly at: number;
    readonly seenAt?: number;
  }): boolean;
  /** Prefix of the drafts of a record's process, if that process is known to have ended. */
  draftMarkOfGone(record: { readonly by?: string }): string | undefined;
  open(): void;
  close(): void;
}

/** Work of other processes for which a journal waits. */
export interface OwnTurn {
  readonly records: Pick<RecordStore, "calls" | "undos" | "lastPlace">;
  readonly clock: Partial<Pick<HostClock, "sleep">>;
  readonly owner: Owner;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Journals that this thread has open, and the latest that it has closed. */
const openHere = new Set<string>();
const closedHere = new Set<string>();
/** Limit for processes that open and close journals endlessly; older records are soon too old to have an owner. */
const maxClosed = 1000;
const pauseMs = 20;
const maxWaitMs = 30_000;
/**
 * Time for which a record belongs to a process whose liveness is unknown, since the record was made or last reported as
 * running. No operation of the journal itself takes longer.
 */
const unknownMs = 60_000;

/** Without `processes`, no other process is known and every unfinished record counts as interrupted. */
export function journalOwner(
  processes: JournalProcesses | undefined,
  clock: Pick<HostClock, "now">,
): Owner {
  if (processes === undefined) {
    return {
      mark: {},
      isElsewhere: () => false,
      draftMarkOfGone: () => undefined,
      open: () => undefined,
      close: () => undefined,
    };
  }
  const { own, isRunning, draftMarkOf } = processes;
  // A clock that was set back must not make a record recent indefinitely.
  const isRecent = (at: number): boolean => Math.abs(clock.now() - at) < unknownMs;
  const name = `${own} ${globalThis.crypto.randomUUID().slice(0, 8)}`;
  return {
    mark: { by: name },
    isElsewhere({ by, at, seenAt = at }) {
      if (by === undefined || by === name) return false;
      const [process = ""] = by.split(" ");
      // For a journal of another thread of this process it is unknown.
      return (
        (process === own ? isOpenHere(by) : isRunning(process)) ?? isRecent(Math.max(at, seenAt))
      );
    },
    draftMarkOfGone({ by }) {
      const [process = ""] = by?.split(" ") ?? [];
      const mark = process === "" || process === own ? undefined : draftMarkOf?.(process);
      // Process numbers are reused: a number that is now that of this process proves nothing.
      if (mark === undefined || mark === draftMarkOf?.(own)) return undefined;
      return isRunning(process) === false ? mark : undefined;
    },
    open() {
      closedHere.delete(name);
      openHere.add(name);
    },
    close() {
      openHere.delete(name);
      closedHere.add(name);
      for (const oldest of closedHere) {
        if (closedHere.size <= maxClosed) break;
        closedHere.delete(oldest);
      }
    },
  };
}

/** Undefined for a journal that this thread does not know. */
function isOpenHere(by: string): boolean | undefined {
  if (openHere.has(by)) return true;
  return closedHere.has(by) ? false : undefined;
}

/**
 * Waits until no other process changes one of these paths, or a path above or below one. Returns whether it waited,
 * because paths read before must be read again then. UNAVAILABLE if the wait takes too long.
 */
export async function ownTurn(paths: readonly string[], turn: OwnTurn): Promise<boolean> {
  const { clock, signal } = turn;
  const own = new Set(paths);
  for (let waited = 0; ; waited += pauseMs) {
    const [first] = await inTheWay(own, turn);
    if (first === undefined) return waited > 0;
    if (signal?.aborted === true) throw unfinished(first, "ABORTED");
    if (waited >= maxWaitMs || clock.sleep === undefined) throw unfinished(first);
    await clock.sleep(pauseMs);
  }
}

/** Whether another process began work on the same paths earlier, so that this record must be withdrawn. */
export async function isSecond(
  {
    id,
    steps,
    paths = [],
  }: Pick<JournalRecord, "id" | "steps"> & Partial<Pick<CallRecord, "paths">>,
  turn: OwnTurn,
): Promise<boolean> {
  const others = await inTheWay(new Set((steps ?? paths).map(({ path }) => path)), turn);
  const { records } = turn;
  return others.some((other) => records.lastPlace(other.record.id) < records.lastPlace(id));
}

/** Calls on the paths of these steps that are not among the known ones. */
export async function newCalls(
  { steps = [] }: Pick<JournalRecord, "steps">,
  known: readonly CallRecord[],
  { records }: Pick<OwnTurn, "records">,
): Promise<readonly CallRecord[]> {
  const ids = new Set(known.map(({ id }) => id));
  const own = new Set(steps.map(({ path }) => path));
  return (await records.calls()).filter(
    ({ id, paths }) =>
      !ids.has(id) && meeting(own, new Set(paths.map(({ path }) => path))) !== undefined,
  );
}

/** Whether a process that has ended left work on these paths half done. */
export async function hasOrphanedWork(
  paths: readonly string[],
  turn: Pick<OwnTurn, "records" | "owner">,
): Promise<boolean> {
  const { by } = turn.owner.mark;
  const isLeft: IsSomeones = (record) => !turn.owner.isElsewhere(record) && record.by !== by;
  return (await unfinishedAt(new Set(paths), turn, isLeft)).length > 0;
}

interface InTheWay {
  readonly record: JournalRecord;
  readonly path: string;
}

/** Work of other processes in progress, each with a path that overlaps these. */
async function inTheWay(
  own: ReadonlySet<string>,
  turn: Pick<OwnTurn, "records" | "owner">,
): Promise<readonly InTheWay[]> {
  return await unfinishedAt(own, turn, (record) => turn.owner.isElsewhere(record));
}

type IsSomeones = (record: JournalRecord) => boolean;

/** Unfinished work of some processes, each with a path that overlaps these. */
async function unfinishedAt(
  own: ReadonlySet<string>,
  { records }: Pick<OwnTurn, "records">,
  isTheirs: IsSomeones,
): Promise<readonly InTheWay[]> {
  const undos = (await records.undos()).filter(({ state }) => state !== "done");
  const calls = (await records.calls()).filter(({ state }) => state === "applying");
  return [...undos, ...calls].flatMap((record) => {
    if (!isTheirs(record)) return [];
    const path = meeting(own, new Set(record.steps?.map((step) => step.path)));
    return path === undefined ? [] : [{ record, path }];
  });
}

/** First path that equals a path of the other set, or is above or below one. */
function meeting(own: ReadonlySet<string>, others: ReadonlySet<string>): string | undefined {
  for (const path of own) if (isAtOrBelow(path, others)) return path;
  for (const path of others) if (isAtOrBelow(path, own)) return path;
  return undefined;
}

function isAtOrBelow(path: string, paths: ReadonlySet<string>): boolean {
  for (let at = path; ; at = parentPath(at)) {
    if (paths.has(at)) return true;
    if (at === "/") return false;
  }
}

function unfinished(
  { record, path }: InTheWay,
  code: "ABORTED" | "UNAVAILABLE" = "UNAVAILABLE",
): ToolError {
  const what =
    record.kind === "undo"
      ? "An undo or redo in another haft process is"
      : `The changes of ${record.tool} (${record.callId}) in another haft process are`;
  return new ToolError(code, `${what} still being written to ${path}.`, {
    hint: "Try again, or end that program: the next `haft undo` then finishes or reverts what it began.",
    data: { path, ...(record.by === undefined ? {} : { by: record.by }) },
  });
}
