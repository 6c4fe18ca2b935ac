import {
  close,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  type BigIntStats,
} from "node:fs";
import { baseName, parentPath } from "../../text/index.ts";
import { type HostStat } from "../../core/index.ts";
import { errnoOf, fileError, rethrowFileError } from "./file-error.ts";

/** Opens a place in the file system without opening what stands there: no read, no write, no waiting. */
const O_PATH = 0o10000000;

/** Whether an open descriptor can be used as a path, which is what makes a walk without links possible. */
const canHold = process.platform === "linux" && existsSync("/proc/self/fd");

/**
 * What stands at a canonical path, held so that renaming or replacing it changes nothing any more.
 * Elsewhere than on Linux nothing can be held: every component is looked at just before it is used.
 */
export class HeldNode {
  /** A path that leads to exactly this node. */
  readonly path: string;
  readonly #descriptor: number | undefined;
  #stats: BigIntStats | undefined;

  constructor(path: string, descriptor: number | undefined, stats: BigIntStats | undefined) {
    this.#stats = stats;
    this.#descriptor = descriptor;
    this.path = descriptor === undefined ? path : `/proc/self/fd/${descriptor}`;
  }

  /** What it was when it was held; of a directory, when that is first asked, which must be before it is closed. */
  get stats(): BigIntStats {
    this.#stats ??=
      this.#descriptor === undefined
        ? lstatSync(this.path, { bigint: true })
        : fstatSync(this.#descriptor, { bigint: true });
    return this.#stats;
  }

  /** The same node as another process of ours sees it. */
  get outsidePath(): string {
    if (this.#descriptor === undefined) return this.path;
    return `/proc/${process.pid}/fd/${this.#descriptor}`;
  }

  /** What tells it from every other, for who reaches it by another way. */
  get identity(): { readonly dev: string; readonly ino: string } {
    return { dev: String(this.stats.dev), ino: String(this.stats.ino) };
  }

  /** A path to the entry of this name, in exactly this directory. */
  entry(name: string): string {
    return this.path === "/" ? `/${name}` : `${this.path}/${name}`;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  /**
   * The same on another thread, for what may take long; `allClosed` waits for it. Only once whoever is at work has done:
   * to wake a thread takes as long as a dozen calls of the system. Who never pauses is not let run out of descriptors.
   */
  closeLater(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    if (closing.size >= maxClosing) {
      closeSync(descriptor);
      return;
    }
    const closed = new Promise<void>((resolve) => {
      setImmediate(() => close(descriptor, () => resolve()));
    });
    closing.add(closed);
    void closed.then(() => closing.delete(closed));
  }
}

const closing = new Set<Promise<void>>();
const maxClosing = 32;

/** Resolves when everything is closed that was to be closed later. */
export async function allClosed(): Promise<void> {
  await Promise.all(closing);
}

/** Holds what stands at a canonical path. A link at its end is held itself; one on the way is PATH_CHANGED. */
export function holdNode(path: string): HeldNode {
  try {
    if (!canHold) return new HeldNode(path, undefined, statsWithoutLinks(path));
    return heldFrom(path, openInPlace(path) ?? walk(path));
  } catch (error) {
    return rethrowFileError(error, path);
  }
}

/** Holds a directory; anything else there is an error. */
export function holdDirectory(path: string): HeldNode {
  const inPlace = directoryInPlace(path);
  if (inPlace !== undefined) return new HeldNode(path, inPlace, undefined);
  const held = holdNode(path);
  if (held.stats.isDirectory()) return held;
  held.close();
  throw fileError(held.stats.isSymbolicLink() ? "ELOOP" : "ENOTDIR", path);
}

/** Holds the directory an entry is in. */
export function holdParent(path: string): { readonly parent: HeldNode; readonly at: string } {
  const parent = holdDirectory(parentPath(path));
  return { parent, at: path === "/" ? parent.path : parent.entry(baseName(path)) };
}

/** Holds the entry of a held directory. */
export function holdEntry(parent: HeldNode, name: string): HeldNode {
  const at = parent.entry(name);
  if (!canHold) return new HeldNode(at, undefined, lstatSync(at, { bigint: true }));
  return heldFrom(at, openSync(at, O_PATH | constants.O_NOFOLLOW));
}

export function kindOf(stats: BigIntStats): HostStat["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  if (stats.isSymbolicLink()) return "symlink";
  if (stats.isFIFO()) return "fifo";
  return stats.isSocket() ? "socket" : "device";
}

export function hostStat(path: string, stats: BigIntStats): HostStat {
  const kind = kindOf(stats);
  return {
    path,
    kind,
    size: Number(stats.size),
    mtimeMs: milliseconds(stats.mtimeNs),
    ctimeMs: milliseconds(stats.ctimeNs),
    mode: Number(stats.mode & 0o7777n),
    ...(kind === "file" && stats.nlink > 1n
      ? { names: Number(stats.nlink), node: nodeOf(stats) }
      : {}),
    version: `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`,
  };
}

/** Device and inode. */
export function nodeOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** To the microsecond, the most that a number of milliseconds since 1970 can tell. */
function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1000n) / 1000;
}

/** Refuses everything but a regular file. */
export function assertFile(path: string, stats: BigIntStats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw fileError("EISDIR", path);
  throw fileError(stats.isSymbolicLink() ? "ELOOP" : "ENODEV", path);
}

function heldFrom(path: string, descriptor: number): HeldNode {
  try {
    return new HeldNode(path, descriptor, fstatSync(descriptor, { bigint: true }));
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** A directory in one step: that it is one, the kernel sees to. Undefined for whatever else may be there. */
function directoryInPlace(path: string): number | undefined {
  if (!canHold) return undefined;
  try {
    return openInPlace(path, constants.O_DIRECTORY);
  } catch (error) {
    return rethrowFileError(error, path);
  }
}

/** In one step; undefined unless the kernel says that it arrived at just this path, so through no link. */
function openInPlace(path: string, flags = 0): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW | flags);
  } catch (error) {
    const errno = errnoOf(error);
    // Which of the two it was, a file or a link in the way, each step by itself will tell.
    if (errno === "ENOTDIR" || errno === "ELOOP") return undefined;
    throw error;
  }
  if (placeOf(descriptor) === path) return descriptor;
  closeSync(descriptor);
  return undefined;
}

function placeOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

/**
 * Where an absolute path leads, links followed, and whether a folder stands there: the kernel says where it arrived, in as
 * many steps for a deep path as for another. Undefined where it cannot say.
 */
export function placeBehind(
  path: string,
): { readonly path: string; readonly isFolder: boolean } | undefined {
  if (!canHold) return undefined;
  const descriptor = openSync(path, O_PATH);
  try {
    const place = placeOf(descriptor);
    // What is removed by now, or not in this program's tree of folders, is told with a word more.
    if (place?.startsWith("/") !== true || place.endsWith(" (deleted)")) return undefined;
    return { path: place, isFolder: fstatSync(descriptor).isDirectory() };
  } finally {
    closeSync(descriptor);
  }
}

/** One component after the other, each looked up in the directory held before; a link on the way ends it. */
function walk(path: string): number {
  const names = path.split("/").filter((name) => name !== "");
  let descriptor = openSync("/", O_PATH | constants.O_DIRECTORY);
  try {
    for (const [index, name] of names.entries()) {
      const next = openSync(`/proc/self/fd/${descriptor}/${name}`, O_PATH | constants.O_NOFOLLOW);
      closeSync(descriptor);
      descriptor = next;
      if (index < names.length - 1 && fstatSync(descriptor).isSymbolicLink()) {
        throw fileError("ELOOP", path);
      }
    }
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Where nothing can be held: what stands at a path, after a look at each directory on the way. */
export function statsWithoutLinks(path: string): BigIntStats {
  const parent = parentPath(path);
  if (path === "/" || parent === "/") return lstatSync(path, { bigint: true });
  const above = statsWithoutLinks(parent);
  if (above.isSymbolicLink()) throw fileError("ELOOP", path);
  if (!above.isDirectory()) throw fileError("ENOTDIR", path);
  return lstatSync(path, { bigint: true });
}

/** What stands at a path, or undefined where nothing does. */
export function statsAt(at: string): BigIntStats | undefined {
  return lstatSync(at, { bigint: true, throwIfNoEntry: false });
}

export function isMissing(error: unknown): boolean {
  return errnoOf(error) === "ENOENT";
}
