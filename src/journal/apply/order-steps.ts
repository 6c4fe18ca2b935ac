import type { FileState } from "../capture/file-state.ts";
import type { Step } from "../records.ts";

/** Steps of one phase: directories in a fixed order, others in any order. */
interface Round {
  readonly directories: readonly Step[];
  readonly others: readonly Step[];
}

export interface Rounds {
  /** Directories that exist before, shallowest first. */
  readonly opened: readonly Step[];
  /** Steps that remove a path or change its kind: first those of non-directories, then directories, deepest first. */
  readonly leaving: Round;
  /** Steps with a target state: first directories, shallowest first, then everything inside them. */
  readonly arriving: Round;
}

/** Orders steps into phases that can be applied one after another. */
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

/** Steps that revert these steps. */
export function reversed(steps: readonly Step[]): readonly Step[] {
  return steps.map(({ path, from, to, source, away }) => ({
    path,
    from: to,
    to: from,
    ...(away === undefined ? {} : { source: away }),
    ...(source === undefined ? {} : { away: source }),
  }));
}

function leaves(from: FileState, to: FileState): boolean {
  return from.kind !== "absent" && from.kind !== to.kind;
}
