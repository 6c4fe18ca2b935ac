import type { JournalLog, LogEntry } from "./log.ts";
import type { DamagedLine } from "./log-line.ts";
import { disowned, type CallRecord, type JournalRecord } from "../records.ts";
import type { Witness, WitnessNote } from "./witness.ts";

/** Content of the log as of the latest `refresh`. */
export interface LogIndex {
  refresh(): Promise<void>;
  /** Oldest first. */
  readonly records: ReadonlyMap<string, JournalRecord>;
  /** Position of each content. */
  readonly contents: ReadonlyMap<string, LogEntry>;
  /** Position of the latest line of a record; grows with every line. */
  lastPlace(id: string): number | undefined;
  /** Whether the log or a witness note has a line of this record, even of a deleted one. */
  isMentioned(id: string): boolean;
  /** Whether the log says that this record is deleted. */
  isGone(id: string): boolean;
  /** Damaged parts of the log and the notes. */
  readonly damage: LogDamage;
}

export interface LogDamage {
  /** Lines that cannot be read, by segment: offset of the first one, and their number. */
  readonly lines: ReadonlyMap<string, { readonly offset: number; readonly count: number }>;
  /** Number of damaged notes, by file. */
  readonly notes: ReadonlyMap<string, number>;
  /** Contents whose line cannot be read. */
  readonly contents: ReadonlySet<string>;
}

/** Positions in one segment are before all of the next; no segment is this large. */
const segmentBytes = 1_000_000_000;

export function logIndex(log: JournalLog, witness: Pick<Witness, "read">): LogIndex {
  const records = new Map<string, JournalRecord>();
  /** Checksums of the lines of each record. */
  const seen = new Map<string, Set<string>>();
  const noted = new Set<string>();
  const lines = new Map<string, { readonly offset: number; readonly count: number }>();
  const damagedContents = new Set<string>();
  /** Records known only from a damaged line, whose fields may be wrong. */
  const guessed = new Set<string>();
  let notes: ReadonlyMap<string, number> = new Map();
  /** Whether the notes have been compared with the log since it was last read from the start. */
  let isCompared = false;
  const contents = new Map<string, LogEntry>();
  const mentioned = new Map<string, number>();
  const gone = new Set<string>();
  let reading: Promise<void> = Promise.resolve();

  function restart(): void {
    for (const each of [
      records,
      contents,
      mentioned,
      gone,
      seen,
      noted,
      lines,
      damagedContents,
      guessed,
    ]) {
      each.clear();
    }
    isCompared = false;
  }

  async function read(): Promise<void> {
    await log.read({ restart, entry: take });
    while (!isCompared) {
      isCompared = true;
      // Read the notes first, then the log again: each line is in the log before its note is written.
      const witnessed = await witness.read();
      await log.read({ restart, entry: take });
      notes = witnessed.damaged;
      if (isCompared) compare(witnessed.notes);
    }
  }

  /** Finds records whose latest line, or every line, is missing from the log. */
  function compare(all: readonly WitnessNote[]): void {
    const latest = new Map(all.map((note) => [note.id, note]));
    let place = 0;
    for (const note of all) {
      const { id } = note;
      noted.add(id);
      place = Math.max(place, records.get(id)?.seq ?? 0);
      if (latest.get(id) !== note || gone.has(id) || seen.get(id)?.has(note.line) === true)
        continue;
      // Position between the neighbors, which are at whole numbers.
      place += 1 / 1024;
      const found = records.get(id);
      if (found !== undefined) records.set(id, behind(found, note));
      else if (note.call !== undefined) records.set(id, lost({ ...note, call: note.call }, place));
    }
    dropGuessesOfKnown();
  }

  /** Drops records with a damaged id if their call is known from other lines or from a note. */
  function dropGuessesOfKnown(): void {
    if (guessed.size === 0) return;
    const known = [...records.values()].filter(({ id }) => !guessed.has(id) || noted.has(id));
    const calls = new Set(known.flatMap((each) => (each.kind === "call" ? [each.callId] : [])));
    for (const id of guessed) {
      const record = records.get(id);
      if (noted.has(id) || record?.kind !== "call" || !calls.has(record.callId)) continue;
      records.delete(id);
      mentioned.delete(id);
    }
    guessed.clear();
  }

  function takeDamaged(entry: LogEntry, line: DamagedLine): void {
    const { segment, offset } = entry;
    const before = lines.get(segment);
    lines.set(segment, { offset: before?.offset ?? offset, count: (before?.count ?? 0) + 1 });
    if (line.hash !== undefined) damagedContents.add(line.hash);
    const { record } = line;
    if (record === undefined || gone.has(record.id) || records.has(record.id)) return;
    const { id, at, paths, ...call } = record;
    guessed.add(id);
    mentioned.set(id, orderOf(entry));
    const note = { id, at, state: "done", call, paths, count: paths.length } as const;
    records.set(id, lost(note, orderOf(entry)));
  }

  function take(entry: LogEntry): void {
    const { line } = entry;
    switch (line.kind) {
      case "damaged":
        takeDamaged(entry, line);
        return;
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
        if (line.crc !== undefined) (seen.get(id) ?? newIn(seen, id)).add(line.crc);
        if (isTaken(records.get(id), line.record)) return;
        mentioned.set(id, place);
        guessed.delete(id);
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
      // One at a time: two concurrent readings would both pass on the same lines.
      const next = reading.then(read);
      reading = next.catch(() => undefined);
      return next;
    },
    records,
    contents,
    lastPlace: (id) => mentioned.get(id),
    isMentioned: (id) => mentioned.has(id) || noted.has(id),
    isGone: (id) => gone.has(id),
    damage: {
      lines,
      contents: damagedContents,
      get notes() {
        return notes;
      },
    },
  };
}

function newIn(seen: Map<string, Set<string>>, id: string): Set<string> {
  const own = new Set<string>();
  seen.set(id, own);
  return own;
}

/** Record lost from the log, rebuilt from other sources. Nothing of it can be restored. */
function lost(
  note: Pick<WitnessNote, "id" | "at" | "state" | "paths" | "count"> & {
    readonly call: NonNullable<WitnessNote["call"]>;
  },
  seq: number,
): CallRecord {
  const { id, at, call, paths, count, state } = note;
  const damaged = "its record in the journal is damaged";
  const named = paths.length === 0 ? ["(unknown)"] : paths;
  const skipped = named.map((path) => ({ path, because: damaged }));
  const more = count - paths.length;
  return {
    kind: "call",
    id,
    seq,
    ...call,
    at,
    state: state === "undone" ? "undone" : "done",
    level: "none",
    skipped,
    paths: [],
    damaged: more > 0 ? `${damaged}; ${more} more of its paths are not known` : damaged,
  };
}

/** Record whose latest line is lost: content of an earlier line, but ended. */
function behind(record: JournalRecord, { state }: WitnessNote): JournalRecord {
  const damaged = "the latest note of it in the journal is damaged";
  if (record.kind === "undo") return { ...disowned(record), state: "done", damaged };
  const { goesOn: _goesOn, ...ended } = disowned(record);
  return { ...ended, state: state === "undone" ? "undone" : "done", damaged };
}

/** Whether another process has already started the same redo: the first one counts. */
function isTaken(before: JournalRecord | undefined, record: JournalRecord): boolean {
  if (before?.state !== "redoing" || record.state !== "redoing") return false;
  return before.by !== undefined && record.by !== undefined && before.by !== record.by;
}

function orderOf({ segment, offset }: LogEntry): number {
  return Number.parseInt(segment, 10) * segmentBytes + offset;
}
