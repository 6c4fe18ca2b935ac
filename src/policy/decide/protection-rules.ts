import { isWithin, protectedMatch, type ProtectedMatch } from "../../text/index.ts";
import { protectedPaths, type Exclusion, type RuleRef } from "../../core/index.ts";
import type { Boundary } from "./boundary.ts";

/**
 * Returns the rule for the protected path that a path is or lies in, checking only below the workspace directory that
 * contains it. No allow rule and no mode except bypassPermissions permits writing it without approval.
 */
export function protectedBy(path: string, roots: readonly string[]): RuleRef | undefined {
  const found = protectedPart(path, roots);
  return found === undefined ? undefined : refs.get(found.pattern);
}

/** The same within a boundary, which may name more of them. */
export function protectedIn(path: string, boundary: Boundary): RuleRef | undefined {
  const found = protectedBy(path, boundary.roots);
  if (found !== undefined || boundary.protected === undefined) return found;
  const named = boundary.protected.find((each) => isWithin(each, path));
  return named === undefined
    ? undefined
    : { rule: `Edit(/${named})`, list: "ask", scope: "built-in" };
}

/** The same, with where the protected path ends. */
export function protectedPart(path: string, roots: readonly string[]): ProtectedMatch | undefined {
  const root = innermost(path, roots);
  return protectedMatch(path, root === undefined || root === "/" ? 0 : root.length);
}

/** The protected parts of a granted tree. */
export function protectedWithin(root: string): readonly Exclusion[] {
  return protectedPaths.map((text) => ({ root, pattern: anyDepth(text), rule: ruleOf(text) }));
}

const refs: ReadonlyMap<string, RuleRef> = new Map(
  protectedPaths.map((text) => [
    text,
    Object.freeze({ rule: ruleOf(text), list: "ask", scope: "built-in" }),
  ]),
);

function ruleOf(text: string): string {
  return `Edit(${anyDepth(text)})`;
}

/** Returns the pattern as a rule spells it: in a rule, a pattern with a slash would start at its directory. */
function anyDepth(text: string): string {
  return text.includes("/") ? `**/${text}` : text;
}

function innermost(path: string, roots: readonly string[]): string | undefined {
  let found: string | undefined;
  for (const root of roots) {
    if (isWithin(root, path) && (found === undefined || root.length > found.length)) found = root;
  }
  return found;
}
