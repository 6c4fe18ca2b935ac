import { baseName, isNotFound, isWithin, joinPath, parentPath } from "../../text/index.ts";
import { ToolError, type HostFs, type WrittenByCall, type WrittenFile } from "../../core/index.ts";
import { byPath, maybeNoText, reasonOf, type Captured } from "./capture.ts";
import { absent, changeBetween, imageOfStat } from "./file-state.ts";
import { inBatches } from "../../text/index.ts";
import type { PathRecord, NotCaptured } from "../records.ts";
import { isBehindLink, snapshotPath, snapshotOfFile, type Snapshot } from "./snapshot.ts";

export interface ObserveOptions {
  readonly fs: HostFs;
  /** Maximum size of a file that is read; a larger one is identified by its version. */
  readonly maxBytes: number;
  readonly directory: string;
  /** Known states of files after the call, which need not be read. */
  readonly written?: WrittenByCall | undefined;
  /** Called with the content of each changed file, if it was read. */
  readonly keep: (sight: Snapshot) => Promise<void>;
}

/** Changes of a call. */
export interface Observed {
  /** Paths that it changed, with both states. */
  readonly changed: readonly PathRecord[];
  /** Paths that were not stored and may have changed. */
  readonly skipped: readonly NotCaptured[];
  /** Paths of `skipped` that are known to have changed. */
  readonly unkept: readonly NotCaptured[];
}

/** Compares the present states with those captured before the call. */
export async function observe(captured: Captured, options: ObserveOptions): Promise<Observed> {
  const { fs, maxBytes } = options;
  if (options.written === "nothing") return { changed: [], skipped: [], unkept: [] };
  const { written } = options;
  const changed: PathRecord[] = [];
  const unseen: NotCaptured[] = [];
  const unkept: NotCaptured[] = [];

  const onFailure = (path: string, error: unknown): void => {
    unseen.push({ path, because: reasonOf(error) });
  };

  async function compare(path: string): Promise<void> {
    try {
      const sight = await sightOf(path);
      if (sight === undefined) return;
      const before = captured.images.get(path) ?? absent;
      if (changeBetween(before, sight.image) === "none") return;
      await options.keep(sight);
      changed.push({ path, before, after: sight.image });
    } catch (error) {
      // The call has ended: a path that can no longer be read is reported and does not fail the rest.
      onFailure(path, error);
    }
  }

  /** Undefined if the path was not touched. */
  async function sightOf(path: string): Promise<Snapshot | undefined> {
    const known = written?.get(path);
    if (known !== undefined) return known === "untouched" ? undefined : snapshotOfWritten(known);
    return (await fateOf(path)) === "untouched"
      ? undefined
      : await snapshotPath(fs, path, maxBytes);
  }

  /** Snapshot as reading the file would return it. */
  function snapshotOfWritten(file: WrittenFile): Snapshot {
    const { stat } = file;
    return stat.size > maxBytes ? { image: imageOfStat(stat), stat } : snapshotOfFile(file);
  }

  async function fateOf(path: string): Promise<"untouched" | "changed" | "unknown"> {
    const version = captured.versions.get(path);
    if (version === undefined && !captured.there.has(path)) return "unknown";
    try {
      const stat = await fs.stat(path);
      if (version === undefined) return "unknown";
      return stat.version === version ? "untouched" : "changed";
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      if (!isNotFound(error)) return "unknown";
      return (await isListed(path, fs)) ? "untouched" : "changed";
    }
  }

  await inBatches([...captured.images.keys()], compare);
  await inBatches(captured.skipped, async (each) => {
    const fate = await fateOf(each.path);
    if (fate !== "untouched") unseen.push(each);
    if (fate === "changed") unkept.push(each);
  });
  const skipped = new Set(captured.skipped.map(({ path }) => path));
  for (const root of captured.trees) {
    const added: string[] = [];
    for await (const path of pathsBelow(root, { ...options, onFailure })) {
      if (!captured.images.has(path) && !skipped.has(path)) added.push(path);
    }
    await inBatches(added, compare);
  }
  return {
    changed: changed.toSorted(byPath),
    skipped: unseen.toSorted(byPath),
    unkept: unkept.toSorted(byPath),
  };
}

/** Whether a listing still has an entry whose name is not valid text and that no path leads to. */
async function isListed(path: string, fs: HostFs): Promise<boolean> {
  if (!maybeNoText(baseName(path))) return false;
  try {
    for await (const { name } of fs.list(parentPath(path)))
      if (name === baseName(path)) return true;
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
  return false;
}

/** Paths in a tree, except those of the journal. Links are not followed. */
async function* pathsBelow(
  root: string,
  options: {
    readonly fs: HostFs;
    readonly directory: string;
    readonly onFailure: (path: string, error: unknown) => void;
  },
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
      // The root itself may be deleted, or be a file or link now.
      if (!isNotFound(error) && !isBehindLink(error)) options.onFailure(at, error);
    }
  }
}
