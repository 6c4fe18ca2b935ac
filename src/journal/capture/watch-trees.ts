import { isNotFound, isWithin, joinPath } from "../../text/index.ts";
import { type HostClock, type HostFs } from "../../core/index.ts";
import { byPath, reasonOf } from "./capture.ts";
import { inBatches } from "../../text/index.ts";
import type { NotCaptured } from "../records.ts";
import { isBehindLink } from "./snapshot.ts";

export interface WatchOptions {
  readonly fs: HostFs;
  readonly clock: Pick<HostClock, "now">;
  /** Limits of one scan of all trees. */
  readonly budget: { readonly paths: number; readonly watchMilliseconds: number };
  /** Directory of the journal itself, which is not watched. */
  readonly directory: string;
}

/** Snapshot of trees: enough to detect changes later without reading contents. */
export interface Watched {
  readonly roots: readonly string[];
  /** Opaque state of each path. */
  readonly marks: ReadonlyMap<string, string>;
  /** Directories that were not scanned, with the reason. */
  readonly unseen: readonly NotCaptured[];
}

/** Maximum number of changed paths listed; the rest are counted. */
const maxNamed = 1000;

/** Scans every path below the roots within the budget. Links are not followed. */
export async function watch(roots: readonly string[], options: WatchOptions): Promise<Watched> {
  const { fs, clock, budget, directory } = options;
  const deadline = clock.now() + budget.watchMilliseconds;
  const marks = new Map<string, string>();
  const unseen: NotCaptured[] = [];
  let level = roots.filter(
    (root) => !roots.some((other) => other !== root && isWithin(other, root)),
  );
  while (level.length > 0) {
    const below: string[] = [];
    await inBatches(level, async (path) => {
      const because = exhausted();
      if (because !== undefined) {
        unseen.push({ path, because });
        return;
      }
      try {
        for await (const { name, kind } of fs.list(path)) {
          const entry = joinPath(path, name);
          if (isWithin(directory, entry)) continue;
          const { version, mode } = await fs.stat(entry);
          // The version of a directory reflects its entries, which are scanned themselves.
          marks.set(entry, kind === "directory" ? `directory:${mode}` : version);
          if (kind === "directory") below.push(entry);
        }
      } catch (error) {
        // Removed or replaced during the scan; the root itself may not be a directory.
        if (!isNotFound(error) && !isBehindLink(error)) {
          unseen.push({ path, because: reasonOf(error) });
        }
      }
    });
    level = below;
  }
  return { roots, marks, unseen };

  function exhausted(): string | undefined {
    if (marks.size >= budget.paths) return `there are more than ${budget.paths} paths to watch`;
    if (clock.now() > deadline) {
      return `watching it all takes longer than ${budget.watchMilliseconds} ms`;
    }
    return undefined;
  }
}

/** Adds trees to a snapshot and scans the new ones now. */
export async function watchAlso(
  before: Watched,
  roots: readonly string[],
  options: WatchOptions,
): Promise<Watched> {
  const more = roots.filter((root) => !before.roots.some((each) => isWithin(each, root)));
  if (more.length === 0) return before;
  const added = await watch(more, options);
  return {
    roots: [...before.roots, ...more],
    marks: new Map([...added.marks, ...before.marks]),
    unseen: [...before.unseen, ...added.unseen],
  };
}

/** Second scan of watched trees. */
export interface Looked {
  /** Paths that changed since the first scan and are not explained otherwise. */
  readonly changed: readonly string[];
  /** The same paths with the kind of change, and the directories that were not scanned. */
  readonly skipped: readonly NotCaptured[];
  /** Present snapshot of the trees. */
  readonly now: Watched;
}

/** Finds changes since a snapshot that are not explained otherwise, and directories whose changes are unknown. */
export async function changesSince(
  before: Watched,
  isKnown: (path: string) => boolean | Promise<boolean>,
  options: WatchOptions,
): Promise<Looked> {
  const after = await watch(before.roots, options);
  const unseen = [...before.unseen, ...after.unseen.filter(({ path }) => !isUnseen(before, path))];
  const found: NotCaptured[] = [];
  for (const [path, mark] of after.marks) {
    const was = before.marks.get(path);
    if (was === mark || isUnseen(before, path)) continue;
    found.push({ path, because: was === undefined ? "it was made" : "it was changed" });
  }
  for (const path of before.marks.keys()) {
    if (after.marks.has(path) || isUnseen(after, path)) continue;
    found.push({ path, because: "it was deleted" });
  }
  const unknown = await inBatches(found, async (each) =>
    (await isKnown(each.path)) ? [] : [each],
  );
  const changed = unknown.flat();
  changed.sort(byPath);
  const more = changed.length - maxNamed;
  const [root] = before.roots;
  const skipped = [
    ...changed.slice(0, maxNamed).map(({ path, because }) => ({
      path,
      because: `${because}, and what was there is not kept`,
    })),
    ...(more > 0 && root !== undefined
      ? [{ path: root, because: `${more} more paths in it changed, and are not kept` }]
      : []),
    ...unseen,
  ];
  return { changed: changed.map(({ path }) => path), skipped, now: after };
}

function isUnseen({ unseen }: Watched, path: string): boolean {
  return unseen.some((each) => isWithin(each.path, path));
}
