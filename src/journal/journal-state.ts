import { joinPath, makeOwnFolder, ToolError, type HostClock, type HostFs } from "../core/index.ts";
import { blobStore, type BlobStore } from "./blob-store.ts";
import { journalLog } from "./log.ts";
import { logIndex } from "./log-index.ts";
import { newerVersion, parse, recordLine } from "./log-line.ts";
import type { Owner } from "./owner.ts";
import { readOldRecords } from "./old-records.ts";
import type { DecodeOlder } from "./readable-text.ts";
import { recordStore, type RecordStore } from "./record-store.ts";
import { formatVersion, isUnfinished, type CallRecord } from "./records.ts";
import type { Collected, JournalQuota } from "./retention.ts";
import { collect } from "./retention.ts";
import { isMissing } from "./sight.ts";
import type { JournalTurns } from "./turns.ts";

/** The files a journal lives in, and one thing at a time for what must not overlap. */
export interface JournalState {
  readonly fs: HostFs;
  readonly clock: Pick<HostClock, "now"> & Partial<Pick<HostClock, "sleep">>;
  readonly owner: Owner;
  readonly turns: JournalTurns;
  readonly directory: string;
  readonly decodeOlder: DecodeOlder | undefined;
  /** A larger file is known by its version only. */
  readonly maxBytes: number;
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  /** Runs when everything asked for before has ended. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Makes the directories on first use; UNAVAILABLE where a newer version made them. */
  ready(): Promise<void>;
  collect(options?: { readonly dryRun?: boolean }): Promise<Collected>;
  /** Collects when enough was written or enough time went by. */
  collectWhenDue(): Promise<void>;
  /** Closes what is kept open. What is used afterwards is opened again. */
  close(): Promise<void>;
}

export interface JournalStateOptions {
  readonly fs: HostFs;
  readonly clock: Pick<HostClock, "now"> & Partial<Pick<HostClock, "sleep">>;
  readonly owner: Owner;
  readonly turns: JournalTurns;
  readonly directory: string;
  readonly maxBytes: number;
  readonly decodeOlder: DecodeOlder | undefined;
  readonly quota: JournalQuota;
  /** Whether this is a record of a call that the program itself is at. */
  readonly isUnderWay: (record: CallRecord) => boolean;
}

/** How long a journal may go without looking at its quota, however little each process writes. */
const collectEveryMs = 60 * 60 * 1000;

export function journalState(options: JournalStateOptions): JournalState {
  const { fs, clock, directory, quota } = options;
  const formatFile = joinPath(directory, "format.json");
  const blobsDirectory = joinPath(directory, "blobs");
  const logDirectory = joinPath(directory, "log");
  const leftDirectory = joinPath(directory, "left");
  const log = journalLog(fs, logDirectory, clock);
  const index = logIndex(log);
  const records = recordStore(log, index);
  const blobs = blobStore({ fs, directory: blobsDirectory, leftDirectory, clock, log, index });
  let opening: Promise<void> | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  let collectedAt = 0;
  let written = 0;

  async function open(): Promise<void> {
    const found = await readFormat(fs, formatFile);
    if (found?.version === formatVersion) {
      collectedAt = found.collectedAt;
      return;
    }
    for (const path of [directory, blobsDirectory, leftDirectory, logDirectory]) {
      await makeOwnFolder(fs, path);
    }
    if (found?.version === 1) await migrate();
    collectedAt = clock.now();
    await writeFormat();
    if (found?.version === 1) await removeIfPossible(joinPath(directory, "records"));
  }

  /** What is not needed any more may stay. */
  async function removeIfPossible(path: string): Promise<void> {
    try {
      await fs.remove(path, { recursive: true });
    } catch {
      return;
    }
  }

  /** The records of version 1 become the oldest segment. Whoever else does the same finds it there. */
  async function migrate(): Promise<void> {
    const old = await readOldRecords(fs, joinPath(directory, "records"));
    const text = old.map((record) => `${recordLine(record)}\n`).join("");
    try {
      await fs.writeAtomic(
        joinPath(logDirectory, "0000000000.jsonl"),
        new TextEncoder().encode(text),
        { ifMatch: null, mode: 0o600, durable: true },
      );
    } catch (error) {
      if (!ToolError.is(error) || error.code !== "ALREADY_EXISTS") throw error;
    }
  }

  async function writeFormat(): Promise<void> {
    const text = `${JSON.stringify({ version: formatVersion, collectedAt })}\n`;
    await fs.writeAtomic(formatFile, new TextEncoder().encode(text), {
      mode: 0o600,
      durable: true,
    });
  }

  async function collectNow({ dryRun = false } = {}): Promise<Collected> {
    const collected = await collect({
      records,
      blobs,
      clock,
      quota,
      dryRun,
      isUnderWay: (record) =>
        options.isUnderWay(record) || (isUnfinished(record) && options.owner.isElsewhere(record)),
    });
    if (dryRun) return collected;
    collectedAt = clock.now();
    written = 0;
    await writeFormat();
    return collected;
  }

  return {
    fs,
    clock,
    owner: options.owner,
    turns: options.turns,
    directory,
    decodeOlder: options.decodeOlder,
    maxBytes: options.maxBytes,
    records,
    blobs,
    alone(work) {
      const done = tail.then(work);
      tail = done.catch(() => undefined);
      return done;
    },
    ready() {
      options.owner.open();
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    collect: collectNow,
    async collectWhenDue() {
      written += blobs.takeWritten() + log.takeWritten();
      // An eighth over the quota is as far as one process can go.
      const isDue = written > quota.bytes / 8 || clock.now() - collectedAt > collectEveryMs;
      if (isDue) await collectNow();
    },
    async close() {
      // What is on its way is nobody else's to finish before that.
      await tail;
      options.turns.close();
      options.owner.close();
      await log.close();
    },
  };
}

interface Format {
  readonly version: number;
  readonly collectedAt: number;
}

async function readFormat(fs: HostFs, path: string): Promise<Format | undefined> {
  let text: string;
  try {
    text = new TextDecoder().decode((await fs.readFile(path)).bytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const value = parse(text);
  if (!isFormat(value)) throw newerVersion(path);
  return value;
}

function isFormat(value: unknown): value is Format {
  if (typeof value !== "object" || value === null) return false;
  if (!("version" in value) || (value.version !== 1 && value.version !== formatVersion)) {
    return false;
  }
  return "collectedAt" in value && typeof value.collectedAt === "number";
}
