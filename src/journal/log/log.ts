import { isNotFound, joinPath, mayExist } from "../../text/index.ts";
import { ToolError, type HostAppender, type HostClock, type HostFs } from "../../core/index.ts";
import { parseLine, type LogLine } from "./log-line.ts";
import { segmentName, segmentsIn, type Segments } from "./segments.ts";
import { isInTheWay, makeFolder } from "./set-aside.ts";

/** Line of the log with its position. */
export interface LogEntry {
  readonly line: LogLine;
  readonly segment: string;
  /** Offset of its first byte in the segment. */
  readonly offset: number;
  /** Bytes, without the line end. */
  readonly length: number;
}

/**
 * Lines of the journal in the order of addition. Every process appends to the same file, and a new file starts every
 * hour. An addition is one write to an open file, so that lines of several processes do not mix.
 */
export interface JournalLog {
  /**
   * Appends lines. With `durable` it resolves when these and all earlier lines survive a machine crash; otherwise the
   * returned function makes them durable.
   */
  append(
    lines: readonly string[],
    options: { readonly durable: boolean },
  ): Promise<() => Promise<void>>;
  /** Passes on lines added since the previous reading, after `restart` if lines were removed. */
  read(reader: LogReader): Promise<void>;
  lineAt(place: Omit<LogEntry, "line">): Promise<Uint8Array>;
  /** Segment that receives additions now. */
  readonly current: string | undefined;
  /** Segments that no process appends to any more, with their lines. */
  closed(): AsyncIterable<ClosedSegment>;
  /**
   * Keeps only these lines of a closed segment and deletes a segment without any. A segment with only damaged lines
   * left is set aside.
   */
  shrink(closed: ClosedSegment, keep: readonly LogEntry[]): Promise<void>;
  /** Bytes added since the previous call. */
  takeWritten(): number;
  /** Segments that cannot be read, with the reason, as of the latest reading. */
  readonly unreadable: ReadonlyMap<string, string>;
  /** Segments that end within a line, with the number of bytes of that line, as of the latest reading. */
  readonly ragged: ReadonlyMap<string, number>;
  /** False if the written files were removed, moved or truncated. */
  isInPlace(): Promise<boolean>;
  /** Closes the files and forgets their state; the next use reads them again. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface JournalLogOptions {
  readonly fs: HostFs;
  readonly directory: string;
  readonly clock: Pick<HostClock, "now">;
  /** Moves a file to the directory of damaged files; false if that fails. */
  readonly setAside: (path: string) => Promise<boolean>;
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

/** Time after the end of a segment's hour when no process appends to it any more. */
export const closedMs = 60 * 60 * 1000;

/** Maximum number of segments tried if one cannot be appended to. */
const maxTries = 4;

const lineEnd = 0x0a;

export function journalLog({ fs, directory, clock, setAside }: JournalLogOptions): JournalLog {
  let opened: { readonly segment: string; readonly appender: HostAppender } | undefined;
  let opening: Promise<HostAppender> | undefined;
  let highest: string | undefined;
  let readSoFar = new Map<string, number>();
  let written = 0;
  let unreadable: ReadonlyMap<string, string> = new Map();
  const ragged = new Map<string, number>();
  /** Last flush of appenders whose segment has been replaced by the next one. */
  const ending = new WeakMap<HostAppender, Promise<void>>();
  const flush = (to: HostAppender): Promise<void> =>
    ending.get(to) ?? to.append(new Uint8Array(), { durable: true });
  const pathOf = (segment: string): string => joinPath(directory, segment);

  async function segments(): Promise<readonly string[]> {
    const found: Segments = await segmentsIn(fs, directory);
    unreadable = found.unreadable;
    return found.names;
  }

  /** Segment by the clock that all processes share. A clock set back must not put lines before earlier ones. */
  function due(): string {
    const byTime = segmentName(clock.now());
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
    const next = await openWritable(highest);
    highest = next.segment;
    try {
      // Later lines rely on this segment, so none is appended before it is durable.
      if (before !== undefined) await endSegment(before.appender);
    } finally {
      opened = next;
    }
    return next.appender;
  }

  /** First writable segment from this one on. An obstacle at its path is set aside, or the segment is skipped. */
  async function openWritable(
    first: string,
  ): Promise<{ readonly segment: string; readonly appender: HostAppender }> {
    let segment = first;
    for (let tries = 1; ; tries += 1) {
      try {
        return { segment, appender: await openAppender(fs, pathOf(segment)) };
      } catch (error) {
        if (tries === 1 && isNotFound(error)) {
          await makeFolder(fs, directory, setAside);
          continue;
        }
        if (tries === maxTries || !isClosedToUs(error)) throw error;
        if (isInTheWay(error) && (await setAside(pathOf(segment)))) continue;
        segment = segmentName(clock.now(), Number.parseInt(segment, 10) + 1);
      }
    }
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

  /** Passes on complete lines only. A line still being written is passed on by a later reading. */
  async function readSegment(
    segment: string,
    from: number,
    reader: LogReader["entry"],
  ): Promise<number> {
    const { size } = await fs.stat(pathOf(segment));
    if (size <= from) return from;
    const bytes = await fs.readRange(pathOf(segment), { offset: from, length: size - from });
    let start = 0;
    ragged.delete(segment);
    for (let end = bytes.indexOf(lineEnd); end !== -1; end = bytes.indexOf(lineEnd, start)) {
      if (end > start) {
        const line = parseLine(bytes.subarray(start, end), pathOf(segment));
        reader({ line, segment, offset: from + start, length: end - start });
      }
      start = end + 1;
    }
    if (start < bytes.length) ragged.set(segment, bytes.length - start);
    return from + start;
  }

  async function isShrunk(names: readonly string[]): Promise<boolean> {
    for (const [segment, size] of readSoFar) {
      if (!names.includes(segment)) return true;
      // A segment that no process appends to is unchanged since the previous reading unless it was shrunk.
      if ((await fs.stat(pathOf(segment))).size < size) return true;
    }
    return false;
  }

  /** Undefined for a segment that cannot be read; `unreadable` has the reason. */
  async function readOrName<T>(segment: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!ToolError.is(error) || error.code === "UNAVAILABLE") throw error;
      // Another process may have removed it since it was listed.
      if (!isNotFound(error)) unreadable = new Map([...unreadable, [segment, error.message]]);
      return undefined;
    }
  }

