import { parentPath } from "../../../text/index.ts";
import { type HostFs, type HostOptions } from "../../../core/index.ts";
import { throwIfAborted } from "../../aborted.ts";
import { parseGitIndex, type GitIndex } from "./git-index.ts";

/** Maximum index size in bytes, above the index of a million files; files in a larger index count as untracked. */
const maxIndexBytes = 134_217_728;
const maxPointerBytes = 4096;
/** Maximum number of repositories whose index is cached. */
const maxCached = 8;

/** The files of one working tree that git tracks, read from its index without starting git. */
export class TrackedFiles {
  /** Canonical path of the working tree. */
  readonly top: string;
  readonly index: GitIndex;
  readonly #prefix: number;

  constructor(top: string, index: GitIndex) {
    this.top = top;
    this.index = index;
    this.#prefix = top === "/" ? 1 : top.length + 1;
  }

  /** Whether git tracks this file, or a file below this directory. */
  has(path: string, isDirectory: boolean): boolean {
    const below = this.belowTop(path);
    return isDirectory ? this.index.hasBelow(below) : this.index.has(below);
  }

  belowTop(path: string): string {
    return path.slice(this.#prefix);
  }
}

interface Cached {
  readonly version: string;
  readonly tracked: TrackedFiles;
}

const caches = new WeakMap<HostFs, Map<string, Cached>>();

/**
 * Tracked files of the working tree whose top contains `.git`. Undefined if there is no readable index: then no file
 * counts as tracked. An unchanged index is read only once.
 */
export async function openTrackedFiles(
  fs: HostFs,
  top: string,
  options: HostOptions | undefined,
): Promise<TrackedFiles | undefined> {
  try {
    const directory = await gitDirectory(fs, top, options);
    const path = `${directory}/index`;
    const { kind, size, version } = await fs.stat(path, options);
    if (kind !== "file" || size > maxIndexBytes) return undefined;
    const cache = caches.get(fs) ?? new Map<string, Cached>();
    caches.set(fs, cache);
    const known = cache.get(top);
    if (known?.version === version) return known.tracked;
    const index = await readIndex(fs, { directory, path }, options);
    if (index === undefined) return undefined;
    const tracked = new TrackedFiles(top, index);
    cache.delete(top);
    cache.set(top, { version, tracked });
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    return tracked;
  } catch {
    throwIfAborted(options?.signal);
    return undefined;
  }
}

/** In a linked worktree and in a submodule `.git` is a file that names the directory. */
async function gitDirectory(
  fs: HostFs,
  top: string,
  options: HostOptions | undefined,
): Promise<string> {
  const path = top === "/" ? "/.git" : `${top}/.git`;
  if ((await fs.stat(path, options)).kind !== "file") return path;
  const { bytes } = await fs.readFile(path, { ...options, maxBytes: maxPointerBytes });
  const target = /^gitdir: (.+?)\r?\n?$/su.exec(new TextDecoder().decode(bytes))?.[1];
  if (target === undefined) return path;
  return fs.canonical(target, { ...options, base: top });
}

async function readIndex(
  fs: HostFs,
  { directory, path }: { readonly directory: string; readonly path: string },
  options: HostOptions | undefined,
): Promise<GitIndex | undefined> {
  const bounded = { ...options, maxBytes: maxIndexBytes };
  const parsed = parseGitIndex((await fs.readFile(path, bounded)).bytes);
  if (parsed?.shared === undefined) return parsed?.index;
  // Next to the index, which in a worktree is not in the repository's directory.
  for (const place of [directory, parentPath(parentPath(directory))]) {
    const shared = await readShared(fs, `${place}/sharedindex.${parsed.shared}`, bounded);
    // Entries removed since then count as tracked until git rewrites the whole index.
    if (shared !== undefined) return parsed.index.with(shared);
  }
  return undefined;
}

async function readShared(
  fs: HostFs,
  path: string,
  options: HostOptions & { readonly maxBytes: number },
): Promise<GitIndex | undefined> {
  try {
    return parseGitIndex((await fs.readFile(path, options)).bytes)?.index;
  } catch {
    throwIfAborted(options.signal);
    return undefined;
  }
}
