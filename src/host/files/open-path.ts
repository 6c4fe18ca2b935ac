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
  type Dirent,
} from "node:fs";
import { baseName, parentPath } from "../../text/index.ts";
import { type HostStat } from "../../core/index.ts";
import { errnoOf, fileError, rethrowFileError } from "./file-error.ts";

/** Opens a path without opening the file itself: no read, no write, no blocking. */
const O_PATH = 0o10000000;

/** Whether an open descriptor can be used as a path, which makes a walk that follows no links possible. */
const canHold = process.platform === "linux" && existsSync("/proc/self/fd");

/**
 * The node at a canonical path, opened so that later renames or replacements have no effect on it. Only Linux supports
 * this; elsewhere every component is checked right before it is used.
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

  /**
   * Stats from when the node was opened. A directory's stats are read on first access, which must precede closing it.
   */
  get stats(): BigIntStats {
    this.#stats ??=
      this.#descriptor === undefined
        ? lstatSync(this.path, { bigint: true })
        : fstatSync(this.#descriptor, { bigint: true });
    return this.#stats;
  }

  /** A path to the same node that is valid in other processes of this user. */
  get outsidePath(): string {
    if (this.#descriptor === undefined) return this.path;
    return `/proc/${process.pid}/fd/${this.#descriptor}`;
  }

  /** Device and inode, to recognize the node when it is reached by another path. */
  get identity(): { readonly dev: string; readonly ino: string } {
    return { dev: String(this.stats.dev), ino: String(this.stats.ino) };
  }

  /** A path to the entry with this name in exactly this directory. */
  entry(name: string): string {
    return this.path === "/" ? `/${name}` : `${this.path}/${name}`;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  /**
   * Closes the descriptor on another thread, because closing may take long; `allClosed` waits for it. Starts only after
   * the current work, because waking a thread costs as much as a dozen system calls; beyond `maxClosing` pending ones
   * it closes at once, so that descriptors do not run out.
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

/** Resolves when every descriptor passed to `closeLater` is closed. */
export async function allClosed(): Promise<void> {
  await Promise.all(closing);
}

/** Opens the node at a canonical path. A link at the end is opened itself; a link on the way is PATH_CHANGED. */
export function openNode(path: string): HeldNode {
  try {
    if (!canHold) return new HeldNode(path, undefined, statsWithoutLinks(path));
    return heldFrom(path, openInPlace(path) ?? walk(path));
  } catch (error) {
    return rethrowFileError(error, path);
  }
}

/** Opens a directory; fails for any other kind of node. */
export function holdDirectory(path: string): HeldNode {
  const inPlace = directoryInPlace(path);
  if (inPlace !== undefined) return new HeldNode(path, inPlace, undefined);
  const held = openNode(path);
  if (held.stats.isDirectory()) return held;
  held.close();
  throw fileError(held.stats.isSymbolicLink() ? "ELOOP" : "ENOTDIR", path);
}

/** Opens the parent directory of an entry. */
export function holdParent(path: string): { readonly parent: HeldNode; readonly at: string } {
  const parent = holdDirectory(parentPath(path));
  return { parent, at: path === "/" ? parent.path : parent.entry(baseName(path)) };
}

/** Opens an entry of an open directory. */
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

/** Kind of an entry of a directory. */
export function entryKind(entry: Dirent, directory: HeldNode): HostStat["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "symlink";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  if (entry.isBlockDevice() || entry.isCharacterDevice()) return "device";
  // Some file systems do not report the kind in the listing.
  const stats = statsAt(directory.entry(entry.name));
  return stats === undefined ? "file" : kindOf(stats);
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

/** Precise to the microsecond, the limit of a number of milliseconds since 1970. */
function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1000n) / 1000;
}

/** Throws unless the node is a regular file. */
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

/** Opens a directory in one step; the kernel checks the kind. Undefined if anything else is at the path. */
function directoryInPlace(path: string): number | undefined {
  if (!canHold) return undefined;
  try {
    return openInPlace(path, constants.O_DIRECTORY);
  } catch (error) {
    return rethrowFileError(error, path);
  }
}

/**
 * Opens a path in one step; undefined unless the kernel reports exactly this path, which rules out links on the way.
 */
function openInPlace(path: string, flags = 0): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW | flags);
  } catch (error) {
    const errno = errnoOf(error);
    // A file or a link on the way; the walk by single components finds out which.
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
 * Canonical path that an absolute path leads to, and whether it is a directory. The kernel reports it in one step,
 * whatever the depth. Undefined if the kernel cannot tell.
 */
export function placeBehind(
  path: string,
): { readonly path: string; readonly isFolder: boolean } | undefined {
  if (!canHold) return undefined;
  const descriptor = openSync(path, O_PATH);
  try {
    const place = placeOf(descriptor);
    // The kernel appends a suffix to a removed path, and reports a path outside this process's root without a leading
    // slash.
    if (place?.startsWith("/") !== true || place.endsWith(" (deleted)")) return undefined;
    return { path: place, isFolder: fstatSync(descriptor).isDirectory() };
  } finally {
    closeSync(descriptor);
  }
}

/** Opens one component after the other, each relative to the directory opened before; throws at a link on the way. */
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

/** Stats for platforms where nodes cannot be opened this way; checks each directory on the way. */
export function statsWithoutLinks(path: string): BigIntStats {
  const parent = parentPath(path);
  if (path === "/" || parent === "/") return lstatSync(path, { bigint: true });
  const above = statsWithoutLinks(parent);
  if (above.isSymbolicLink()) throw fileError("ELOOP", path);
  if (!above.isDirectory()) throw fileError("ENOTDIR", path);
  return lstatSync(path, { bigint: true });
}

/** Stats of the entry at a path, or undefined if there is none. */
export function statsAt(at: string): BigIntStats | undefined {
  return lstatSync(at, { bigint: true, throwIfNoEntry: false });
}

export function isMissing(error: unknown): boolean {
  return errnoOf(error) === "ENOENT";
}
