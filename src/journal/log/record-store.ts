import type { JournalLog } from "./log.ts";
import type { LogIndex } from "./log-index.ts";
import { endedLine, goneLine, recordLine, runningLine } from "./log-line.ts";
import type { CallRecord, JournalRecord, UndoRecord } from "../records.ts";
import type { RecordLine, Witness } from "./witness.ts";

/** Contents stored as lines of the log, before the record that references them. */
export interface InlineContents {
  readonly lines: readonly string[];
}

type MakeRecord<R> = (key: { readonly id: string; readonly seq: number }) => R;

export interface Begun<R> {
  readonly record: R;
  readonly flush: () => Promise<void>;
}

export interface RecordStore {
  /** Oldest first. */
  calls(): Promise<readonly CallRecord[]>;
  /** Oldest first. */
  undos(): Promise<readonly UndoRecord[]>;
  /** Position of the latest line of a record, as of the latest reading; grows with every line. */
  lastPlace(id: string): number;
  /** Writes a new record, its contents first; `flush` resolves when they are durable. */
  begin<R extends JournalRecord>(make: MakeRecord<R>, contents: InlineContents): Promise<Begun<R>>;
  /** Stores a new record, its contents first. Durable when it resolves. */
  add<R extends JournalRecord>(make: MakeRecord<R>, contents?: InlineContents): Promise<R>;
  /**
   * Records the changes of an open call, in each of its records with new content. The lines survive the process but
   * maybe not a machine crash: a call whose lines are lost counts as interrupted, and so one wait for the disk per call
   * is enough.
   */
  settle(records: readonly CallRecord[], contents: InlineContents): Promise<void>;
  /** Records that the call of these records has ended, as durably as `settle`. */
  end(records: readonly CallRecord[]): Promise<void>;
  /** Records that the calls of these records still run, as durably as `settle`. */
  running(records: readonly CallRecord[], at: number): Promise<void>;
  /** Stores the present content of these records. Durable when it resolves. */
  replace(records: readonly JournalRecord[], contents?: InlineContents): Promise<void>;
  /** Deletes records. Durable by default; `durable: false` if nothing depends on it. */
  remove(
    records: readonly JournalRecord[],
    options?: { readonly durable?: boolean },
  ): Promise<void>;
}

export function recordStore(
  log: JournalLog,
  index: LogIndex,
  witness: Pick<Witness, "note">,
): RecordStore {
  // Unique among processes, whatever their clocks say.
  const token = globalThis.crypto.randomUUID().slice(0, 13);
  let made = 0;

  async function records(): Promise<readonly JournalRecord[]> {
    await index.refresh();
    return [...index.records.values()].toSorted((a, b) => a.seq - b.seq);
  }

  async function begin<R extends JournalRecord>(
    make: MakeRecord<R>,
    { lines }: InlineContents,
  ): Promise<Begun<R> & RecordLine> {
    made += 1;
    const record = make({ id: `${token}.${made}`, seq: 0 });
    const line = recordLine(record);
    return { record, line, flush: await log.append([...lines, line], { durable: false }) };
  }

  /** Writes the note after the line, so that no note refers to a line that is not in the log. */
  async function put(
    some: readonly JournalRecord[],
    contents: InlineContents,
    durable: boolean,
  ): Promise<void> {
    const lines = some.map((record): RecordLine => ({ record, line: recordLine(record) }));
    await log.append([...contents.lines, ...lines.map(({ line }) => line)], { durable });
    await witness.note(lines);
  }

  return {
    calls: async () => (await records()).filter((record) => record.kind === "call"),
    undos: async () => (await records()).filter((record) => record.kind === "undo"),
    lastPlace: (id) => index.lastPlace(id) ?? 0,
    begin,
    async add(make, contents = { lines: [] }) {
      const { record, line, flush } = await begin(make, contents);
      await flush();
      await witness.note([{ record, line }]);
      return record;
    },
    async settle(settled, contents) {
      if (settled.length > 0) await put(settled, contents, false);
    },
    async end(ended) {
      if (ended.length > 0)
        await log.append([endedLine(ended.map(({ id }) => id))], { durable: false });
    },
    async running(still, at) {
      const ids = still.map(({ id }) => id);
      await log.append([runningLine(ids, at)], { durable: false });
    },
    async replace(changed, contents = { lines: [] }) {
      await put(changed, contents, true);
    },
    async remove(removed, { durable = true } = {}) {
      if (removed.length > 0)
        await log.append([goneLine(removed.map(({ id }) => id))], { durable });
    },
  };
}
