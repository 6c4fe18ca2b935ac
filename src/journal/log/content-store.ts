import { baseName, joinPath, parentPath } from "../../text/index.ts";
import {
  ToolError,
  type HostClock,
  type HostFile,
  type HostFs,
  type WriteOptions,
} from "../../core/index.ts";
import { isContentHash } from "../capture/file-state.ts";
import type { JournalLog, LogEntry } from "./log.ts";
import type { LogIndex } from "./log-index.ts";
import { contentLine, contentOfLine, maxInlineBytes } from "./log-line.ts";
import type { InlineContents } from "./record-store.ts";
import { makeFolder } from "./set-aside.ts";
import { isMissing } from "../capture/snapshot.ts";
import { flushTogether } from "../apply/batch-flush.ts";
import { sweepLog, type Swept, type SweptLog } from "./compact.ts";

/** Contents that a record is about to name. Small ones are written with it, in one go; large ones as files at once. */
export interface ContentBatch extends InlineContents {
  put(hash: string, bytes: Uint8Array): void;
  /** Keeps a content that only explains: what a call left. It may be lost with the machine. */
  putLeft(hash: string, bytes: Uint8Array): Promise<void>;
  /** Resolves when every content that is no line is durable. */
  stored(): Promise<void>;
  /** To be called when the lines are in the log. */
  written(): void;
}

/** Content by its hash. */
export interface BlobStore {
  batch(): ContentBatch;
  /** Undefined where it is not kept; UNAVAILABLE where it is damaged. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Forgets what is known to be stored. */
  reset(): void;
  /**
   * Removes every content that `isKept` does not name and that is old enough to belong to no call under way; only
   * counts them in a dry run.
   */
  sweep(isKept: (hash: string) => boolean, dryRun?: boolean): Promise<Swept>;
  /** Bytes written to files since this was last asked. */
  takeWritten(): number;
}

export interface BlobStoreOptions {
  readonly fs: HostFs;
  /** Where large contents are. */
  readonly directory: string;
  /** Where large contents are that only explain; they are never taken for durable ones. */
  readonly leftDirectory: string;
  readonly clock: Pick<HostClock, "now">;
  readonly log: JournalLog;
  readonly index: LogIndex;
  readonly witness: SweptLog["witness"];
  /** Moves a damaged file out of the way, where it is kept by name; false where that cannot be done. */
  readonly setAside: (path: string) => Promise<boolean>;
}

/** Content written or used within this time is never swept: a call of another process may be about to name it. */
const graceMs = 60 * 60 * 1000;

/** A record with more contents than this has the rest in files. */
const maxBatchBytes = 512 * 1024;

/** So many files of a batch are stored at once, each by itself; further ones together. */
const maxSingly = 16;
/** Of those, so many bytes are held before they are stored. */
const maxWaitingBytes = 16 * 1024 * 1024;

