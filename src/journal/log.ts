import { joinPath, type HostAppender, type HostClock, type HostFs } from "../core/index.ts";
import { parseLine, type LogLine } from "./log-line.ts";

/** A line of the log and where it stands. */
export interface LogEntry {
  readonly line: LogLine;
  readonly segment: string;
  /** Of its first byte, in the segment. */
  readonly offset: number;
  /** Bytes, without the line end. */
  readonly length: number;
}

/**
 * The journal's lines in the order they were added. Every process adds to the end of the same file, a new one each
 * hour: an addition is one writing of an open file, which keeps those of several processes apart.
 */
export interface JournalLog {
  /**
   * With `durable` it resolves when these and all lines before survive a crash of the machine; else what it gives makes
   * them do so.
   */
  append(
    lines: readonly string[],
    options: { readonly durable: boolean },
  ): Promise<() => Promise<void>>;
  /** Tells what was added since the last reading; `restart` comes first where something was taken away. */
  read(reader: LogReader): Promise<void>;
  lineAt(place: Omit<LogEntry, "line">): Promise<Uint8Array>;
  /** The segment that additions go to now. */
  readonly current: string | undefined;
  /** Segments nobody adds to any more, with their lines. */
  closed(): AsyncIterable<ClosedSegment>;
  /** Keeps only these lines of a closed segment; a segment without any goes. */
  shrink(closed: ClosedSegment, keep: readonly LogEntry[]): Promise<void>;
  /** Bytes added since this was last asked. */
  takeWritten(): number;
  close(): Promise<void>;
}

export interface ClosedSegment {
  readonly segment: string;
  readonly size: number;
  readonly entries: readonly LogEntry[];
}

export interface LogReader {
  readonly restart: () => void;
  readonly entry: (entry: LogEntry) => void;
}

/** How long additions go to one segment. */
const segmentMs = 60 * 60 * 1000;

/** Nobody adds to a segment that had its time this long ago. */
const closedMs = 60 * 60 * 1000;

const lineEnd = 0x0a;

