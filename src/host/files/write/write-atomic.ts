import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchown,
  fstatSync,
  openSync,
  rename,
  renameSync,
  unlinkSync,
  write,
  writeSync,
  type BigIntStats,
} from "node:fs";
import { link, open, unlink } from "node:fs/promises";
import { baseName, draftName, joinPath, parentPath } from "../../../text/index.ts";
import {
  ToolError,
  type HostStat,
  type WriteDraft,
  type WriteOptions,
} from "../../../core/index.ts";
import { throwIfAborted } from "../../aborted.ts";
import { contentHash } from "../content-hash.ts";
import { errnoOf, fileError } from "../file-error.ts";
import { staleError } from "./write-conflict.ts";
import {
  assertFile,
  holdEntry,
  holdParent,
  hostStat,
  statsAt,
  type HeldNode,
} from "../open-path.ts";
import { flushedFile, isInMemory } from "./is-memory-backed.ts";
import { ownDraftMark } from "../../processes/own-process.ts";
import { memoryForSmall, openForReading, readSmall, readToEnd } from "../read-bytes.ts";

/**
 * Replaces or creates a file in one step: a draft next to it, flushed to disk, is renamed to its name. The file system
 * decides when the new name reaches the disk, unless the write is durable: after a crash of the machine the old file
 * may be back, complete.
 *
 * The content is compared with `ifMatch` right before the rename. If the comparison takes long, the stats are checked
 * again, and no other code of this process runs between that check and the rename. A write by another process is lost
 * if it happens within those microseconds, or if it is the second one within one tick of the file system's clock; the
 * operating system has no conditional rename. Mode and owner are preserved; extended attributes and hard links are not.
 */
export async function writeAtomic(
  path: string,
  data: Uint8Array,
  options: LocalWriteOptions = {},
): Promise<HostStat & { readonly hash: string }> {
  const { parent, at } = holdParent(path);
  try {
    const existing = statsAt(at);
    if (existing !== undefined) {
      assertFile(path, existing);
      if (options.ifMatch === null) throw fileError("EEXIST", path);
      // Renaming does not require permission to write the file itself, so check it here.
      accessSync(at, constants.W_OK);
    } else if (typeof options.ifMatch === "string")
      throw staleError(path, options.ifMatch, undefined);
    const target: Target = { path, parent, at, existing };
    const { stats, hash } = await writeDraft(target, data, options);
    if (options.durable === true) await flushDirectory(parent);
    return { ...hostStat(path, stats), hash };
  } finally {
    parent.close();
  }
}

export interface LocalWriteOptions extends WriteOptions {
  /** Content that may match `ifMatch`: comparing with it takes less time than hashing the file. */
  readonly known?: KnownContent;
}

export interface KnownContent {
  /** Whether this content has that hash; false also if its hash is unknown. */
  isNamed(content: Uint8Array, hash: string): boolean;
}

interface Target {
  readonly path: string;
  readonly parent: HeldNode;
  /** Path to use for the entry in its opened parent directory. */
  readonly at: string;
  readonly existing: BigIntStats | undefined;
}

async function writeDraft(
  target: Target,
  data: Uint8Array,
  options: LocalWriteOptions,
): Promise<{ readonly stats: BigIntStats; readonly hash: string }> {
  const draft = draftIn(target.parent, target.path);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  // Until it is complete, the draft of a private file must not be readable by other users.
  const isPublic = target.existing === undefined && options.mode === undefined;
  const descriptor = openSync(draft, flags, isPublic ? 0o666 : 0o600);
  let replaced: HeldNode | undefined;
  try {
    await writeAll(descriptor, data);
    await keepOwnerAndMode(descriptor, target, options);
    const safe = flushed(options.hold, {
      path: joinPath(parentPath(target.path), baseName(draft)),
      flush: () => {
        const { dev } = target.existing ?? target.parent.stats;
        return flushedFile(descriptor, isInMemory(dev, target.parent.path));
      },
    });
    // Hashed while the flush is in progress.
    const hash = contentHash(data);
    await safe;
    throwIfAborted(options.signal);
    const { ifMatch, known } = options;
    if (typeof ifMatch === "string") replaced = await unchanged(target, { hash: ifMatch, known });
    if (ifMatch === null) await takeNewName(draft, target, data);
    else if (data.length <= writtenAtOnce && isSmall(target)) renameSync(draft, target.at);
    else if (typeof ifMatch === "string" && replaced !== undefined) {
      for (let again = 1; !isStill(target, replaced); again += 1) {
        replaced.close();
        replaced = undefined;
        throwIfAborted(options.signal);
        if (again > maxComparisons) throw restlessError(target.path);
        replaced = await unchanged(target, { hash: ifMatch, known });
      }
      // The old file is still open, so the rename frees nothing and is quick, whatever its size.
      renameSync(draft, target.at);
    } else await done((settle) => rename(draft, target.at, settle));
    return { stats: fstatSync(descriptor, { bigint: true }), hash };
  } catch (error) {
    removeDraft(draft);
    throw error;
  } finally {
    closeSync(descriptor);
    // While the old file is open, nothing of it is freed: that takes longer than the rename, and no caller waits for
    // it.
    replaced?.closeLater();
  }
}

/** Maximum number of bytes written synchronously, which costs less than a trip to another thread. */
const writtenAtOnce = 65_536;

/**
 * Maximum number of comparisons, in case a process keeps writing the file or its file system reports a different time
 * on each read.
 */
const maxComparisons = 20;

/** Whether the replaced file is small: a rename frees its space, which takes time for a large file. */
function isSmall({ existing }: Target): boolean {
  return existing === undefined || existing.size <= BigInt(writtenAtOnce);
}

