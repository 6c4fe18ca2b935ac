import { lstatSync, readdirSync, readFileSync, type Dirent, type Stats } from "node:fs";
import type { GlobEvent, GlobFile, GlobQuery, HostFs, HostOptions } from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { rethrowFileError } from "../files/file-error.ts";
import { GlobMatches } from "./glob-matches.ts";
import { ignoreFilesAmong } from "./visibility/ignore-rules.ts";
import type { Visibility } from "./visibility/visibility.ts";
import { VisibleFiles } from "./visibility/visible-files.ts";
import { holdDirectory, type HeldNode } from "../files/open-path.ts";

/** Milliseconds after which the walk yields to other work. */
const sliceMs = 4;
const maxIgnoreFileBytes = 4_194_304;

/**
 * Finds files by a synchronous walk: reading a directory from the system's cache takes less time than a promise. Yields
 * to other work every few milliseconds.
 */
export async function* walkGlob(
  fs: HostFs,
  query: GlobQuery,
  options: HostOptions | undefined,
): AsyncGenerator<GlobEvent> {
  throwIfAborted(options?.signal);
  const matches = new GlobMatches(query);
  const root = holdDirectory(query.root);
  try {
    const visible = new VisibleFiles(fs, query, options);
    const walk = new Walk(query, matches, root);
    walk.push({
      path: query.root,
      at: root.path,
      rules: await visible.rulesAbove(query.root),
    });
    while (!walk.isDone) {
      const files = walk.slice();
      if (files.length > 0) yield { kind: "files", files };
      await nextTurn();
      throwIfAborted(options?.signal);
    }
    yield matches.end(walk.isPartial);
  } finally {
    root.close();
  }
}

interface Folder {
  /** The canonical path. */
  readonly path: string;
  /** Path of the same directory through the opened root. */
  readonly at: string;
  readonly rules: Visibility;
}

class Walk {
  isPartial = false;
  readonly #query: GlobQuery;
  readonly #matches: GlobMatches;
  readonly #root: HeldNode;
  readonly #open: Folder[] = [];

  constructor(query: GlobQuery, matches: GlobMatches, root: HeldNode) {
    this.#query = query;
    this.#matches = matches;
    this.#root = root;
  }

  get isDone(): boolean {
    return this.#open.length === 0;
  }

  push(folder: Folder): void {
    this.#open.push(folder);
  }

  /** The files found in the next few milliseconds. */
  slice(): readonly GlobFile[] {
    const found: GlobFile[] = [];
    const until = performance.now() + sliceMs;
    for (let folder = this.#open.pop(); folder !== undefined; folder = this.#open.pop()) {
      this.#visit(folder, found);
      if (performance.now() >= until) break;
    }
    return found;
  }

  #visit(folder: Folder, found: GlobFile[]): void {
    const entries = this.#list(folder);
    const rules = this.#query.includeIgnored === true ? folder.rules : rulesIn(folder, entries);
    const prefix = folder.path === "/" ? "/" : `${folder.path}/`;
    for (const entry of entries) {
      const { name } = entry;
      const isDirectory = entry.isDirectory();
      const path = prefix + name;
      const below = rules.seen(path, name, isDirectory);
      const isVisible = below !== undefined;
      if (isDirectory) {
        if (isVisible) this.#open.push({ path, at: `${folder.at}/${name}`, rules: below });
        else this.#matches.passDirectory(path);
      } else if (entry.isFile() && isVisible) {
        if (this.#matches.takes(path)) this.#take(path, `${folder.at}/${name}`, found);
      } else if (entry.isSymbolicLink()) this.#matches.passBy(path, "symlink", isVisible);
      else if (entry.isFile()) this.#matches.passBy(path, "file", isVisible);
    }
  }

  #list({ path, at }: Folder): readonly Dirent[] {
    try {
      return readdirSync(at, { withFileTypes: true });
    } catch (error) {
      if (at === this.#root.path) return rethrowFileError(error, path);
      this.isPartial = true;
      return [];
    }
  }

  #take(path: string, at: string, found: GlobFile[]): void {
    if (this.#query.dated !== true) {
      found.push({ path });
      return;
    }
    const stats = statsOf(at);
    // An undecodable name cannot be opened, although the file exists.
    if (stats === undefined && path.includes("\uFFFD")) found.push({ path });
    // Removed since it was listed, or no longer a file.
    if (stats?.isFile() !== true) return;
    found.push({ path, size: stats.size, mtimeMs: stats.mtimeMs });
  }
}

function rulesIn({ path, at, rules }: Folder, entries: readonly Dirent[]): Visibility {
  const names = new Set<string>();
  for (const { name } of entries) if (name.startsWith(".")) names.add(name);
  if (names.size === 0) return rules;
  const texts = new Map<string, string>();
  for (const name of ignoreFilesAmong(names)) {
    const text = textOf(`${at}/${name}`);
    if (text !== undefined) texts.set(name, text);
  }
  return texts.size === 0 ? rules : rules.ignoring(rules.ignored.within(path, texts));
}

/**
 * The text of an ignore file; undefined if it is not a regular file, is too large or cannot be read. It then has no
 * rules.
 */
function textOf(at: string): string | undefined {
  const stats = statsOf(at);
  if (stats?.isFile() !== true || stats.size > maxIgnoreFileBytes) return undefined;
  try {
    return readFileSync(at, "utf8");
  } catch {
    return undefined;
  }
}

function statsOf(at: string): Stats | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

async function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
