import {
  closeSync,
  constants,
  lstatSync,
  opendirSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Dir,
} from "node:fs";
import { link, open, readlink, rename, rmdir, symlink, unlink } from "node:fs/promises";
import { baseName, isWithin } from "../../text/index.ts";
import {
  ToolError,
  type HostAppender,
  type HostEntry,
  type HostFile,
  type HostFs,
  type HostOptions,
  type HostStat,
  type LocatedPath,
  type ReadOptions,
  type WriteOptions,
} from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { contentHash } from "./content-hash.ts";
import { errnoOf, fileError, rethrowFileError } from "./file-error.ts";
import { absolutePath, resolveLinks } from "./resolve-links.ts";
import { changeMode, changeModified } from "./write/change-node.ts";
import { flushFiles } from "./write/flush-files.ts";
import {
  allClosed,
  assertFile,
  holdDirectory,
  openNode,
  holdParent,
  hostStat,
  nodeOf,
  entryKind,
  kindOf,
  placeBehind,
  statsAt,
  type HeldNode,
} from "./open-path.ts";
import type { LocalAppender } from "./write/local-appender.ts";
import { makeDirectory } from "./write/make-directory.ts";
import { moveAcross } from "./write/copy-and-remove.ts";
import { LargeReadCache, SmallReadCache } from "./read-cache.ts";
import { PathLocks } from "./write/path-locks.ts";
import {
  openForReading,
  readPart,
  readPieces,
  readReusedPieces,
  readSmall,
  readToEnd,
} from "./read-bytes.ts";
import { removeTree } from "./write/remove-tree.ts";
import type { writeAtomic } from "./write/write-atomic.ts";

/** Number of entries of a directory that are read at a time. */
const blockEntries = 256;

/** The real file system. Every operation reaches its file by a walk that follows no link. */
export class LocalFs implements HostFs {
  readonly #locks = new PathLocks();
  readonly #appenders = new Set<LocalAppender>();
  readonly #lastLarge = new LargeReadCache();
  readonly #lastSmall = new SmallReadCache();
  /** Loaded on the first write, because many hosts never write. */
  #write: typeof writeAtomic | undefined;

  async canonical(
    path: string,
    options?: HostOptions & { readonly base?: string },
  ): Promise<string> {
    return located(path, options).path;
  }

  async locate(
    path: string,
    options?: HostOptions & { readonly base?: string },
  ): Promise<LocatedPath> {
    return located(path, options);
  }

  async stat(path: string, options?: HostOptions): Promise<HostStat> {
    throwIfAborted(options?.signal);
    const held = openNode(path);
    held.close();
    return hostStat(path, held.stats);
  }

  async readFile(path: string, options?: ReadOptions): Promise<HostFile> {
    const beganMs = Date.now();
    throwIfAborted(options?.signal);
    const held = openNode(path);
    let descriptor: number | undefined;
    try {
      descriptor = openForReading(path, held);
      const { stats } = held;
      const stat = hostStat(path, stats);
      const { maxBytes = Infinity } = options ?? {};
      const last = stat.size <= maxBytes ? this.#lastLarge.of(stat.version) : undefined;
      if (last !== undefined) return { ...last, stat };
      const reading = { path, size: stat.size, maxBytes, signal: options?.signal };
      // Every call reads up to four files, most of them small, and a promise would cost more than such a read.
      const bytes = readSmall(descriptor, reading) ?? (await readToEnd(descriptor, reading));
      const hash = contentHash(bytes);
      this.#lastLarge.keep({ bytes, hash }, stat.version, { stats, beganMs });
      this.#lastSmall.keep({ bytes, hash });
      return { bytes, stat, hash };
    } catch (error) {
      return rethrowFileError(error, path);
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
      held.close();
    }
  }

  async readRange(
    path: string,
    range: { readonly offset: number; readonly length: number },
    options?: HostOptions,
  ): Promise<Uint8Array> {
    return withFile(path, options, async (descriptor, held) =>
      readPart(descriptor, range, Number(held.stats.size)),
    );
  }