async function writeAll(descriptor: number, data: Uint8Array): Promise<void> {
  for (let at = 0; at < data.length;) {
    const left = data.length - at;
    at +=
      left <= writtenAtOnce
        ? writeSync(descriptor, data, at, left)
        : await new Promise<number>((resolve, reject) => {
            write(descriptor, data, at, left, null, (error, count) =>
              error === null ? resolve(count) : reject(error),
            );
          });
  }
}

/** Runs a file system call on another thread. */
async function done(start: (settle: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === null ? resolve() : reject(error)));
  });
}

/** Waits for the caller that holds the draft back; once it returns, no flush of the draft is in progress. */
async function flushed(hold: WriteOptions["hold"], draft: WriteDraft): Promise<void> {
  if (hold === undefined) return await draft.flush();
  let flushing: Promise<void> | undefined;
  try {
    await hold({ path: draft.path, flush: () => (flushing ??= draft.flush()) });
  } finally {
    await flushing?.catch(() => undefined);
  }
}

function removeDraft(draft: string): void {
  try {
    unlinkSync(draft);
  } catch {
    // The draft was renamed, or never created.
  }
}

async function keepOwnerAndMode(
  descriptor: number,
  { path, existing }: Target,
  { mode }: WriteOptions,
): Promise<void> {
  if (existing === undefined) {
    if (mode !== undefined) fchmodSync(descriptor, mode);
    return;
  }
  // These calls take microseconds; a trip to another thread takes ten times as long.
  const made = fstatSync(descriptor);
  const [uid, gid] = [Number(existing.uid), Number(existing.gid)];
  if (made.uid !== uid || made.gid !== gid) {
    await done((settle) => fchown(descriptor, uid, gid, settle)).catch((cause: unknown) => {
      throw new ToolError("ACCESS_DENIED", `${path} belongs to someone else.`, {
        hint: "Replacing it would change its owner; ask the user to make the change.",
        data: { path },
        cause,
      });
    });
  }
  // Set after the owner, because changing the owner clears the set-user-ID bits.
  fchmodSync(descriptor, Number(existing.mode & 0o7777n));
}

interface Expected {
  readonly hash: string;
  readonly known: KnownContent | undefined;
}

/** Opens the file to be replaced and verifies its content. */
async function unchanged({ path, parent }: Target, expected: Expected): Promise<HeldNode> {
  const held = entryOf(parent, path);
  if (held === undefined) throw staleError(path, expected.hash, undefined);
  try {
    const found = await hashOf(path, held, expected);
    if (found !== expected.hash) throw staleError(path, expected.hash, found);
    return held;
  } catch (error) {
    held.close();
    throw error;
  }
}

/** Whether the file was neither written nor replaced since it was opened; reading it does not count. */
function isStill({ at }: Target, { stats }: HeldNode): boolean {
  const now = statsAt(at);
  const isSame = now?.dev === stats.dev && now.ino === stats.ino;
  // The kernel sets the change time; programs can set the modification time to any value.
  return isSame && now.ctimeNs === stats.ctimeNs;
}

function restlessError(path: string): ToolError {
  return new ToolError("UNAVAILABLE", `${path} keeps changing.`, {
    hint: "End the program that changes it, then try again.",
    data: { path },
    retryable: true,
  });
}

function entryOf(parent: HeldNode, path: string): HeldNode | undefined {
  try {
    return holdEntry(parent, baseName(path));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function hashOf(path: string, held: HeldNode, expected: Expected): Promise<string> {
  const descriptor = openForReading(path, held);
  try {
    const reading = { path, size: Number(held.stats.size), maxBytes: undefined };
    const small = readSmall(descriptor, reading, memoryForSmall());
    if (small === undefined) return contentHash(await readToEnd(descriptor, reading));
    return expected.known?.isNamed(small, expected.hash) === true
      ? expected.hash
      : contentHash(small);
  } finally {
    closeSync(descriptor);
  }
}

/** Links the draft to its final name unless that exists: of two writers one wins, even in different processes. */
async function takeNewName(draft: string, target: Target, data: Uint8Array): Promise<void> {
  try {
    await link(draft, target.at);
    await unlink(draft);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "")) {
      throw error;
    }
    // No hard links on this file system: create the file exclusively in place, and remove it if that fails.
    await unlink(draft);
    await writeInPlace(target.at, data);
  }
}

async function writeInPlace(at: string, data: Uint8Array): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(at, flags, 0o666);
  try {
    await handle.writeFile(data);
    await handle.sync();
  } catch (error) {
    await unlink(at).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

/** Flushes the directory, so that the new name survives a crash; a system that does not support this is tolerated. */
async function flushDirectory(parent: HeldNode): Promise<void> {
  try {
    const handle = await open(parent.path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The content is on disk under its name; the write cannot be undone any more.
  }
}

/** Path of the draft: next to the file, under a unique name. */
export function draftIn(parent: HeldNode, path: string): string {
  return parent.entry(draftName(baseName(path), randomToken()));
}

const tokenBytes = 6;
/** Random bytes for many names at once: a few bytes cost as much. */
let random = Buffer.alloc(0);
let used = 0;

/**
 * 18 hexadecimal digits: the first 6 identify the writing process, in case it is killed; the others are unpredictable.
 */
function randomToken(): string {
  if (used === random.length) {
    random = process.getBuiltinModule("node:crypto").randomBytes(tokenBytes * 64);
    used = 0;
  }
  used += tokenBytes;
  return `${ownDraftMark()}${random.toString("hex", used - tokenBytes, used)}`;
}
