import { isNotFound, joinPath } from "../../text/index.ts";
import { ToolError, type HostAppender, type HostClock, type HostFs } from "../../core/index.ts";
import { sealAtEnd, sealed, sealOf } from "./checksum.ts";
import { closedMs } from "./log.ts";
import { parse } from "./log-line.ts";
import { formatVersion, type CallRecord, type JournalRecord } from "../records.ts";
import { segmentName, segmentsIn } from "./segments.ts";
import { isInTheWay, makeFolder } from "./set-aside.ts";

/** Evidence that the log has a certain line of a record, with the identity of the record. */
export interface WitnessNote {
  readonly id: string;
  readonly kind: JournalRecord["kind"];
  readonly state: JournalRecord["state"];
  /** Checksum of the line. */
  readonly line: string;
  readonly at: number;
  /** Present for a call. */
  readonly call?: Pick<
    CallRecord,
    "callId" | "partOf" | "tool" | "title" | "sessionId" | "agentId"
  >;
  /** The first of the changed paths. */
  readonly paths: readonly string[];
  /** Number of changed paths. */
  readonly count: number;
}

/** Record with its line. */
export interface RecordLine {
  readonly record: JournalRecord;
  readonly line: string;
}

/** All notes, in the order in which they were written. */
export interface Witnessed {
  readonly notes: readonly WitnessNote[];
  /** Number of notes that cannot be read, by file. */
  readonly damaged: ReadonlyMap<string, number>;
}

/**
 * Second, short note of each line with the changes of a call, in files of its own. If the log is truncated, emptied or
 * damaged, the notes show which calls are lost. A note is written after its line, and is never waited for.
 */
export interface Witness {
  note(lines: readonly RecordLine[]): Promise<void>;
  read(): Promise<Witnessed>;
  /** Deletes notes of deleted records, in files that no process appends to any more. */
  sweep(isGone: (id: string) => boolean): Promise<void>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface WitnessOptions {
  readonly fs: HostFs;
  readonly directory: string;
  readonly clock: Pick<HostClock, "now">;
  readonly setAside: (path: string) => Promise<boolean>;
}

/** Maximum number of paths in a note. */
const maxPaths = 8;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function logWitness({ fs, directory, clock, setAside }: WitnessOptions): Witness {
  let opened: { readonly segment: string; readonly appender: HostAppender } | undefined;

  async function appender(): Promise<HostAppender> {
    const segment = segmentName(clock.now());
    if (opened?.segment === segment) return opened.appender;
    await reset();
    const path = joinPath(directory, segment);
    opened = { segment, appender: await open(path) };
    return opened.appender;
  }

  async function open(path: string): Promise<HostAppender> {
    try {
      return await openAppender(fs, path);
    } catch (error) {
      if (isNotFound(error)) await makeFolder(fs, directory, setAside);
      else if (!isInTheWay(error) || !(await setAside(path))) throw error;
      return await openAppender(fs, path);
    }
  }

  async function reset(): Promise<void> {
    const last = opened;
    opened = undefined;
    await last?.appender.close().catch(() => undefined);
  }

  async function linesOf(name: string): Promise<readonly Uint8Array[]> {
    const { bytes } = await fs.readFile(joinPath(directory, name));
    const lines: Uint8Array[] = [];
    let start = 0;
    while (start < bytes.length) {
      const found = bytes.indexOf(lineEnd, start);
      const end = found === -1 ? bytes.length : found;
      if (end > start) lines.push(bytes.subarray(start, end));
      start = end + 1;
    }
    return lines;
  }

  return {
    async note(given) {
      const lines = given.flatMap((each) => (each.record.state === "open" ? [] : [noteLine(each)]));
      if (lines.length === 0) return;
      try {
        await (await appender()).append(encoder.encode(`\n${lines.join("\n")}\n`));
      } catch (error) {
        // The note only explains what is lost if the log is damaged later, so its failure must not fail a call.
        if (!ToolError.is(error)) throw error;
        await reset();
      }
    },
    async read() {
      const notes: WitnessNote[] = [];
      const damaged = new Map<string, number>();
      const { names, unreadable } = await segmentsIn(fs, directory);
      for (const name of unreadable.keys()) damaged.set(name, 1);
      for (const name of names) {
        try {
          for (const line of await linesOf(name)) {
            const note = noteOf(line);
            if (note !== undefined) notes.push(note);
            else damaged.set(name, (damaged.get(name) ?? 0) + 1);
          }
        } catch (error) {
          if (!ToolError.is(error)) throw error;
          if (error.code !== "NOT_FOUND") damaged.set(name, 1);
        }
      }
      return { notes, damaged };
    },
    async sweep(isGone) {
      const { names } = await segmentsIn(fs, directory);
      for (const name of names) {
        if (name >= segmentName(clock.now() - closedMs)) continue;
        const path = joinPath(directory, name);
        const lines = await linesOf(name);
        const kept = lines.filter((line) => {
          const note = noteOf(line);
          return note === undefined || !isGone(note.id);
        });
        if (kept.length === lines.length) continue;
        if (kept.length === 0) await fs.remove(path);
        else {
          const text = kept.map((line) => `${decoder.decode(line)}\n`).join("");
          await fs.writeAtomic(path, encoder.encode(text), { mode: 0o600 });
        }
      }
    },
    reset,
    close: reset,
  };
}

const lineEnd = 0x0a;

function noteLine({ record, line }: RecordLine): string {
  const { id, kind, state, at } = record;
  const changes = record.kind === "call" ? [...record.paths, ...record.skipped] : record.steps;
  const note: WitnessNote = {
    id,
    kind,
    state,
    line: sealAtEnd(line),
    at,
    ...(record.kind === "call" ? { call: callOf(record) } : {}),
    paths: changes.slice(0, maxPaths).map(({ path }) => path),
    count: changes.length,
  };
  return sealed(JSON.stringify({ version: formatVersion, ...note }));
}

function callOf(record: CallRecord): NonNullable<WitnessNote["call"]> {
  const { callId, partOf, tool, title, sessionId, agentId } = record;
  return {
    callId,
    tool,
    ...(partOf === undefined ? {} : { partOf }),
    ...(title === undefined ? {} : { title }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
  };
}

/** Undefined for a damaged line. Only this file writes notes, so a correct checksum is enough. */
function noteOf(line: Uint8Array): WitnessNote | undefined {
  if (sealOf(line)?.fits !== true) return undefined;
  const value = parse(decoder.decode(line));
  return isNote(value) ? value : undefined;
}

function isNote(value: unknown): value is WitnessNote {
  if (typeof value !== "object" || value === null) return false;
  if (!("version" in value && value.version === formatVersion)) return false;
  return "paths" in value && Array.isArray(value.paths);
}

async function openAppender(fs: HostFs, path: string): Promise<HostAppender> {
  return (
    (await fs.appender?.(path)) ?? {
      append: (data) => fs.append(path, data),
      close: async () => undefined,
    }
  );
}
