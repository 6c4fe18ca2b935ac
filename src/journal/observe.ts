import { isWithin, joinPath, type HostFs } from "../core/index.ts";
import { inBatches, type Captured } from "./capture.ts";
import { absent, sameImage } from "./image.ts";
import type { PathRecord, Skipped } from "./records.ts";
import { isMissing, lookAt, type Sight } from "./sight.ts";

export interface ObserveOptions {
  readonly fs: HostFs;
  /** A larger file is not read but known by its version. */
  readonly maxBytes: number;
  readonly directory: string;
  /** Given the content a call left, as far as it was read. */
  readonly keep: (sight: Sight) => Promise<void>;
}

/** What came of a call. */
export interface Observed {
  /** Each path it changed, with both images. */
  readonly changed: readonly PathRecord[];
  /** What was not kept and may have changed. */
  readonly skipped: readonly Skipped[];
}

/** What a call changed of what was captured before it. */
export async function observe(captured: Captured, options: ObserveOptions): Promise<Observed> {
  const { fs, maxBytes } = options;
  const changed: PathRecord[] = [];

  async function compare(path: string): Promise<void> {
    if (await isUntouched(path)) return;
    const before = captured.images.get(path) ?? absent;
    const sight = await lookAt(fs, path, maxBytes);
    if (sameImage(before, sight.image)) return;
    await options.keep(sight);
    changed.push({ path, before, after: sight.image });
  }

  async function isUntouched(path: string): Promise<boolean> {
    const version = captured.versions.get(path);
    if (version === undefined) return false;
    try {
      return (await fs.stat(path)).version === version;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  await inBatches([...captured.images.keys()], compare);
  const left = await Promise.all(
    captured.skipped.map(async (each) => ((await isUntouched(each.path)) ? [] : [each])),
  );
  const skipped = new Set(captured.skipped.map(({ path }) => path));
  for (const root of captured.trees) {
    const added: string[] = [];
    for await (const path of pathsBelow(root, options)) {
      if (!captured.images.has(path) && !skipped.has(path)) added.push(path);
    }
    await inBatches(added, compare);
  }
  return { changed: changed.toSorted((a, b) => (a.path < b.path ? -1 : 1)), skipped: left.flat() };
}

/** Every path in a tree but the journal's own; links are not followed. */
async function* pathsBelow(
  root: string,
  options: { readonly fs: HostFs; readonly directory: string },
): AsyncGenerator<string> {
  const waiting = [root];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    try {
      for await (const { name, kind } of options.fs.list(at)) {
        const path = joinPath(at, name);
        if (isWithin(options.directory, path)) continue;
        yield path;
        if (kind === "directory") waiting.push(path);
      }
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}
