import type { HostClock } from "../../core/index.ts";
import type { RecordStore } from "../log/record-store.ts";
import { disowned, isUnfinished, type CallRecord } from "../records.ts";

/** Log lines to write for calls that have ended. */
export interface Note {
  readonly settled?: readonly CallRecord[];
  readonly gone?: readonly CallRecord[];
  readonly ended?: readonly CallRecord[];
}

/**
 * Log lines that could not be written. Without them, an ended call would seem to be running to other processes for as
 * long as this one runs.
 */
export interface LateNotes {
  /** Keeps a note until it is written: with the next operation, or automatically once the disk accepts it. */
  keep(note: Note): void;
  /** Tries to write the pending notes; never rejects. */
  write(): Promise<void>;
  /** Tries to write the pending notes a last time. */
  close(): Promise<void>;
}

export interface LateNotesOptions {
  readonly records: () => RecordStore;
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly clock: Partial<Pick<HostClock, "timer">>;
  /** Owner, as in the records of this journal. */
  readonly by: string | undefined;
}

/** Time until the next attempt, doubled each time. */
const firstMs = 1000;
const longestMs = 60_000;

export function lateNotes({ records, alone, clock, by }: LateNotesOptions): LateNotes {
  let notes: readonly Note[] = [];
  let waitMs = firstMs;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  async function writeNow(): Promise<void> {
    const now = notes;
    notes = [];
    if (now.length === 0) return;
    try {
      const latest = new Map((await records().calls()).map((record) => [record.id, record]));
      // Another process that took the call for interrupted may have undone it meanwhile.
      const isOpen = ({ id }: CallRecord): boolean => {
        const record = latest.get(id);
        return record !== undefined && record.by === by && isUnfinished(record);
      };
      const of = (kind: keyof Note): readonly CallRecord[] =>
        now.flatMap((note) => note[kind] ?? []).filter(isOpen);
      await records().remove(of("gone"), { durable: false });
      await records().settle(of("settled"), { lines: [] });
      await records().end(of("ended"));
      waitMs = firstMs;
    } catch {
      notes = [...now, ...notes];
      again();
    }
  }

  async function write(): Promise<void> {
    if (notes.length > 0) await alone(writeNow);
  }

  function again(): void {
    if (isClosed) return;
    cancel?.();
    // The timer does not keep the process alive: once the process has ended, its calls are known to have ended.
    cancel = clock.timer?.(waitMs, () => void write(), { keepsAlive: false });
    waitMs = Math.min(waitMs * 2, longestMs);
  }

  return {
    keep(note) {
      notes = [...notes, note];
      again();
    },
    write,
    async close() {
      isClosed = true;
      cancel?.();
      await write();
    },
  };
}

/** Record of an ended call whose changes are unknown. */
export function cutShort(record: CallRecord): CallRecord {
  if (record.state === "open") return disowned(record);
  const { goesOn: _goesOn, ...ended } = record;
  return ended;
}
