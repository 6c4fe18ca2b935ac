import type { HostClock } from "../../core/index.ts";
import type { RecordStore } from "../log/record-store.ts";
import { disowned, isUnfinished, type CallRecord } from "../records.ts";

/** What the log is to say of calls that are over. */
export interface Note {
  readonly settled?: readonly CallRecord[];
  readonly gone?: readonly CallRecord[];
  readonly ended?: readonly CallRecord[];
}

/**
 * Notes that the disk has not taken. Without them a call that is over would look to other programs as if it still ran, for
 * as long as this one runs.
 */
export interface LateNotes {
  /** It is written with what is done next, or by itself once the disk takes it. */
  keep(note: Note): void;
  /** Writes what was kept, where it can; never fails. */
  write(): Promise<void>;
  /** A last try. */
  close(): Promise<void>;
}

export interface LateNotesOptions {
  readonly records: () => RecordStore;
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly clock: Partial<Pick<HostClock, "timer">>;
  /** As in the records of this journal. */
  readonly by: string | undefined;
}

/** Until it is tried again, doubled each time. */
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
      // Whoever took it for one that was cut short may have taken it back meanwhile.
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
    // A program is not kept alive by it: once it has ended, its calls are known to be over.
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

/** A record whose call is over, of which nobody knows what it left. */
export function cutShort(record: CallRecord): CallRecord {
  if (record.state === "open") return disowned(record);
  const { goesOn: _goesOn, ...ended } = record;
  return ended;
}
