import { gitDirectoriesAround, isGitHead, protectedMatch } from "../../text/index.ts";
import type { Effect, HostFs } from "../../core/index.ts";

/** Written paths that may be a part of a git directory, by the directories that it would be. */
type Parts = ReadonlyMap<string, readonly string[]>;

/**
 * Paths that these effects write and that make or configure a git directory without the name `.git`, which git runs
 * hooks and settings of: a `HEAD`, and the other parts where a `HEAD` is on disk. Asking about each `HEAD` also holds for
 * calls that run at the same time and write a part each. Undefined if no path has such a name.
 */
export function writtenGitParts(
  effects: readonly Effect[],
  fs: Pick<HostFs, "stat">,
): Promise<readonly string[]> | undefined {
  const parts = new Map<string, readonly string[]>();
  for (const effect of effects) {
    if (effect.kind !== "write" || effect.change === "delete") continue;
    const around = gitDirectoriesAround(effect.path);
    const isNamed = around.length > 0 || isGitHead(effect.path);
    if (isNamed && protectedMatch(effect.path) === undefined) parts.set(effect.path, around);
  }
  return parts.size === 0 ? undefined : withHead(parts, fs);
}

async function withHead(parts: Parts, fs: Pick<HostFs, "stat">): Promise<readonly string[]> {
  const directories = [...new Set([...parts.values()].flat())];
  const found = await Promise.all(
    directories.map(async (directory) => {
      const isThere = fs.stat(`${directory}/HEAD`).then(
        () => true,
        () => false,
      );
      return (await isThere) ? [directory] : [];
    }),
  );
  const heads = new Set(found.flat());
  return [...parts].flatMap(([path, around]) =>
    isGitHead(path) || around.some((each) => heads.has(each)) ? [path] : [],
  );
}
