import type { Effect, Exclusion, Grant } from "../core/index.ts";
import type { Boundary } from "./boundary.ts";
import type { Withheld } from "./match-rules.ts";
import { coversPath, patternWithin } from "./path-pattern.ts";
import { protectedBy, protectedWithin } from "./protected-paths.ts";

export interface GrantOptions {
  readonly effects: readonly Effect[];
  readonly withheld: readonly Withheld[];
  readonly boundary: Boundary;
  /** Protected paths inside written trees are granted too. */
  readonly opensProtected: boolean;
}

/** The grant for a call: its effects, less what rules withhold inside its trees. */
export function makeGrant(options: GrantOptions): Grant {
  const { effects, withheld, boundary, opensProtected } = options;
  const writtenTrees = opensProtected ? [] : effects.filter(isWrittenTree);
  if (withheld.length === 0 && writtenTrees.length === 0) {
    return { effects, exclusions: nothing, excludes: excludesNothing };
  }
  const exclusions = withheld.flatMap(({ rule, pattern, effect }) =>
    patternWithin(pattern, effect.path).map((each) => ({ ...each, rule: rule.ref.rule })),
  );
  return {
    effects,
    exclusions: [...exclusions, ...writtenTrees.flatMap(({ path }) => protectedWithin(path))],
    excludes(path, access) {
      for (const { rule, pattern, effect } of withheld) {
        if (effect.kind !== access) continue;
        if (coversPath(pattern, { path, isTree: false, lenient: true })) return rule.ref.rule;
      }
      if (access === "write" && writtenTrees.length > 0) {
        return protectedBy(path, boundary.roots)?.rule;
      }
      return undefined;
    },
  };
}

/** The grant of both: everything either withholds is withheld. */
export function intersectGrants(left: Grant, right: Grant): Grant {
  if (right.exclusions.length === 0) return left;
  if (left.exclusions.length === 0) return { ...right, effects: left.effects };
  return {
    effects: left.effects,
    exclusions: [...left.exclusions, ...right.exclusions],
    excludes: (path, access) => left.excludes(path, access) ?? right.excludes(path, access),
  };
}

export const nothing: readonly Exclusion[] = Object.freeze([]);

export function excludesNothing(): undefined {
  return undefined;
}

function isWrittenTree(effect: Effect): effect is Extract<Effect, { readonly kind: "write" }> {
  return effect.kind === "write" && effect.scope === "tree";
}
