import { baseName, isNotFound, joinPath, parentPath } from "../../text/index.ts";
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
import { flushTogether } from "../apply/batch-flush.ts";
import { sweepLog, type Swept, type SweptLog } from "./compact.ts";

/**
 * Contents that a record is about to reference. Small ones are written with it, in one append; large ones as files at
 * once.
 */
export interface ContentBatch extends InlineContents {
  put(hash: string, bytes: Uint8Array): void;
  /** Stores a content that only explains a change: the state after a call. It may be lost in a machine crash. */
  putLeft(hash: string, bytes: Uint8Array): Promise<void>;
  /** Resolves when every content outside the log is durable. */
  stored(): Promise<void>;
  /** Must be called when the lines are in the log. */
  written(): void;
}

/** Contents by hash. */
export interface BlobStore {
  batch(): ContentBatch;
  /** Undefined if it is not stored; UNAVAILABLE if it is damaged. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** Clears the memory of stored contents. */
  reset(): void;
  /**
   * Removes contents that `isKept` does not name and that are too old to belong to an active call. A dry run only
   * counts them.
   */
  sweep(isKept: (hash: string) => boolean, dryRun?: boolean): Promise<Swept>;
  /** Bytes written to files since the previous call. */
  takeWritten(): number;
}

export interface BlobStoreOptions {
  readonly fs: HostFs;
  /** Directory of large contents. */
  readonly directory: string;
  /** Directory of large contents that only explain; they never count as durable ones. */
  readonly leftDirectory: string;
  readonly clock: Pick<HostClock, "now">;
  readonly log: JournalLog;
  readonly index: LogIndex;
  readonly witness: SweptLog["witness"];
  /** Moves a damaged file to the directory of damaged files; false if that fails. */
  readonly setAside: (path: string) => Promise<boolean>;
}

/**
 * Content written or used within this time is never removed: a call of another process may be about to reference it.
 */
const graceMs = 60 * 60 * 1000;

/** Maximum number of content bytes in the lines of one record; the rest goes to files. */
const maxBatchBytes = 512 * 1024;

/** Maximum number of files of a batch that are stored singly; further ones are stored together. */
const maxSingly = 16;
/** Maximum number of bytes buffered before files are stored together. */
const maxWaitingBytes = 16 * 1024 * 1024;

export function blobStore(options: BlobStoreOptions): BlobStore {
  const { fs, directory, leftDirectory, clock, log, index, witness } = options;
  /** Contents that this process stored as durable files, or is storing, with the time. */
  const known = new Map<string, { readonly storing: Promise<void>; readonly at: number }>();
  /** Contents that this process added to the current segment: the next flush makes them durable too. */
  let inSegment: { readonly segment: string | undefined; readonly hashes: Set<string> } = {
    segment: undefined,
    hashes: new Set(),
  };
  let written = 0;

  async function store(path: string, bytes: Uint8Array): Promise<void> {
    if (!(await isFresh(path))) await write(path, bytes, { durable: true });
  }

  /**
   * Whether a file has the content and is recent. An older one is written again, which renews its time before it could
   * be removed. A file whose content does not match its name is set aside: a call may rely on it, and no other call
   * shall.
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
      if (!isNotFound(error)) throw error;
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
      if (!isNotFound(error)) throw error;
    }
    return names;
  }

  /** A stored file, whatever its content. */
  async function keptAt(path: string): Promise<HostFile | "damaged" | undefined> {
    try {
      return await fs.readFile(path);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (ToolError.is(error)) return "damaged";
      throw error;
    }
  }

  /** Stores a content again if another process has removed its file since. */
  async function stillThere(before: Promise<void>, hash: string, bytes: Uint8Array): Promise<void> {
    await before;
    const stat = await statOf(fs, pathOf(directory, hash)).catch(() => undefined);
    if (stat?.size !== bytes.length) await keepAsFile(hash, bytes);
  }

  /** Stores files together, with few waits for the disk. */
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
    // All files are in one directory, so making the last name durable covers the others.
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
    // A killed process wrote only a part: start over, because the content is appended.
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
    // It may have been added since, or moved to another offset.
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
        // Handled in `stored`, which waits for all of them.
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
    if (isNotFound(error)) return undefined;
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

/** A colon is not allowed in file names on every file system. */
function pathOf(directory: string, hash: string): string {
  return joinPath(directory, hash.replace(":", "-"));
}

function nameToHash(name: string): string {
  return name.replace("-", ":");
}
