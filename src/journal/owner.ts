import { ToolError, type HostClock } from "../core/index.ts";
import type { RecordStore } from "./record-store.ts";
import type { UndoRecord } from "./records.ts";

/** The processes that may have the same journal open, by names that are never used twice. */
export interface JournalProcesses {
  readonly own: string;
  /** Undefined where that cannot be told from here. */
  readonly isRunning: (name: string) => boolean | undefined;
}

/** One opened journal among those of this process and others. */
export interface Owner {
  /** For a record that it works on. */
  readonly mark: { readonly by?: string };
  /** Whether another one works on a record, so that it is neither forgotten nor cut short. */
  isElsewhere(record: { readonly by?: string; readonly at: number }): boolean;
  open(): void;
  close(): void;
}

/** What a journal waits for that others work on, and how long. */
export interface OwnTurn {
  readonly records: RecordStore;
  readonly clock: Partial<Pick<HostClock, "sleep">>;
  readonly owner: Owner;
}

const openHere = new Set<string>();
const pauseMs = 20;
const maxWaitMs = 30_000;
/** How long a record is left to a process of which nobody can tell whether it runs: nothing of a journal takes longer. */
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
      open: () => undefined,
      close: () => undefined,
    };
  }
  const { own, isRunning } = processes;
  // A clock that was set back makes nothing recent for ever.
  const isRecent = (at: number): boolean => Math.abs(clock.now() - at) < unknownMs;
  const name = `${own} ${globalThis.crypto.randomUUID().slice(0, 8)}`;
  return {
    mark: { by: name },
    isElsewhere({ by, at }) {
      if (by === undefined || by === name) return false;
      const [process = ""] = by.split(" ");
      return process === own ? openHere.has(by) : (isRunning(process) ?? isRecent(at));
    },
    open: () => void openHere.add(name),
    close: () => void openHere.delete(name),
  };
}

/** Waits until nobody else brings files from one state to another; UNAVAILABLE where that takes too long. */
export async function ownTurn({ records, clock, owner }: OwnTurn): Promise<void> {
  for (let waited = 0; ; waited += pauseMs) {
    const calls = (await records.calls()).filter(({ state }) => state === "applying");
    const undos = (await records.undos()).filter(({ state }) => state !== "done");
    if (![...calls, ...undos].some((record) => owner.isElsewhere(record))) return;
    if (waited >= maxWaitMs || clock.sleep === undefined) {
      throw new ToolError("UNAVAILABLE", "Another program is changing the same files.", {
        hint: "Try again when it has ended.",
      });
    }
    await clock.sleep(pauseMs);
  }
}

/** Whether another one began before this one did, which it then has to take back. */
export async function isSecond(undo: UndoRecord, { records, owner }: OwnTurn): Promise<boolean> {
  const undos = await records.undos();
  const own = undos.find(({ id }) => id === undo.id);
  return undos.some(
    (other) => other.state !== "done" && other.seq < (own?.seq ?? 0) && owner.isElsewhere(other),
  );
}