export function blobStore(options: BlobStoreOptions): BlobStore {
  const { fs, directory, leftDirectory, clock, log, index, witness } = options;
  /** Contents this process made durable as files, or is making so, and when. */
  const known = new Map<string, { readonly storing: Promise<void>; readonly at: number }>();
  /** Contents this process added to the segment that is added to now: the next flush holds them as well. */
  let inSegment: { readonly segment: string | undefined; readonly hashes: Set<string> } = {
    segment: undefined,
    hashes: new Set(),
  };
  let written = 0;

  async function store(path: string, bytes: Uint8Array): Promise<void> {
    if (!(await isFresh(path))) await write(path, bytes, { durable: true });
  }

  /**
   * What is there but nearly old enough to be swept is written again, which dates it anew. What is there and is not what
   * its name says is set aside: a call may count on it, and another one shall not.
   */
  async function isFresh(path: string): Promise<boolean> {
    const file = await keptAt(path);
    if (file === undefined) return false;
    if (file !== "damaged" && file.hash === nameToHash(baseName(path))) {
      return clock.now() - file.stat.mtimeMs < graceMs / 2;
    }
    await options.setAside(path);
    return false;
  }

  async function write(path: string, bytes: Uint8Array, how: WriteOptions): Promise<void> {
    const put = async (): Promise<unknown> =>
      await fs.writeAtomic(path, bytes, { mode: 0o600, ...how });
    try {
      await put();
    } catch (error) {
      if (!isMissing(error)) throw error;
      await makeFolder(fs, parentPath(path), options.setAside);
      await put();
    }
    written += bytes.length;
  }

  async function filesIn(path: string): Promise<readonly string[]> {
    const names: string[] = [];
    try {
      for await (const { name, kind } of fs.list(path)) if (kind === "file") names.push(name);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return names;
  }

  /** A stored file, whatever it holds. */
  async function keptAt(path: string): Promise<HostFile | "damaged" | undefined> {
    try {
      return await fs.readFile(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (ToolError.is(error)) return "damaged";
      throw error;
    }
  }

  /** What this process stored is stored again where somebody removed it meanwhile. */
  async function stillThere(before: Promise<void>, hash: string, bytes: Uint8Array): Promise<void> {
    await before;
    const stat = await statOf(fs, pathOf(directory, hash)).catch(() => undefined);
    if (stat?.size !== bytes.length) await keepAsFile(hash, bytes);
  }

  /** Waits for the disk a few times, however many they are. */
  async function storeTogether(contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const files = Array.from(contents, ([hash, bytes]) => ({
      path: pathOf(directory, hash),
      bytes,
    }));
    const last = files.pop();
    await flushTogether(
      files,
      async ({ path, bytes }, how) => {
        if (!(await isFresh(path))) await write(path, bytes, how);
      },
      { fs, sizeOf: ({ bytes }) => bytes.length },
    );
    // The names of all are on the disk with that of the last: they stand in one directory.
    if (last !== undefined) await write(last.path, last.bytes, { durable: true });
  }

  function keepAsFiles(contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const storing = storeTogether(contents);
    for (const hash of contents.keys()) known.set(hash, { storing, at: clock.now() });
    storing.catch(() => {
      for (const hash of contents.keys()) known.delete(hash);
    });
    return storing;
  }

  function knownOf(hash: string): Promise<void> | undefined {
    const before = known.get(hash);
    const isKnown = before !== undefined && clock.now() - before.at < graceMs / 2;
    return isKnown ? before.storing : undefined;
  }

  function keepAsFile(hash: string, bytes: Uint8Array): Promise<void> {
    const storing = store(pathOf(directory, hash), bytes);
    known.set(hash, { storing, at: clock.now() });
    storing.catch(() => known.delete(hash));
    return storing;
  }

  async function keepLeftAsFile(hash: string, bytes: Uint8Array): Promise<void> {
    if (known.has(hash)) return;
    const path = pathOf(leftDirectory, hash);
    const stat = await statOf(fs, path);
    if (stat?.size === bytes.length) return;
    // One that a killed process wrote in part; what is appended has to be the whole.
    if (stat !== undefined) await fs.remove(path);
    await fs.append(path, bytes);
    written += bytes.length;
  }

  function isInSegment(hash: string): boolean {
    return inSegment.segment === log.current && inSegment.hashes.has(hash);
  }

  async function fromLog(hash: string, isAgain = false): Promise<Uint8Array | undefined> {
    const place = index.contents.get(hash);
    if (place !== undefined) {
      const bytes = await contentAt(log, place);
      if (bytes !== undefined && (await hashOf(bytes)) === hash) return bytes;
    }
    if (isAgain) return undefined;
    // It may have been added since, or stand elsewhere now.
    await index.refresh();
    return fromLog(hash, true);
  }

  return {
    batch() {
      const lines: string[] = [];
      const hashes = new Set<string>();
      const storing: Promise<void>[] = [];
      let waiting = new Map<string, Uint8Array>();
      let waitingBytes = 0;
      const add = (stored: Promise<void>): void => {
        // Met where all of them are waited for.
        stored.catch(() => undefined);
        storing.push(stored);
      };
      const storeWaiting = (): void => {
        if (waiting.size > 0) add(keepAsFiles(waiting));
        waiting = new Map();
        waitingBytes = 0;
      };
      let room = maxBatchBytes;
      /** Whether it is, or will be, a line of the log. */
      const isLine = (hash: string, bytes: Uint8Array): boolean => {
        if (hashes.has(hash) || isInSegment(hash)) return true;
        if (bytes.length > maxInlineBytes || bytes.length > room) return false;
        room -= bytes.length;
        hashes.add(hash);
        lines.push(contentLine(hash, bytes));
        return true;
      };
      return {
        lines,
        put(hash, bytes) {
          if (isLine(hash, bytes)) return;
          const before = knownOf(hash);
          if (before !== undefined || storing.length < maxSingly) {
            add(before === undefined ? keepAsFile(hash, bytes) : stillThere(before, hash, bytes));
            return;
          }
          waiting.set(hash, bytes);
          waitingBytes += bytes.length;
          if (waitingBytes > maxWaitingBytes) storeWaiting();
        },
        async putLeft(hash, bytes) {
          if (!isLine(hash, bytes)) await keepLeftAsFile(hash, bytes);
        },
        async stored() {
          storeWaiting();
          if (storing.length > 0) await Promise.all(storing);
        },
        written() {
          if (inSegment.segment !== log.current) {
            inSegment = { segment: log.current, hashes: new Set() };
          }
          for (const hash of hashes) inSegment.hashes.add(hash);
        },
      };
    },
    async get(hash) {
      if (!isContentHash(hash)) return undefined;
      const inline = await fromLog(hash);
      if (inline !== undefined) return inline;
      const kept = [
        await keptAt(pathOf(directory, hash)),
        await keptAt(pathOf(leftDirectory, hash)),
      ];
      const found = kept.find(
        (each) => each !== undefined && each !== "damaged" && each.hash === hash,
      );
      if (found !== undefined && found !== "damaged") return found.bytes;
      const isThere = kept.some((each) => each !== undefined);
      if (!isThere && !index.contents.has(hash) && !index.damage.contents.has(hash))
        return undefined;
      throw damagedContent(hash);
    },
    reset() {
      known.clear();
      inSegment = { segment: undefined, hashes: new Set() };
    },
    async sweep(isKept, dryRun = false) {
      const lines = await sweepLog({ log, index, witness }, isKept, dryRun);
      let { blobs, bytes } = lines;
      const paths: string[] = [];
      for (const each of [directory, leftDirectory]) {
        for (const name of await filesIn(each)) paths.push(joinPath(each, name));
      }
      for (const path of paths) {
        const hash = nameToHash(baseName(path));
        if (isKept(hash)) continue;
        const stat = await statOf(fs, path);
        if (stat === undefined || clock.now() - stat.mtimeMs < graceMs) continue;
        if (!dryRun) {
          known.delete(hash);
          await fs.remove(path);
        }
        blobs += 1;
        bytes += stat.size;
      }
      return { blobs, bytes };
    },
    takeWritten() {
      const taken = written;
      written = 0;
      return taken;
    },
  };
}

async function contentAt(log: JournalLog, place: LogEntry): Promise<Uint8Array | undefined> {
  try {
    return contentOfLine(await log.lineAt(place));
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest("SHA-256", Uint8Array.from(bytes));
  return `sha256:${Buffer.from(digest).toString("hex")}`;
}

async function statOf(
  fs: HostFs,
  path: string,
): Promise<{ size: number; mtimeMs: number } | undefined> {
  try {
    return await fs.stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function damagedContent(hash: string): ToolError {
  return new ToolError("UNAVAILABLE", "The journal's copy of a file is damaged.", {
    hint: "This content cannot be restored; the other files of the call can, with force.",
    data: { hash },
    retryable: false,
  });
}

/** A colon is no part of a file name everywhere. */
function pathOf(directory: string, hash: string): string {
  return joinPath(directory, hash.replace(":", "-"));
}

function nameToHash(name: string): string {
  return name.replace("-", ":");
}
