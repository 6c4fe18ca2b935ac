import { isWithin } from "../text/index.ts";
import type { Effect, StagedChange, StagedChanges } from "../core/index.ts";
import { askedWrite, deniedWrite, type WrittenBy } from "../policy/index.ts";

const because = "a rule keeps it as it is";

/**
 * Removes staged changes that a rule denies by their path: a sandbox blocks only paths that exist when a command
 * starts, and not every sandbox blocks all of those. A directory above a path that stays is not removed or replaced
 * either.
 */
export function allowedChanges(staged: StagedChanges, by: WrittenBy): StagedChanges {
  const denied = staged.changes.filter(({ path }) => deniedWrite(by, path));
  if (denied.length === 0) return staged;
  const paths = new Set(denied.map(({ path }) => path));
  const stays = ({ path, to }: StagedChanges["changes"][number]): boolean =>
    paths.has(path) ||
    (to.kind !== "directory" && denied.some((each) => isWithin(path, each.path)));
  return {
    ...staged,
    changes: staged.changes.filter((change) => !stays(change)),
    refused: [
      ...staged.refused,
      ...staged.changes.filter(stays).map(({ path }) => ({ path, because })),
    ],
  };
}

/**
 * Returns paths that staged changes touch and ask rules name, except those the call declared: they were asked about
 * before it ran.
 */
export function askedChanges(
  changes: readonly StagedChange[],
  effects: readonly Effect[],
  by: WrittenBy,
): readonly string[] {
  const isNamed = (path: string): boolean =>
    effects.some(
      (effect) =>
        effect.kind === "write" && isWithin(effect.path, path) && askedWrite(by, effect.path),
    );
  return changes.flatMap(({ path }) => (askedWrite(by, path) && !isNamed(path) ? [path] : []));
}
