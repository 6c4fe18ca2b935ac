import type { JournalLog, LogEntry } from "./log.ts";
import type { JournalRecord } from "./records.ts";

/** What the log says as of the last `refresh`. */
export interface LogIndex {
  refresh(): Promise<void>;
  /** Oldest first. */
  readonly records: ReadonlyMap<string, JournalRecord>;
  /** Where each content stands. */
  readonly contents: ReadonlyMap<string, LogEntry>;
  /** Where the latest line of a record stands; grows with every line. */
  lastPlace(id: string): number | undefined;
  /** Whether a line of this record, forgotten or not, is in the log. */
  isMentioned(id: string): boolean;
}

/** Lines of one segment come before all of the next; no segment is this large. */
const segmentBytes = 1_000_000_000;

export function logIndex(log: JournalLog): LogIndex {
  const records = new Map<string, JournalRecord>();
  const contents = new Map<string, LogEntry>();
  const mentioned = new Map<string, number>();
  const gone = new Set<string>();
  let reading: Promise<void> = Promise.resolve();

  function restart(): void {
    for (const each of [records, contents, mentioned, gone]) each.clear();
  }

  function take(entry: LogEntry): void {
    const { line } = entry;
    switch (line.kind) {
      case "content":
        contents.set(line.hash, entry);
        return;
      case "gone":
        for (const id of line.ids) {
          gone.add(id);
          records.delete(id);
        }
        return;
      case "ended":
        for (const id of line.ids) {
          const record = records.get(id);
          if (record?.kind !== "call") continue;
          const { goesOn: _goesOn, ...ended } = record;
          records.set(id, ended);
        }
        return;
      case "running":
        for (const id of line.ids) {
          const record = records.get(id);
          if (record?.kind === "call") records.set(id, { ...record, seenAt: line.at });
        }
        return;
      case "record": {
        const { id } = line.record;
        const place = orderOf(entry);
        if (isTaken(records.get(id), line.record)) return;
        mentioned.set(id, place);
        if (gone.has(id)) return;
        const before = records.get(id);
        const seq = before?.seq ?? place;
        const { seenAt } = before?.kind === "call" ? before : {};
        records.set(id, { ...line.record, seq, ...(seenAt === undefined ? {} : { seenAt }) });
      }
    }
  }

  return {
    refresh() {
      // Of two readings at once, each would tell what the other one told.
      const next = reading.then(() => log.read({ restart, entry: take }));
      reading = next.catch(() => undefined);
      return next;
    },
    records,
    contents,
    lastPlace: (id) => mentioned.get(id),
    isMentioned: (id) => mentioned.has(id),
  };
}

/** Of two programs that would do the same undo again at once, the first counts. */
function isTaken(before: JournalRecord | undefined, record: JournalRecord): boolean {
  if (before?.state !== "redoing" || record.state !== "redoing") return false;
  return before.by !== undefined && record.by !== undefined && before.by !== record.by;
}

function orderOf({ segment, offset }: LogEntry): number {
  return Number.parseInt(segment, 10) * segmentBytes + offset;
}
