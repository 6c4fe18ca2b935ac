import type { Image } from "../capture/file-state.ts";
import type { Step } from "../records.ts";

/** Steps of which those of directories have to keep their order, and the others can be taken together. */
interface Round {
  readonly directories: readonly Step[];
  readonly others: readonly Step[];
}

export interface Rounds {
  /** Directories that are there before, shallowest first. */
  readonly opened: readonly Step[];
  /** What goes or changes its kind: first whatever is no directory, then directories, deepest first. */
  readonly leaving: Round;
  /** What comes: first directories, shallowest first, then whatever is in them. */
  readonly arriving: Round;
}

/** The order in which steps can be taken. */
export function inRounds(steps: readonly Step[]): Rounds {
  const byPath = steps.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const leaving = byPath.filter((step) => leaves(step.from, step.to)).toReversed();
  const arriving = byPath.filter((step) => step.to.kind !== "absent");
  return {
    opened: byPath.filter(({ from }) => from.kind === "directory"),
    leaving: roundOf(leaving, "from"),
    arriving: roundOf(arriving, "to"),
  };
}

function roundOf(steps: readonly Step[], side: "from" | "to"): Round {
  const isDirectory = (step: Step): boolean => step[side].kind === "directory";
  return {
    directories: steps.filter(isDirectory),
    others: steps.filter((step) => !isDirectory(step)),
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