export function journalLog(
  fs: HostFs,
  directory: string,
  clock: Pick<HostClock, "now">,
): JournalLog {
  let opened: { readonly segment: string; readonly appender: HostAppender } | undefined;
  let opening: Promise<HostAppender> | undefined;
  let highest: string | undefined;
  let readSoFar = new Map<string, number>();
  let written = 0;
  /** Flushed for the last time, because lines go to another segment now. */
  const ending = new WeakMap<HostAppender, Promise<void>>();
  const flush = (to: HostAppender): Promise<void> =>
    ending.get(to) ?? to.append(new Uint8Array(), { durable: true });
  const pathOf = (segment: string): string => joinPath(directory, segment);

  async function segments(): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { name } of fs.list(directory)) {
      if (/^\d{10}\.jsonl$/u.test(name)) found.push(name);
    }
    return found.toSorted();
  }

  /** By the clock all processes share; one that was set back must not bring lines before others. */
  function due(): string {
    const byTime = nameOf(clock.now());
    return highest !== undefined && highest > byTime ? highest : byTime;
  }

  async function appender(): Promise<HostAppender> {
    if (opened !== undefined && opened.segment === due()) return opened.appender;
    opening ??= openNext().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function openNext(): Promise<HostAppender> {
    highest ??= (await segments()).at(-1) ?? "";
    highest = due();
    const before = opened;
    const next = { segment: highest, appender: await openAppender(fs, pathOf(highest)) };
    try {
      // Later lines count on it being there, so nobody adds any before it is.
      if (before !== undefined) await endSegment(before.appender);
    } finally {
      opened = next;
    }
    return next.appender;
  }

  async function endSegment(last: HostAppender): Promise<void> {
    const ended = flush(last);
    ending.set(last, ended);
    try {
      await ended;
    } finally {
      await last.close();
    }
  }

  /** Lines are told once they have their end; one that is being added has its next time. */
  async function readSegment(
    segment: string,
    from: number,
    reader: LogReader["entry"],
  ): Promise<number> {
    const { size } = await fs.stat(pathOf(segment));
    if (size <= from) return from;
    const bytes = await fs.readRange(pathOf(segment), { offset: from, length: size - from });
    let start = 0;
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, start)) {
      if (end > start) {
        const line = parseLine(bytes.subarray(start, end), pathOf(segment));
        if (line !== undefined) {
          reader({ line, segment, offset: from + start, length: end - start });
        }
      }
      start = end + 1;
    }
    return from + start;
  }

  async function isShrunk(names: readonly string[]): Promise<boolean> {
    for (const [segment, size] of readSoFar) {
      if (!names.includes(segment)) return true;
      // One nobody adds to any more has not changed since it was last looked at, unless it was shrunk.
      if ((await fs.stat(pathOf(segment))).size < size) return true;
    }
    return false;
  }

  return {
    get current() {
      return opened?.segment;
    },
    async append(lines, { durable }) {
      if (lines.length === 0) return async () => undefined;
      const to = await appender();
      const bytes = await encoded(lines, (data) => to.append(data, { durable }));
      written += bytes;
      return () => flush(to);
    },
    async read(reader) {
      const names = await segments();
      if (await isShrunk(names)) {
        readSoFar = new Map();
        reader.restart();
      }
      for (const segment of names) {
        const from = readSoFar.get(segment) ?? 0;
        readSoFar.set(segment, await readSegment(segment, from, reader.entry));
      }
    },
    lineAt: ({ segment, offset, length }) => fs.readRange(pathOf(segment), { offset, length }),
    async *closed() {
      for (const segment of await segments()) {
        if (segment >= nameOf(clock.now() - closedMs)) continue;
        const entries: LogEntry[] = [];
        const size = await readSegment(segment, 0, (entry) => entries.push(entry));
        yield { segment, size, entries };
      }
    },
    async shrink({ segment, size }, keep) {
      const path = pathOf(segment);
      if (keep.length === 0) {
        await fs.remove(path);
        return;
      }
      const { bytes, hash } = await fs.readFile(path);
      // Another process was at it: its lines stand elsewhere now.
      if (bytes.length !== size) return;
      const lines = keep.map(({ offset, length }) => bytes.subarray(offset, offset + length + 1));
      await fs.writeAtomic(path, Buffer.concat(lines), { ifMatch: hash, durable: true });
    },
    takeWritten() {
      const taken = written;
      written = 0;
      return taken;
    },
    async close() {
      await opening?.catch(() => undefined);
      const last = opened;
      opened = undefined;
      await last?.appender.close();
    },
  };
}

/** Most additions fit, and are made one at a time. */
const spareBytes = 128 * 1024;
let spare: Uint8Array | undefined;
let isLent = false;
const encoder = new TextEncoder();

/** Has lines used as bytes, where they can be in memory that is used again; resolves to their number. */
async function encoded(
  lines: readonly string[],
  use: (data: Uint8Array) => Promise<void>,
): Promise<number> {
  const lent = isLent ? undefined : encodedInto((spare ??= new Uint8Array(spareBytes)), lines);
  if (lent === undefined) {
    const data = encoder.encode(`\n${lines.join("\n")}\n`);
    await use(data);
    return data.length;
  }
  isLent = true;
  try {
    await use(lent);
    return lent.length;
  } finally {
    isLent = false;
  }
}

/** Undefined where there is not enough room. */
function encodedInto(room: Uint8Array, lines: readonly string[]): Uint8Array | undefined {
  // A line end in front as well: what a process that was killed left half-done stays a line of its own.
  room[0] = lineEnd;
  let end = 1;
  // One after the other: to make one text of them would copy them once more.
  for (const line of lines) {
    const { read, written } = encoder.encodeInto(line, room.subarray(end));
    end += written;
    if (read < line.length || end === room.length) return undefined;
    room[end] = lineEnd;
    end += 1;
  }
  return room.subarray(0, end);
}

function nameOf(time: number): string {
  return `${String(Math.max(1, Math.floor(time / segmentMs))).padStart(10, "0")}.jsonl`;
}

/** Where a host keeps no file open, lines outlive the process but maybe not the machine. */
async function openAppender(fs: HostFs, path: string): Promise<HostAppender> {
  return (
    (await fs.appender?.(path)) ?? {
      append: (data) => fs.append(path, data),
      close: async () => undefined,
    }
  );
}