  async *open(
    path: string,
    options?: HostOptions & { readonly offset?: number; readonly reuse?: boolean },
  ): AsyncGenerator<Uint8Array> {
    throwIfAborted(options?.signal);
    const descriptor = openedFile(path);
    const read = options?.reuse === true ? readReusedPieces : readPieces;
    try {
      yield* read(descriptor, options?.offset ?? 0, options?.signal);
    } catch (error) {
      rethrowFileError(error, path);
    } finally {
      closeSync(descriptor);
    }
  }

  async writeAtomic(
    path: string,
    data: Uint8Array,
    options?: WriteOptions,
  ): Promise<HostStat & { readonly hash: string }> {
    // Writers of this process take turns, so that of two with the same `ifMatch` only one succeeds.
    return this.#locks.run(path, async () => {
      throwIfAborted(options?.signal);
      try {
        this.#write ??= (await import("./write/writing.ts")).writeAtomic;
        return await this.#write(path, data, { ...options, known: this.#lastSmall });
      } catch (error) {
        return rethrowFileError(error, path);
      }
    });
  }

  async append(path: string, data: Uint8Array, options?: HostOptions): Promise<void> {
    throwIfAborted(options?.signal);
    await withParent(path, async (_parent, at) => {
      const existing = statsAt(at);
      if (existing !== undefined) assertFile(path, existing);
      const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
      const handle = await open(at, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o666);
      try {
        assertFile(path, await handle.stat({ bigint: true }));
        await handle.writeFile(data);
      } finally {
        await handle.close();
      }
    });
  }

  async *list(path: string, options?: HostOptions): AsyncGenerator<HostEntry> {
    throwIfAborted(options?.signal);
    const held = holdDirectory(path);
    let directory: Dir | undefined;
    try {
      directory = opendirSync(held.path, { bufferSize: blockEntries });
      for (let count = 0; ; count += 1) {
        // Most directories have few entries, which take less time than a thread needs to answer.
        const entry = count < blockEntries ? directory.readSync() : await directory.read();
        if (entry === null) return;
        throwIfAborted(options?.signal);
        yield { name: entry.name, kind: entryKind(entry, held) };
      }
    } catch (error) {
      rethrowFileError(error, path);
    } finally {
      directory?.closeSync();
      held.close();
    }
  }

  async mkdir(path: string, options?: HostOptions & { readonly mode?: number }): Promise<void> {
    throwIfAborted(options?.signal);
    try {
      makeDirectory(path, options?.mode);
    } catch (error) {
      rethrowFileError(error, path);
    }
  }

  async remove(
    path: string,
    options?: HostOptions & { readonly recursive?: boolean },
  ): Promise<void> {
    throwIfAborted(options?.signal);
    if (path === "/") throw fileError("EACCES", path);
    await withParent(path, async (parent, at) => {
      const existing = statsAt(at);
      if (existing === undefined) throw fileError("ENOENT", path);
      if (!existing.isDirectory()) await unlink(at);
      else if (options?.recursive === true) {
        await removeTree(parent, baseName(path), options.signal);
      } else throw fileError("EISDIR", path);
    });
  }

  async removeEmpty(path: string, options?: HostOptions): Promise<boolean> {
    throwIfAborted(options?.signal);
    return withParent(path, async (_parent, at) => {
      try {
        await rmdir(at);
        return true;
      } catch (error) {
        const errno = errnoOf(error);
        if (errno === "ENOTEMPTY" || errno === "EEXIST") return false;
        throw error;
      }
    });
  }

  async move(from: string, to: string, options?: HostOptions): Promise<void> {
    throwIfAborted(options?.signal);
    await withParent(from, async (_fromParent, source) => {
      const moved = statsAt(source);
      if (moved === undefined) throw fileError("ENOENT", from);
      if (from === to) return;
      if (moved.isDirectory() && isWithin(from, to)) throw fileError("EINVAL", to);
      await withParent(to, async (parent, target) => {
        const replaced = statsAt(target);
        if (replaced?.isDirectory() === true) throw fileError("EISDIR", to);
        if (replaced !== undefined && moved.isDirectory()) throw fileError("ENOTDIR", to);
        await rename(source, target).catch(async (error: unknown) => {
          if (errnoOf(error) !== "EXDEV" || !moved.isFile()) throw error;
          const { draftIn } = await import("./write/write-atomic.ts");
          await moveAcross(source, target, draftIn(parent, to));
        });
      });
    });
  }

  async readLink(path: string, options?: HostOptions): Promise<string> {
    throwIfAborted(options?.signal);
    return withParent(path, async (_parent, at) => {
      const existing = statsAt(at);
      if (existing === undefined) throw fileError("ENOENT", path);
      if (existing.isSymbolicLink()) return readlink(at);
      throw new ToolError("INVALID_INPUT", `${path} is not a symbolic link.`, {
        data: { path, kind: kindOf(existing) },
      });
    });
  }

  async makeLink(path: string, target: string, options?: HostOptions): Promise<void> {
    throwIfAborted(options?.signal);
    await withParent(path, (_parent, at) => symlink(target, at));
  }

  async addName(
    path: string,
    file: { readonly path: string; readonly node: string },
  ): Promise<boolean> {
    return await withParent(file.path, async (_fileParent, source) => {
      const stats = statsAt(source);
      if (stats?.isFile() !== true || nodeOf(stats) !== file.node) return false;
      await withParent(path, async (_parent, at) => link(source, at));
      return true;
    });
  }

  async setMode(path: string, mode: number, options?: HostOptions): Promise<void> {
    throwIfAborted(options?.signal);
    changeMode(path, mode);
  }

  async setModified(path: string, mtimeMs: number, options?: HostOptions): Promise<void> {
    throwIfAborted(options?.signal);
    changeModified(path, mtimeMs);
  }

  async flush(paths: readonly string[], options?: HostOptions): Promise<void> {
    await flushFiles(paths, options?.signal);
  }

  async appender(path: string, options?: HostOptions): Promise<HostAppender> {
    throwIfAborted(options?.signal);
    const { LocalAppender: Appender } = await import("./write/writing.ts");
    const appender = Appender.open(path, (closed) => this.#appenders.delete(closed));
    this.#appenders.add(appender);
    return appender;
  }

  /** Closes appenders that their callers did not close, and waits for descriptors that are being closed. */
  async dispose(): Promise<void> {
    await Promise.all([...Array.from(this.#appenders, (each) => each.close()), allClosed()]);
  }
}

function located(
  path: string,
  options: (HostOptions & { readonly base?: string }) | undefined,
): LocatedPath {
  throwIfAborted(options?.signal);
  const absolute = absolutePath(path, options?.base);
  try {
    const place = placeBehind(absolute);
    if (place !== undefined) return { ...place, exists: true };
    const real = realpathSync.native(absolute);
    return { path: real, exists: true, isFolder: statSync(real).isDirectory() };
  } catch (error) {
    // Something on the way is missing, circular or inaccessible: resolve the existing part link by link.
    const resolved = resolveLinks(absolute, (at) => linkTarget(at, absolute));
    return { path: resolved, exists: errnoOf(error) === "ENOENT" ? false : undefined };
  }
}

/** Target of a link; undefined for anything else, and for a missing path. */
function linkTarget(at: string, whole: string): string | undefined {
  try {
    // Neither a missing path nor a non-link throws, because most requested paths are one of these.
    const stats = lstatSync(at, { throwIfNoEntry: false });
    return stats?.isSymbolicLink() === true ? readlinkSync(at) : undefined;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EINVAL" || errno === "ENOENT" || errno === "ENOTDIR") return undefined;
    return rethrowFileError(error, whole);
  }
}

async function withParent<T>(
  path: string,
  work: (parent: HeldNode, at: string) => Promise<T>,
): Promise<T> {
  try {
    const { parent, at } = holdParent(path);
    try {
      return await work(parent, at);
    } finally {
      parent.close();
    }
  } catch (error) {
    return rethrowFileError(error, path);
  }
}

async function withFile<T>(
  path: string,
  options: HostOptions | undefined,
  work: (descriptor: number, held: HeldNode) => Promise<T>,
): Promise<T> {
  throwIfAborted(options?.signal);
  const held = openNode(path);
  try {
    const descriptor = openForReading(path, held);
    try {
      return await work(descriptor, held);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return rethrowFileError(error, path);
  } finally {
    held.close();
  }
}

function openedFile(path: string): number {
  const held = openNode(path);
  try {
    return openForReading(path, held);
  } catch (error) {
    return rethrowFileError(error, path);
  } finally {
    held.close();
  }
}
