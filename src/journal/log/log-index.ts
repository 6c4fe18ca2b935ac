import type { JournalLog, LogEntry } from "./log.ts";
import type { DamagedLine } from "./log-line.ts";
import { disowned, type CallRecord, type JournalRecord } from "../records.ts";
import type { Witness, WitnessNote } from "./witness.ts";

/** What the log says as of the last `refresh`. */
export interface LogIndex {
  refresh(): Promise<void>;
  /** Oldest first. */
  readonly records: ReadonlyMap<string, JournalRecord>;
  /** Where each content stands. */
  readonly contents: ReadonlyMap<string, LogEntry>;
  /** Where the latest line of a record stands; grows with every line. */
  lastPlace(id: string): number | undefined;
  /** Whether a line of this record, forgotten or not, is in the log, or was noted to be. */
  isMentioned(id: string): boolean;
  /** Whether the log says that this record is forgotten. */
  isGone(id: string): boolean;
  /** What is not as it was written. */
  readonly damage: LogDamage;
}

export interface LogDamage {
  /** Lines that cannot be read, by their segment: where the first begins, and how many there are. */
  readonly lines: ReadonlyMap<string, { readonly offset: number; readonly count: number }>;
  /** Files of notes that have damaged ones, and how many. */
  readonly notes: ReadonlyMap<string, number>;
  /** Contents whose line cannot be read. */
  readonly contents: ReadonlySet<string>;
}

/** Lines of one segment come before all of the next; no segment is this large. */
const segmentBytes = 1_000_000_000;

export function logIndex(log: JournalLog, witness: Pick<Witness, "read">): LogIndex {
  const records = new Map<string, JournalRecord>();
  /** The checksums of the lines of each record. */
  const seen = new Map<string, Set<string>>();
  const noted = new Set<string>();
  const lines = new Map<string, { readonly offset: number; readonly count: number }>();
  const damagedContents = new Set<string>();
  /** Records of which only a damaged line is known: what it says may be wrong. */
  const guessed = new Set<string>();
  let notes: ReadonlyMap<string, number> = new Map();
  /** Where the log begins anew, what was noted has to be compared with it. */
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
      // First what was noted, then what the log has meanwhile: it has each line before the note of it.
      const witnessed = await witness.read();
      await log.read({ restart, entry: take });
      notes = witnessed.damaged;
      if (isCompared) compare(witnessed.notes);
    }
  }

  /** Finds the records of which the log has lost the latest line, or all. */
  function compare(all: readonly WitnessNote[]): void {
    const latest = new Map(all.map((note) => [note.id, note]));
    let place = 0;
    for (const note of all) {
      const { id } = note;
      noted.add(id);
      place = Math.max(place, records.get(id)?.seq ?? 0);
      if (latest.get(id) !== note || gone.has(id) || seen.get(id)?.has(note.line) === true)
        continue;
      // Between those before and after it, whose places are whole numbers.
      place += 1 / 1024;
      const found = records.get(id);
      if (found !== undefined) records.set(id, behind(found, note));
      else if (note.call !== undefined) records.set(id, lost({ ...note, call: note.call }, place));
    }
    dropGuessesOfKnown();
  }

  /** Where the id of a record is damaged, its call is known by its other lines, or by a note. */
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
      // Of two readings at once, each would tell what the other one told.
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

/** A record that the log has lost, as far as something else tells of it. Nothing of it can be put back. */
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

/** A record of which the log has lost the latest line, and which is as an earlier one says, but over. */
function behind(record: JournalRecord, { state }: WitnessNote): JournalRecord {
  const damaged = "the latest note of it in the journal is damaged";
  if (record.kind === "undo") return { ...disowned(record), state: "done", damaged };
  const { goesOn: _goesOn, ...ended } = disowned(record);
  return { ...ended, state: state === "undone" ? "undone" : "done", damaged };
}

/** Of two programs that would do the same undo again at once, the first counts. */
function isTaken(before: JournalRecord | undefined, record: JournalRecord): boolean {
  if (before?.state !== "redoing" || record.state !== "redoing") return false;
  return before.by !== undefined && record.by !== undefined && before.by !== record.by;
}

function orderOf({ segment, offset }: LogEntry): number {
  return Number.parseInt(segment, 10) * segmentBytes + offset;
}
