import { isWithin, joinPath } from "../../text/index.ts";
import { type HostClock, type HostFs } from "../../core/index.ts";
import { byPath, reasonOf } from "./capture.ts";
import { inBatches } from "../../text/index.ts";
import type { Skipped } from "../records.ts";
import { isBehindLink, isMissing } from "./snapshot.ts";

export interface WatchOptions {
  readonly fs: HostFs;
  readonly clock: Pick<HostClock, "now">;
  /** For one look at all of it. */
  readonly budget: { readonly paths: number; readonly watchMilliseconds: number };
  /** The journal's own directory, which is not watched. */
  readonly directory: string;
}

/** Trees as they are: enough to tell later what changed, without reading a content. */
export interface Watched {
  readonly roots: readonly string[];
  /** What stands at each path, opaque. */
  readonly marks: ReadonlyMap<string, string>;
  /** Directories that were not looked into, and why. */
  readonly unseen: readonly Skipped[];
}

/** More changed paths than this nobody reads; their number is told. */
const maxNamed = 1000;

/** Looks at every path below the roots as far as the budget goes; links are not followed. */
export async function watch(roots: readonly string[], options: WatchOptions): Promise<Watched> {
  const { fs, clock, budget, directory } = options;
  const deadline = clock.now() + budget.watchMilliseconds;
  const marks = new Map<string, string>();
  const unseen: Skipped[] = [];
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
          // The version of a directory tells of its entries, which are looked at themselves.
          marks.set(entry, kind === "directory" ? `directory:${mode}` : version);
          if (kind === "directory") below.push(entry);
        }
      } catch (error) {
        // Gone or replaced while it was looked at; the root itself may be no directory.
        if (!isMissing(error) && !isBehindLink(error)) {
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

/** The same and more trees, which are looked at now. */
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

/** A second look at watched trees. */
export interface Looked {
  /** Paths that changed since the first look and are not known otherwise. */
  readonly changed: readonly string[];
  /** The same in words, and what was not looked at. */
  readonly skipped: readonly Skipped[];
  /** The trees as they are now. */
  readonly now: Watched;
}

/** What changed since and is not known otherwise, and what nobody knows. */
export async function changesSince(
  before: Watched,
  isKnown: (path: string) => boolean | Promise<boolean>,
  options: WatchOptions,
): Promise<Looked> {
  const after = await watch(before.roots, options);
  const unseen = [...before.unseen, ...after.unseen.filter(({ path }) => !isUnseen(before, path))];
  const found: Skipped[] = [];
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
