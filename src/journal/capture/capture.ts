import { isNotFound, isWithin, joinPath, parentPath } from "../../text/index.ts";
import {
  ToolError,
  type HostClock,
  type HostFile,
  type HostFs,
  type WriteEffect,
} from "../../core/index.ts";
import type { ContentBatch } from "../log/content-store.ts";
import { absent, imageOfStat, isInexact, type FileState } from "./file-state.ts";
import { inBatches } from "../../text/index.ts";
import type { NotCaptured } from "../records.ts";
import { snapshotPath } from "./snapshot.ts";

/** Limits of one call. Whatever exceeds them is not stored. */
export interface JournalBudget {
  readonly bytes: number;
  /** Time for reading before a call runs, while the call waits. */
  readonly milliseconds: number;
  /** Time for reading the changes of a command on an overlay, after it has ended. */
  readonly applyMilliseconds: number;
  readonly paths: number;
  /** Time for one scan of the watched trees. */
  readonly watchMilliseconds: number;
}

export const defaultBudget: JournalBudget = {
  bytes: 64 * 1024 * 1024,
  milliseconds: 2000,
  applyMilliseconds: 20_000,
  paths: 20_000,
  watchMilliseconds: 500,
};

/** Before states of a call, as far as they were stored. */
export interface Captured {
  readonly images: ReadonlyMap<string, FileState>;
  /** A path that still has this version is unchanged. Omitted if a change might keep the version. */
  readonly versions: ReadonlyMap<string, string>;
  readonly skipped: readonly NotCaptured[];
  /** Paths of `skipped` that are known to exist. */
  readonly there: ReadonlySet<string>;
  /** Trees captured completely: the call created every other path found there later. */
  readonly trees: readonly string[];
}

export interface CaptureOptions {
  readonly fs: HostFs;
  /** Omitted: only measures what would be stored, without reading content. */
  readonly batch?: Pick<ContentBatch, "put">;
  /** Collects the files whose content was stored. */
  readonly files?: HostFile[] | undefined;
  readonly clock: Pick<HostClock, "now">;
  readonly budget: JournalBudget;
  /** Directory of the journal itself, which is never captured. */
  readonly directory: string;
}

/** Minimum age of a file for its version to be reliable: a more recent one may change again without a new time. */
const settledMs = 2000;

/** Captures the before states of the declared writes of a call. Paths beyond the budget are listed in `skipped`. */
export async function capture(
  writes: readonly WriteEffect[],
  options: CaptureOptions,
): Promise<Captured> {
  const run = new Capture(options);
  const files = new Set<string>();
  const trees: string[] = [];
  for (const { path, scope } of writes) {
    if (scope === "file") files.add(path);
    else if (!trees.some((root) => isWithin(root, path))) trees.push(path);
  }
  await inBatches([...files], (path) => run.file(path));
  // A directory that may be deleted or replaced is captured with its content.
  for (const { path, change } of writes) {
    if (change !== "create" && change !== "modify" && run.isDirectory(path)) trees.push(path);
  }
  for (const root of trees) {
    if (!trees.some((other) => other !== root && isWithin(other, root))) await run.tree(root);
  }
  return run.captured();
}

