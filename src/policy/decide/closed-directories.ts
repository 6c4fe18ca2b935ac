import type { Effect, Exclusion, RuleRef } from "../../core/index.ts";
import { pathBelow } from "../../text/index.ts";
import { escapeGlob } from "../match/glob.ts";
import { isInside, pathsOf, type Boundary } from "./boundary.ts";

/** Rule that closes the directories in which haft stores sessions to a call that belongs to one. */
export const closedDirectoryRule: RuleRef = Object.freeze({
  rule: "stored sessions",
  list: "deny",
  scope: "boundary",
});

/** Returns the path of an effect that is in a directory which is closed to the session. */
export function closedPathOf(effect: Effect, boundary: Boundary): string | undefined {
  if (boundary.closed === undefined) return undefined;
  const access = effect.kind === "read" ? "read" : "write";
  return pathsOf(effect, boundary).find((path) => isClosed(path, access, boundary));
}

/**
 * Whether a path is in a closed directory. A root inside that directory is open, and a directory that is only read is
 * closed to writing; a root that contains the closed directory opens nothing in it.
 */
export function isClosed(path: string, access: "read" | "write", boundary: Boundary): boolean {
  const { closed, roots, readOnlyRoots } = boundary;
  if (!isInside(path, closed)) return false;
  if (roots.some((root) => isInside(root, closed) && isInside(path, [root]))) return false;
  return access === "write" || !isInside(path, readOnlyRoots);
}

/** Returns the closed directories inside a tree that is read, as exclusions. */
export function closedWithin(tree: string, { closed = [] }: Boundary): readonly Exclusion[] {
  return closed.flatMap((directory) => {
    const below = pathBelow(tree, directory);
    if (below === undefined || below === "") return [];
    return [{ root: tree, pattern: `/${escapeGlob(below)}`, rule: closedDirectoryRule.rule }];
  });
}
