import type { JournalLog } from "./log.ts";
import type { LogIndex } from "./log-index.ts";
import { goneLine, recordLine } from "./log-line.ts";
import type { CallRecord, JournalRecord, UndoRecord } from "./records.ts";

/** Contents that stand in the log beside the record that names them, as lines. */
export interface InlineContents {
  readonly lines: readonly string[];
}

export interface RecordStore {
  /** Oldest first. */
  calls(): Promise<readonly CallRecord[]>;
  /** Oldest first. */
  undos(): Promise<readonly UndoRecord[]>;
  /** Stores a new record, its contents first. Durable when it resolves. */
  add<R extends JournalRecord>(
    make: (key: { readonly id: string; readonly seq: number }) => R,
    contents?: InlineContents,
  ): Promise<R>;
  /**
   * Notes what an open call left. It outlives the process but maybe not the machine: a call whose note is lost counts
   * as cut short, and waiting for the disk once per call is enough.
   */
  settle(record: CallRecord, contents: InlineContents): Promise<void>;
  /** Stores these as they are now. Durable when it resolves. */
  replace(records: readonly JournalRecord[], contents?: InlineContents): Promise<void>;
  /** Durable unless nothing depends on it. */
  remove(
    records: readonly JournalRecord[],
    options?: { readonly durable?: boolean },
  ): Promise<void>;
}

export function recordStore(log: JournalLog, index: LogIndex): RecordStore {
  // No two processes make the same, whatever their clocks say.
  const token = globalThis.crypto.randomUUID().slice(0, 13);
  let made = 0;

  async function records(): Promise<readonly JournalRecord[]> {
    await index.refresh();
    return [...index.records.values()].toSorted((a, b) => a.seq - b.seq);
  }

  return {
    calls: async () => (await records()).filter((record) => record.kind === "call"),
    undos: async () => (await records()).filter((record) => record.kind === "undo"),
    async add(make, contents = { lines: [] }) {
      made += 1;
      const record = make({ id: `${token}.${made}`, seq: 0 });
      await log.append([...contents.lines, recordLine(record)], { durable: true });
      return record;
    },
    settle: (record, contents) =>
      log.append([...contents.lines, recordLine(record)], { durable: false }),
    replace: (changed, contents = { lines: [] }) =>
      log.append([...contents.lines, ...changed.map(recordLine)], { durable: true }),
    async remove(removed, { durable = true } = {}) {
      if (removed.length > 0)
        await log.append([goneLine(removed.map(({ id }) => id))], { durable });
    },
  };
}
