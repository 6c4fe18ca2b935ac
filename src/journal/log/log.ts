import { joinPath } from "../../text/index.ts";
import { ToolError, type HostAppender, type HostClock, type HostFs } from "../../core/index.ts";
import { parseLine, type LogLine } from "./log-line.ts";
import { segmentName, segmentsIn, type Segments } from "./segments.ts";
import { isMissing } from "../capture/snapshot.ts";
import { isInTheWay, makeFolder } from "./set-aside.ts";

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
  /**
   * Keeps only these lines of a closed segment; a segment without any goes. One of which nothing but damaged lines is left
   * is set aside.
   */
  shrink(closed: ClosedSegment, keep: readonly LogEntry[]): Promise<void>;
  /** Bytes added since this was last asked. */
  takeWritten(): number;
  /** Segments that cannot be read, and why, as of the last reading. */
  readonly unreadable: ReadonlyMap<string, string>;
  /** Segments that end within a line, as of the last reading, and how many bytes of it there are. */
  readonly ragged: ReadonlyMap<string, number>;
  /** False where what was written is no longer where it was: the files were removed, moved or cut. */
  isInPlace(): Promise<boolean>;
  /** Forgets what is known of the files and looks at them again with the next use. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface JournalLogOptions {
  readonly fs: HostFs;
  readonly directory: string;
  readonly clock: Pick<HostClock, "now">;
  /** Moves something out of the way, where it is kept by name; false where that cannot be done. */
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

/** Nobody adds to a segment that had its time this long ago. */
export const closedMs = 60 * 60 * 1000;

/** So many segments are tried where one cannot be added to. */
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
  /** Flushed for the last time, because lines go to another segment now. */
  const ending = new WeakMap<HostAppender, Promise<void>>();
  const flush = (to: HostAppender): Promise<void> =>
    ending.get(to) ?? to.append(new Uint8Array(), { durable: true });
  const pathOf = (segment: string): string => joinPath(directory, segment);

  async function segments(): Promise<readonly string[]> {
    const found: Segments = await segmentsIn(fs, directory);
    unreadable = found.unreadable;
    return found.names;
  }

  /** By the clock all processes share; one that was set back must not bring lines before others. */
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
      // Later lines count on it being there, so nobody adds any before it is.
      if (before !== undefined) await endSegment(before.appender);
    } finally {
      opened = next;
    }
    return next.appender;
  }

  /** The first segment from this one on that can be added to: what stands in its way is set aside, or passed over. */
  async function openWritable(
    first: string,
  ): Promise<{ readonly segment: string; readonly appender: HostAppender }> {
    let segment = first;
    for (let tries = 1; ; tries += 1) {
      try {
        return { segment, appender: await openAppender(fs, pathOf(segment)) };
      } catch (error) {
        if (tries === 1 && isMissing(error)) {
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
      // One nobody adds to any more has not changed since it was last looked at, unless it was shrunk.
      if ((await fs.stat(pathOf(segment))).size < size) return true;
    }
    return false;
  }

  /** Undefined for a segment that cannot be read: what is wrong with it is in `unreadable` then. */
  async function readOrName<T>(segment: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!ToolError.is(error) || error.code === "UNAVAILABLE") throw error;
      // Another process may have taken it away since it was listed.
      if (!isMissing(error)) unreadable = new Map([...unreadable, [segment, error.message]]);
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
      // Another process was at it: its lines stand elsewhere now. Or it ends within a line, which is nobody's to drop.
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
      // One that nobody adds to any more may have been made smaller, or have gone.
      if (opened === undefined || opened.segment < segmentName(clock.now() - closedMs)) {
        return await isThere(fs, directory);
      }
      if (opened.appender.isInPlace !== undefined) return opened.appender.isInPlace();
      return await isThere(fs, written === 0 ? directory : pathOf(opened.segment));
    },
    async reset() {
      await opening?.catch(() => undefined);
      const last = opened;
      opened = undefined;
      highest = undefined;
      // Nothing of it counts any more.
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

/** Whether another segment may take what this one does not. */
function isClosedToUs(error: unknown): boolean {
  return isInTheWay(error) || (ToolError.is(error) && error.code === "ACCESS_DENIED");
}

async function isThere(fs: HostFs, path: string): Promise<boolean> {
  try {
    await fs.stat(path);
    return true;
  } catch (error) {
    // What cannot be looked at says so when it is used.
    return !isMissing(error);
  }
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
