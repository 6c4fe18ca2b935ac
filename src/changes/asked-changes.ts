import { isWithin } from "../text/index.ts";
import { type Effect, type StagedChange } from "../core/index.ts";
import { askedWrite, type WrittenBy } from "../policy/index.ts";

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
