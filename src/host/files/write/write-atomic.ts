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
import { ToolError, type HostStat, type WriteOptions } from "../../../core/index.ts";
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
 * Replaces or makes a file in one step: a draft beside it, flushed to disk, takes its name. When the name itself is
 * written is left to the file system unless it shall be durable: a crash of the machine may bring the old file back,
 * whole.
 *
 * The content is compared with `ifMatch` right before that, and what takes its time to be compared is looked at once
 * more: between that look and the renaming nothing else happens here. What another process writes in those microseconds,
 * or twice within one tick of the file system's clock, is lost; the operating system has no renaming under a condition.
 * Mode and owner are kept; extended attributes and hard links are not.
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
      // Renaming needs no leave to write the file itself, so that is asked for.
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
  /** Some content that may be the one `ifMatch` names: comparing with it takes less than naming what is there. */
  readonly known?: KnownContent;
}

export interface KnownContent {
  /** Whether this is the content of that name; false also where it is not known. */
  isNamed(content: Uint8Array, hash: string): boolean;
}

interface Target {
  readonly path: string;
  readonly parent: HeldNode;
  /** The path to use for it. */
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
  // Until it is complete, a draft of a private file must not be readable by others.
  const isPublic = target.existing === undefined && options.mode === undefined;
  const descriptor = openSync(draft, flags, isPublic ? 0o666 : 0o600);
  let replaced: HeldNode | undefined;
  try {
    await writeAll(descriptor, data);
    await keepOwnerAndMode(descriptor, target, options);
    // What is to be safe before the file changes gets there while the file does.
    const safe = bothSettled(
      options.makeSafe?.(joinPath(parentPath(target.path), baseName(draft))) ??
        flushedFile(descriptor, isInMemory(deviceOf(target), target.parent.path)),
      options.beforeVisible?.(),
    );
    // It is named while the disk is waited for.
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
      // As it is held, this frees nothing and is quick, whatever its size.
      renameSync(draft, target.at);
    } else await done((settle) => rename(draft, target.at, settle));
    return { stats: fstatSync(descriptor, { bigint: true }), hash };
  } catch (error) {
    removeDraft(draft);
    throw error;
  } finally {
    closeSync(descriptor);
    // As long as it is held, nothing of it is freed: that takes longer than the renaming, and nobody waits for it.
    replaced?.closeLater();
  }
}

function deviceOf({ existing, parent }: Target): bigint {
  return (existing ?? parent.stats).dev;
}

/** Up to this much is written at once, without a trip to another thread: it costs less than the trip. */
const writtenAtOnce = 65_536;

/** Who is at a file without end, or a file system that tells another time with each look, is not waited for. */
const maxComparisons = 20;

/** The system gives the room of what is replaced back while it renames, which takes time for much of it. */
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

/** A step that is taken on another thread. */
async function done(start: (settle: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === null ? resolve() : reject(error)));
  });
}

/** Neither is left under way when this ends: a flush needs the descriptor, which is closed then. */
async function bothSettled(
  one: Promise<unknown>,
  other: Promise<unknown> | undefined,
): Promise<void> {
  for (const each of await Promise.allSettled([one, other])) {
    if (each.status === "rejected") throw each.reason;
  }
}

function removeDraft(draft: string): void {
  try {
    unlinkSync(draft);
  } catch {
    // It has its name by now, or was never there.
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
  // Asking and setting take microseconds, and waiting for a thread to do it ten times as long.
  const made = fstatSync(descriptor);
  const [uid, gid] = [Number(existing.uid), Number(existing.gid)];
  if (made.uid !== uid || made.gid !== gid) {
    await done((settle) => fchown(descriptor, uid, gid, settle)).catch((cause: unknown) => {
      throw new ToolError("ACCESS_DENIED", `${path} belongs to someone else.`, {
        hint: "Replacing it would change its owner; ask the person to make the change.",
        data: { path },
        cause,
      });
    });
  }
  // After the owner, because changing that drops the set-user bits.
  fchmodSync(descriptor, Number(existing.mode & 0o7777n));
}

interface Expected {
  readonly hash: string;
  readonly known: KnownContent | undefined;
}

/** Holds the file to be replaced, which is still what it was. */
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

/** Whether nobody has written to it or put another one in its place since it was held; who only looked has not. */
function isStill({ at }: Target, { stats }: HeldNode): boolean {
  const now = statsAt(at);
  const isSame = now?.dev === stats.dev && now.ino === stats.ino;
  // The time of any change; what a program says of when it wrote is not asked.
  return isSame && now.ctimeNs === stats.ctimeNs;
}

function restlessError(path: string): ToolError {
  return new ToolError("UNAVAILABLE", `${path} is being changed all the time.`, {
    hint: "End what works on it, then try again.",
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

/** Gives the draft its name unless that exists: of two writers one wins, also from two programs. */
async function takeNewName(draft: string, target: Target, data: Uint8Array): Promise<void> {
  try {
    await link(draft, target.at);
    await unlink(draft);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "")) {
      throw error;
    }
    // No hard links here: what is exclusive is then written in place, and taken back if that fails.
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

/** The new name is sure to survive a crash once its directory is on disk; a system that cannot do that is left alone. */
async function flushDirectory(parent: HeldNode): Promise<void> {
  try {
    const handle = await open(parent.path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The content is on disk and the name is right; nothing can be taken back any more.
  }
}

/** Where the draft of a file is written: beside it, under a name nobody else uses. */
export function draftIn(parent: HeldNode, path: string): string {
  return parent.entry(draftName(baseName(path), randomToken()));
}

const tokenBytes = 6;
/** Fetched for many names at once: a few bytes take as long. */
let random = Buffer.alloc(0);
let used = 0;

/** 18 hex digits: the first 6 say which process wrote it, for the case that it is killed; the others nobody can foresee. */
function randomToken(): string {
  if (used === random.length) {
    random = process.getBuiltinModule("node:crypto").randomBytes(tokenBytes * 64);
    used = 0;
  }
  used += tokenBytes;
  return `${ownDraftMark()}${random.toString("hex", used - tokenBytes, used)}`;
}