  return {
    get current() {
      return opened?.segment;
    },
    get unreadable() {
      return unreadable;
    },
    ragged,
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
        ragged.clear();
        reader.restart();
      }
      for (const segment of names) {
        const from = readSoFar.get(segment) ?? 0;
        const end = await readOrName(segment, () => readSegment(segment, from, reader.entry));
        if (end !== undefined) readSoFar.set(segment, end);
      }
    },
    lineAt: ({ segment, offset, length }) => fs.readRange(pathOf(segment), { offset, length }),
    async *closed() {
      for (const segment of await segments()) {
        if (segment >= segmentName(clock.now() - closedMs)) continue;
        const entries: LogEntry[] = [];
        const size = await readOrName(segment, () =>
          readSegment(segment, 0, (entry) => entries.push(entry)),
        );
        if (size !== undefined) yield { segment, size, entries };
      }
    },
    async shrink({ segment, size }, keep) {
      const path = pathOf(segment);
      if (keep.length === 0) {
        await fs.remove(path);
        return;
      }
      const { bytes, hash } = await fs.readFile(path);
      // Another process compacted the segment, so offsets have changed; or it ends within a line, which must not be
      // dropped.
      if (bytes.length !== size) return;
      const lines = keep.map(({ offset, length }) => bytes.subarray(offset, offset + length + 1));
      await fs.writeAtomic(path, Buffer.concat(lines), { ifMatch: hash, durable: true });
      if (keep.every(({ line }) => line.kind === "damaged")) await setAside(path);
    },
    takeWritten() {
      const taken = written;
      written = 0;
      return taken;
    },
    async isInPlace() {
      // A closed segment may have been compacted or removed.
      if (opened === undefined || opened.segment < segmentName(clock.now() - closedMs)) {
        return await mayExist(fs, directory);
      }
      if (opened.appender.isInPlace !== undefined) return opened.appender.isInPlace();
      return await mayExist(fs, written === 0 ? directory : pathOf(opened.segment));
    },
    async reset() {
      await opening?.catch(() => undefined);
      const last = opened;
      opened = undefined;
      highest = undefined;
      // Errors of a discarded segment do not matter.
      await last?.appender.close().catch(() => undefined);
    },
    async close() {
      await opening?.catch(() => undefined);
      const last = opened;
      opened = undefined;
      await last?.appender.close();
    },
  };
}

/** Size of the shared buffer: most additions fit, and they are made one at a time. */
const spareBytes = 128 * 1024;
let spare: Uint8Array | undefined;
let isLent = false;
const encoder = new TextEncoder();

/** Passes encoded lines to `use`, in reused memory if possible. Resolves to the number of bytes. */
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

/** Undefined if there is not enough room. */
function encodedInto(room: Uint8Array, lines: readonly string[]): Uint8Array | undefined {
  // A line end comes first too: half a line from a killed process stays a line of its own.
  room[0] = lineEnd;
  let end = 1;
  // Line by line: joining them would copy them once more.
  for (const line of lines) {
    const { read, written } = encoder.encodeInto(line, room.subarray(end));
    end += written;
    if (read < line.length || end === room.length) return undefined;
    room[end] = lineEnd;
    end += 1;
  }
  return room.subarray(0, end);
}

/** Whether another segment may accept what this one does not. */
function isClosedToUs(error: unknown): boolean {
  return isInTheWay(error) || (ToolError.is(error) && error.code === "ACCESS_DENIED");
}

/** Where a host cannot keep files open, lines survive the process but maybe not a machine crash. */
async function openAppender(fs: HostFs, path: string): Promise<HostAppender> {
  return (
    (await fs.appender?.(path)) ?? {
      append: (data) => fs.append(path, data),
      close: async () => undefined,
    }
  );
}
