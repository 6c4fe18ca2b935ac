/** Share of the cases that a developer's run draws of a law. */
const share = 0.1;

/** Minimum number of cases; a law of no more than these is always drawn in full. */
const fewest = 20;

/** Whether each law draws all its cases, as in `.ci/run`. */
export const areLawsFull = process.env["HAFT_LAWS"] === "full";

/**
 * Number of cases to draw of a law that has this many: all of them with HAFT_LAWS=full, otherwise a tenth, at least 20.
 * The seed is the same, so a developer's cases are the first of those that CI draws.
 */
export function runs(all: number, isFull: boolean = areLawsFull): number {
  return isFull ? all : Math.min(all, Math.max(fewest, Math.ceil(all * share)));
}

/** Suites that try every case of a list, or every point of a change, try each sixth in a developer's run. */
export const stride = areLawsFull ? 1 : 6;

/** The cases of a list that this run tries: all of them with HAFT_LAWS=full, otherwise each sixth. */
export function tried<T>(cases: readonly T[], every: number = stride): readonly T[] {
  return cases.filter((_, index) => index % every === 0);
}
