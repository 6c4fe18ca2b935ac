import { baseName, joinPath, ToolError, type HostFs } from "../core/index.ts";
import type { Image } from "./image.ts";
import { isMissing } from "./sight.ts";

/** Grows when a stored form changes; `migrate` then turns older ones into this one. */
export const formatVersion = 1;

export interface PathRecord {
  readonly path: string;
  readonly before: Image;
  /** Missing until the call is over. */
  readonly after?: Image;
}

/** A path whose content could not be kept, and why. */
export interface Skipped {
  readonly path: string;
  readonly because: string;
}

export type UndoLevel = "full" | "partial" | "none";

/** One call and what it did to the files it said it would touch. */
export interface CallRecord {
  readonly version: typeof formatVersion;
  readonly kind: "call";
  /** Grows with every record of this journal. */
  readonly seq: number;
  readonly callId: string;
  readonly tool: string;
  readonly title?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `applying`: its staged changes are on their way to the real tree, by `steps`. */
  readonly state: "open" | "applying" | "done" | "undone";
  readonly level: UndoLevel;
  readonly skipped: readonly Skipped[];
  readonly paths: readonly PathRecord[];
  readonly steps?: readonly Step[];
}

/** One path on its way from what is there to what shall be there. */
export interface Step {
  readonly path: string;
  readonly from: Image;
  readonly to: Image;
  /** A file that has all of `to` and is moved to the path. Left out: the content is in the journal. */
  readonly source?: string;
  /** Where the file that leaves is moved to. Left out: it is removed, for the journal has its content. */
  readonly away?: string;
}

/** One undo: written before its first change, so that one that was cut short can be finished. */
export interface UndoRecord {
  readonly version: typeof formatVersion;
  readonly kind: "undo";
  readonly seq: number;
  readonly at: number;
  /** `started` and `redoing` are cut short when nobody is at it any more. */
  readonly state: "started" | "done" | "redoing";
  /** The calls it takes back, by `seq`. */
  readonly calls: readonly number[];
  readonly steps: readonly Step[];
}

export type JournalRecord = CallRecord | UndoRecord;

export interface RecordStore {
  /** Oldest first. */
  calls(): Promise<readonly CallRecord[]>;
  /** Oldest first. */
  undos(): Promise<readonly UndoRecord[]>;
  /** Stores a new record under the next free number. Durable when it resolves. */
  add<R extends JournalRecord>(make: (seq: number) => R): Promise<R>;
  /**
   * Notes what an open call left. It outlives the process but maybe not the machine: a call whose note is lost counts
   * as cut short, and waiting for the disk once per call is enough.
   */
  settle(record: CallRecord): Promise<void>;
  /** Durable when it resolves. */
  replace(record: JournalRecord): Promise<void>;
  remove(record: JournalRecord): Promise<void>;
  /** Removes notes whose record is gone. */
  tidy(): Promise<void>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Records as files of their own: several processes may share a journal, and no record is ever half-written. */
export function recordStore(fs: HostFs, directory: string): RecordStore {
  let next: number | undefined;

  const pathOf = ({ seq, kind }: JournalRecord): string =>
    joinPath(directory, `${String(seq).padStart(10, "0")}.${kind}.json`);

  /** Names sort as their numbers do. */
  async function names(): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { name } of fs.list(directory)) {
      if (/^\d{10}\.(?:call|undo)\.json$/u.test(name)) found.push(name);
    }
    return found.toSorted();
  }

  async function records(kind: JournalRecord["kind"]): Promise<readonly JournalRecord[]> {
    const own = (await names()).filter((name) => name.endsWith(`.${kind}.json`));
    const found = await Promise.all(own.map((name) => current(joinPath(directory, name))));
    return found.flatMap((record) => record ?? []);
  }

  async function current(path: string): Promise<JournalRecord | undefined> {
    const text = await textOf(fs, path);
    if (text === undefined) return undefined;
    const record = parse(text);
    if (!isRecord(record)) throw unreadable(path);
    if (record.kind !== "call" || record.state !== "open") return record;
    const note = parse((await textOf(fs, noteOf(path))) ?? "");
    return isRecord(note) && note.seq === record.seq ? note : record;
  }

  async function removeIfThere(path: string): Promise<void> {
    try {
      await fs.remove(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  return {
    calls: async () => (await records("call")).filter((record) => record.kind === "call"),
    undos: async () => (await records("undo")).filter((record) => record.kind === "undo"),
    async add(make) {
      if (next === undefined) {
        const last = (await names()).at(-1);
        // Whoever looked meanwhile may have gone on from here.
        next ??= last === undefined ? 1 : Number.parseInt(last, 10) + 1;
      }
      for (;;) {
        const record = make(next);
        next += 1;
        try {
          await fs.writeAtomic(pathOf(record), serialise(record), {
            ifMatch: null,
            mode: 0o600,
          });
          return record;
        } catch (error) {
          // Another process took the number.
          if (!ToolError.is(error) || error.code !== "ALREADY_EXISTS") throw error;
        }
      }
    },
    settle: (record) => fs.append(noteOf(pathOf(record)), serialise(record)),
    async replace(record) {
      await fs.writeAtomic(pathOf(record), serialise(record), { mode: 0o600 });
      // Only an open record looks at its note, so one that stays behind does no harm.
      if (record.kind === "call") await removeIfThere(noteOf(pathOf(record)));
    },
    async remove(record) {
      await removeIfThere(pathOf(record));
      if (record.kind === "call") await removeIfThere(noteOf(pathOf(record)));
    },
    async tidy() {
      const known = new Set(await names());
      for await (const { name } of fs.list(directory)) {
        const owner = name.replace(/\.done\.json$/u, ".call.json");
        if (owner !== name && !known.has(owner)) await removeIfThere(joinPath(directory, name));
      }
    },
  };
}

function noteOf(path: string): string {
  return path.replace(/\.call\.json$/u, ".done.json");
}

function serialise(record: JournalRecord): Uint8Array {
  return encoder.encode(`${JSON.stringify(record)}\n`);
}

async function textOf(fs: HostFs, path: string): Promise<string | undefined> {
  try {
    return decoder.decode((await fs.readFile(path)).bytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Undefined for what is no JSON: a stored file that cannot be read is told as such, by whoever reads it. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Records are written whole and only by this file: kind and version tell the rest. */
function isRecord(value: unknown): value is JournalRecord {
  if (typeof value !== "object" || value === null) return false;
  if (!("version" in value) || value.version !== formatVersion) return false;
  if (!("kind" in value && "seq" in value && typeof value.seq === "number")) return false;
  if (value.kind === "call") return "paths" in value && Array.isArray(value.paths);
  return value.kind === "undo" && "steps" in value && Array.isArray(value.steps);
}

function unreadable(path: string): ToolError {
  return new ToolError("UNAVAILABLE", `The journal's record ${baseName(path)} cannot be read.`, {
    hint: "A newer version may have written it: update, or move the record away to use the rest.",
    data: { path },
    retryable: false,
  });
}