class Capture {
  readonly #options: CaptureOptions;
  readonly #deadline: number;
  readonly #images = new Map<string, FileState>();
  readonly #versions = new Map<string, string>();
  readonly #skipped = new Map<string, string>();
  readonly #there = new Set<string>();
  readonly #trees: string[] = [];
  #bytesLeft: number;
  #taken = 0;

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#bytesLeft = options.budget.bytes;
    this.#deadline = options.clock.now() + options.budget.milliseconds;
  }

  captured(): Captured {
    return {
      images: this.#images,
      versions: this.#versions,
      skipped: Array.from(this.#skipped, ([path, because]) => ({ path, because })).toSorted(byPath),
      there: this.#there,
      trees: this.#trees,
    };
  }

  isDirectory(path: string): boolean {
    return this.#images.get(path)?.kind === "directory";
  }

  /** Captures one path and its missing parents, which may be created with it. */
  async file(path: string): Promise<void> {
    await this.#take(path);
    if (this.#images.get(path)?.kind !== "absent") return;
    for (let at = parentPath(path); at !== "/" && !this.#images.has(at); at = parentPath(at)) {
      const exists = await this.#exists(at);
      if (exists !== false) return;
      this.#images.set(at, absent);
    }
  }

  /** Captures a path and everything below it. */
  async tree(root: string): Promise<void> {
    await this.file(root);
    let level = [root];
    let isWhole = true;
    while (level.length > 0) {
      const below: string[] = [];
      const directories = level.filter((path) => this.isDirectory(path));
      await inBatches(directories, async (directory) => {
        const children = await this.#children(directory);
        if (children === undefined) isWhole = false;
        else below.push(...children);
      });
      below.sort();
      await inBatches(below, (path) => this.#take(path));
      for (const path of below) if (this.#skipped.has(path)) this.#there.add(path);
      level = below;
    }
    if (isWhole) this.#trees.push(root);
  }

  async #children(directory: string): Promise<readonly string[] | undefined> {
    const because = this.#exhausted();
    if (because !== undefined) {
      this.#skipped.set(directory, because);
      this.#there.add(directory);
      return undefined;
    }
    try {
      const children: string[] = [];
      for await (const { name } of this.#options.fs.list(directory)) {
        const path = joinPath(directory, name);
        if (isWithin(this.#options.directory, path)) continue;
        if (maybeNoText(name) && (await this.#exists(path)) === false) this.#noText(path);
        else children.push(path);
      }
      return children;
    } catch (error) {
      this.#skipped.set(directory, reasonOf(error));
      return undefined;
    }
  }

  async #take(path: string): Promise<void> {
    if (this.#images.has(path) || this.#skipped.has(path)) return;
    const because = this.#exhausted();
    if (because !== undefined) {
      this.#skipped.set(path, because);
      return;
    }
    this.#taken += 1;
    try {
      if (this.#options.batch === undefined) await this.#measure(path);
      else await this.#keep(path, this.#options.batch);
    } catch (error) {
      this.#skipped.set(path, reasonOf(error));
      await this.#know(path);
    }
  }

  /** Records the version of a path that may not be read, so that a change of it can be detected. */
  async #know(path: string): Promise<void> {
    try {
      const { version } = await this.#options.fs.stat(path);
      this.#versions.set(path, version);
      this.#there.add(path);
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
  }

  async #keep(path: string, batch: Pick<ContentBatch, "put">): Promise<void> {
    const { image, bytes, stat } = await snapshotPath(this.#options.fs, path, this.#bytesLeft);
    if (image.kind === "special") {
      this.#skipped.set(path, `a ${image.type} cannot be restored`);
      this.#there.add(path);
      return;
    }
    if (isInexact(image)) {
      if (stat !== undefined) this.#versions.set(path, stat.version);
      this.#skipped.set(path, inexact);
      this.#there.add(path);
      return;
    }
    if (image.kind === "file" && bytes !== undefined) {
      // Other files may have used up the rest of the budget while this one was read.
      if (bytes.length > this.#bytesLeft) return this.#tooLarge(path, bytes.length);
      this.#bytesLeft -= bytes.length;
      batch.put(image.hash, bytes);
      if (stat !== undefined) this.#options.files?.push({ bytes, stat, hash: image.hash });
    } else if (image.kind === "file") {
      if (stat !== undefined) this.#versions.set(path, stat.version);
      return this.#tooLarge(path, image.size);
    }
    // A created path needs no stored content.
    if (image.kind === "absent") this.#taken -= 1;
    this.#images.set(path, image);
    if (stat !== undefined && this.#options.clock.now() - stat.mtimeMs >= settledMs) {
      this.#versions.set(path, stat.version);
    }
  }

  /** Computes the cost of capturing a path, without reading it. */
  async #measure(path: string): Promise<void> {
    if (!(await this.#exists(path))) {
      this.#taken -= 1;
      this.#images.set(path, absent);
      return;
    }
    const image = imageOfStat(await this.#options.fs.stat(path));
    if (image.kind === "special") {
      this.#skipped.set(path, `a ${image.type} cannot be restored`);
      return;
    }
    if (image.kind === "file") {
      if (image.size > this.#bytesLeft) return this.#tooLarge(path, image.size);
      this.#bytesLeft -= image.size;
    }
    this.#images.set(path, image);
  }

  async #exists(path: string): Promise<boolean | undefined> {
    try {
      await this.#options.fs.stat(path);
      return true;
    } catch (error) {
      // A link in the path or an unreadable directory does not show whether the target exists.
      return isNotFound(error) ? false : undefined;
    }
  }

  #noText(path: string): void {
    this.#there.add(path);
    this.#skipped.set(path, "its name is not text, so it could not be restored");
  }

  #tooLarge(path: string, size: number): void {
    const { bytes } = this.#options.budget;
    this.#there.add(path);
    this.#skipped.set(
      path,
      size > bytes
        ? `its ${size} bytes are more than a call's journal keeps`
        : `a call's journal keeps ${bytes} bytes, and its ${size} are beyond them`,
    );
  }

  #exhausted(): string | undefined {
    const { budget, clock } = this.#options;
    if (this.#taken >= budget.paths) {
      return `there are more than ${budget.paths} paths`;
    }
    if (clock.now() > this.#deadline) {
      return `reading it all takes longer than ${budget.milliseconds} ms`;
    }
    return undefined;
  }
}

const inexact = "its target is not text, so it could not be restored";

/** Whether a listed name may replace one that is not valid text: then no path leads to the entry. */
export function maybeNoText(name: string): boolean {
  return name.includes("\uFFFD");
}

export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

/** Reason why a path is not stored, as a clause of a sentence. */
export function reasonOf(error: unknown): string {
  if (ToolError.is(error) && error.code === "ACCESS_DENIED") return "it may not be read";
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/u, "");
}
