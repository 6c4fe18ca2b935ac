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

function leaves(from: Image, to: Image): boolean {
  return from.kind !== "absent" && from.kind !== to.kind;
}
