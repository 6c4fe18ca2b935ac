import { isNotFound, joinPath, sentenceOf } from "../text/index.ts";
import { makeOwnFolder } from "./log/private-directory.ts";
import { ToolError, type HostClock, type HostFs } from "../core/index.ts";
import { blobStore, type BlobStore } from "./log/content-store.ts";
import { formatText, readFormat } from "./log/format-file.ts";
import { journalLog, type JournalLog } from "./log/log.ts";
import { logIndex, type LogIndex } from "./log/log-index.ts";
import { recordLine } from "./log/log-line.ts";
import type { Owner } from "./liveness/owner.ts";
import { readOldRecords } from "./log/old-records.ts";
import type { DecodeOlder } from "./preview/decode-sides.ts";
import { recordStore, type RecordStore } from "./log/record-store.ts";
import { formatVersion, isUnfinished, type CallRecord } from "./records.ts";
import type { Collected, JournalQuota } from "./log/collect.ts";
import { collect } from "./log/collect.ts";
import { isInTheWay, makeFolder, setAside } from "./log/set-aside.ts";
import { logWitness } from "./log/witness.ts";
import type { JournalTurns } from "./turns.ts";

/** Files of a journal, and a queue for work that must not overlap. */
export interface JournalState {
  readonly fs: HostFs;
  readonly clock: Pick<HostClock, "now"> & Partial<Pick<HostClock, "sleep">>;
  readonly owner: Owner;
  readonly turns: JournalTurns;
  readonly directory: string;
  readonly decodeOlder: DecodeOlder | undefined;
  /** Maximum size of a file that is read; a larger one is identified by its version only. */
  readonly maxBytes: number;
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  /** Runs work when all work requested before has ended. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Creates the directories on first use. UNAVAILABLE if a newer version created the journal. */
  ready(): Promise<void>;
  /** For the examination of damage. */
  readonly files: JournalFiles;
  /** Whether the directory of the journal exists. */
  isStored(): Promise<boolean>;
  /** Whether the written files are still in place. */
  isInPlace(): Promise<boolean>;
  /** Starts a new journal after the files were removed or truncated: "empty" if nothing of them is left. */
  renew(): Promise<"empty" | "less">;
  collect(options?: { readonly dryRun?: boolean }): Promise<Collected>;
  /** Collects if enough was written or enough time has passed. */
  collectWhenDue(): Promise<void>;
  /** Returns a notice that collections fail, once until one succeeds. */
  takeNotice(): string | undefined;
  /** Closes open files. Later use opens them again. */
  close(): Promise<void>;
}

export interface JournalFiles {
  readonly log: JournalLog;
  readonly index: LogIndex;
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
  /** Whether the record belongs to a call that this process runs. */
  readonly isUnderWay: (record: CallRecord) => boolean;
}

/** Maximum time between two collections, however little each process writes. */
const collectEveryMs = 60 * 60 * 1000;

export function journalState(options: JournalStateOptions): JournalState {
  const { fs, clock, directory, quota } = options;
  const formatFile = joinPath(directory, "format.json");
  const blobsDirectory = joinPath(directory, "blobs");
  const logDirectory = joinPath(directory, "log");
  const leftDirectory = joinPath(directory, "left");
  const callsDirectory = joinPath(directory, "calls");
  const away = async (path: string): Promise<boolean> =>
    await setAside(path, { fs, directory, clock });
  const log = journalLog({ fs, directory: logDirectory, clock, setAside: away });
  const witness = logWitness({ fs, directory: callsDirectory, clock, setAside: away });
  const index = logIndex(log, witness);
  const records = recordStore(log, index, witness);
  const blobs = blobStore({
    fs,
    directory: blobsDirectory,
    leftDirectory,
    clock,
    log,
    index,
    witness,
    setAside: away,
  });
  let opening: Promise<void> | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  let collectedAt = 0;
  let written = 0;
  /** Why collections fail; "reported" once that was taken. */
  let failure: { readonly because: string } | "reported" | undefined;

  async function open(): Promise<void> {
    const found = await readFormat(fs, formatFile);
    if (found.kind === "format" && found.version === formatVersion) {
      collectedAt = found.collectedAt;
      return;
    }
    await makeOwnFolder(fs, directory);
    for (const path of [blobsDirectory, leftDirectory, logDirectory, callsDirectory]) {
      await makeFolder(fs, path, away);
    }
    const isOldest = found.kind === "format" && found.version === 1;
    if (isOldest) await migrate();
    if (found.kind === "damaged") await away(formatFile);
    collectedAt = clock.now();
    await writeFormat();
    if (isOldest) await removeIfPossible(joinPath(directory, "records"));
  }

  /** Obsolete files may stay. */
  async function removeIfPossible(path: string): Promise<void> {
    try {
      await fs.remove(path, { recursive: true });
    } catch {
      return;
    }
  }

  /** Converts the records of version 1 into the oldest segment. A process that does the same later finds it there. */
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

  /** A journal works without this file, so a failure is ignored. */
  async function writeFormat(): Promise<void> {
    const text = formatText(collectedAt);
    const how = { mode: 0o600, durable: true };
    try {
      await fs.writeAtomic(formatFile, text, how);
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      if (isInTheWay(error) && (await away(formatFile))) {
        await fs.writeAtomic(formatFile, text, how);
      } else if (error.code !== "ACCESS_DENIED") throw error;
    }
  }

  function noteFailure(error: unknown): void {
    // Another process may have deleted the same files.
    if (ToolError.is(error) && error.code === "NOT_FOUND") return;
    failure ??= { because: sentenceOf(error) };
  }

  async function collectNow({ dryRun = false } = {}): Promise<Collected> {
    await index.refresh();
    const collected = await collect({
      records,
      keepsContents: isPartLost(),
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
    // The time of a collection is not worth failing it, as on a disk that is still full.
    await writeFormat().catch(() => undefined);
    return collected;
  }

  /** Whether unreadable or lost records may reference contents: then no content is known to be unreferenced. */
  function isPartLost(): boolean {
    if (log.unreadable.size > 0) return true;
    return [...index.records.values()].some(({ damaged }) => damaged !== undefined);
  }

  return {
    fs,
    clock,
    files: { log, index },
    async isStored() {
      try {
        await fs.stat(directory);
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    },
    isInPlace: async () => opening === undefined || (await log.isInPlace()),
    async renew() {
      const isEmpty = (await readFormat(fs, formatFile)).kind === "missing";
      await Promise.all([log.reset(), witness.reset()]);
      blobs.reset();
      opening = undefined;
      return isEmpty ? "empty" : "less";
    },
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
      // One process can exceed the quota by an eighth at most.
      const isDue = written > quota.bytes / 8 || clock.now() - collectedAt > collectEveryMs;
      // The call is recorded already. A collection that fails is repeated after a later call and never fails this one.
      if (isDue) await collectNow().then(() => (failure = undefined), noteFailure);
    },
    takeNotice() {
      if (failure === undefined || failure === "reported") return undefined;
      const { because } = failure;
      failure = "reported";
      return `Old calls cannot be deleted from the journal, which may exceed its quota: ${because}`;
    },
    async close() {
      // Other processes must not take work in progress for interrupted before it has ended.
      await tail;
      options.turns.close();
      options.owner.close();
      await Promise.all([log.close(), witness.close()]);
    },
  };
}
