import { isWithin } from "../core/index.ts";
import type { Image } from "./image.ts";
import type { Step } from "./records.ts";

/**
 * The order in which steps can be taken: what goes or changes its kind is removed first, deepest first; then
 * directories and files come, shallowest first.
 */
export function removalsFirst(steps: readonly Step[]): {
  readonly removals: readonly Step[];
  readonly arrivals: readonly Step[];
} {
  const byPath = steps.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return {
    removals: byPath.filter((step) => leaves(step.from, step.to)).toReversed(),
    arrivals: byPath.filter((step) => step.to.kind !== "absent"),
  };
}

/** The steps back. */
export function reversed(steps: readonly Step[]): readonly Step[] {
  return steps.map(({ path, from, to, source, away }) => ({
    path,
    from: to,
    to: from,
    ...(away === undefined ? {} : { source: away }),
    ...(source === undefined ? {} : { away: source }),
  }));
}

/** Whether a record of `other` says something about `path`: it is the same, or one that held it is no directory. */
export function concerns(
  other: { readonly path: string; readonly to: Image },
  path: string,
): boolean {
  if (other.path === path) return true;
  return other.to.kind !== "directory" && isWithin(other.path, path);
}

function leaves(from: Image, to: Image): boolean {
  return from.kind !== "absent" && from.kind !== to.kind;
}
