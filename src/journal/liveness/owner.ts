import { parentPath } from "../../text/index.ts";
import { ToolError, type HostClock } from "../../core/index.ts";
import type { RecordStore } from "../log/record-store.ts";
import type { JournalRecord } from "../records.ts";

/** The processes that may have the same journal open, by names that are never used twice. */
export interface JournalProcesses {
  readonly own: string;
  /** Undefined where that cannot be told from here. */
  readonly isRunning: (name: string) => boolean | undefined;
  /** How the tokens of drafts begin that a process wrote. Left out: nobody's drafts are known. */
  readonly draftMarkOf?: (name: string) => string;
}

/** One opened journal among those of this process and others. */
export interface Owner {
  /** For a record that it works on. */
  readonly mark: { readonly by?: string };
  /** Whether another one works on a record, so that it is neither forgotten nor cut short. */
  isElsewhere(record: {
    readonly by?: string;
    readonly at: number;
    readonly seenAt?: number;
  }): boolean;
  /** How drafts begin of the process that worked on a record, where that is known to have ended. */
  draftMarkOfGone(record: { readonly by?: string }): string | undefined;
  open(): void;
  close(): void;
}

/** What a journal waits for that others work on, and how long. */
export interface OwnTurn {
  readonly records: Pick<RecordStore, "calls" | "undos" | "lastPlace">;
  readonly clock: Partial<Pick<HostClock, "sleep">>;
  readonly owner: Owner;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Journals that this thread has open, and the latest of those it had. */
const openHere = new Set<string>();
const closedHere = new Set<string>();
/** A program may open and close journals without end; records of those before are soon too old to be anybody's. */
const maxClosed = 1000;
const pauseMs = 20;
const maxWaitMs = 30_000;
/**
 * How long a record is left to a process of which nobody can tell whether it runs, since it was made or noted as running:
 * nothing of a journal itself takes longer.
 */
const unknownMs = 60_000;

/** Without processes nobody else is known, and whatever is unfinished counts as cut short. */
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
  // A clock that was set back makes nothing recent for ever.
  const isRecent = (at: number): boolean => Math.abs(clock.now() - at) < unknownMs;
  const name = `${own} ${globalThis.crypto.randomUUID().slice(0, 8)}`;
  return {
    mark: { by: name },
    isElsewhere({ by, at, seenAt = at }) {
      if (by === undefined || by === name) return false;
      const [process = ""] = by.split(" ");
      // Of those of another thread of this process nobody can tell.
      return (
        (process === own ? isOpenHere(by) : isRunning(process)) ?? isRecent(Math.max(at, seenAt))
      );
    },
    draftMarkOfGone({ by }) {
      const [process = ""] = by?.split(" ") ?? [];
      const mark = process === "" || process === own ? undefined : draftMarkOf?.(process);
      // A number is used again: one that is this process's now says nothing.
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

/** Undefined for one that this thread does not know. */
function isOpenHere(by: string): boolean | undefined {
  if (openHere.has(by)) return true;
  return closedHere.has(by) ? false : undefined;
}

/**
 * Waits until nobody else brings one of these paths, or what holds or lies in one, from one state to another; whether it
 * had to wait, so that what was looked at before has to be looked at again. UNAVAILABLE where that takes too long.
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

/** Whether another one began before this one did, which it then has to take back. */
export async function isSecond(
  { id, steps = [] }: Pick<JournalRecord, "id" | "steps">,
  turn: OwnTurn,
): Promise<boolean> {
  const others = await inTheWay(new Set(steps.map(({ path }) => path)), turn);
  const { records } = turn;
  return others.some((other) => records.lastPlace(other.record.id) < records.lastPlace(id));
}

interface InTheWay {
  readonly record: JournalRecord;
  readonly path: string;
}

/** What others are at, each with a path of it that meets these. */
async function inTheWay(
  own: ReadonlySet<string>,
  { records, owner }: OwnTurn,
): Promise<readonly InTheWay[]> {
  const undos = (await records.undos()).filter(({ state }) => state !== "done");
  const calls = (await records.calls()).filter(({ state }) => state === "applying");
  return [...undos, ...calls].flatMap((record) => {
    if (!owner.isElsewhere(record)) return [];
    const path = meeting(own, new Set(record.steps?.map((step) => step.path)));
    return path === undefined ? [] : [{ record, path }];
  });
}

/** The first of some paths that is one of others, or holds one or lies in one. */
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
      ? "An undo or redo of another program"
      : `What ${record.tool} (${record.callId}) of another program did`;
  return new ToolError(code, `${what} is on its way to ${path} and does not end.`, {
    hint: "Try again, or end that program: the next `haft undo` then finishes what it began, or takes it back.",
    data: { path, ...(record.by === undefined ? {} : { by: record.by }) },
  });
}
