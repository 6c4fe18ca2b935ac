import { isWithin } from "../../text/index.ts";
import { type Effect, type Exclusion, type Grant } from "../../core/index.ts";
import type { WithheldEffect } from "../match/match-rules.ts";
import { coversPath, patternWithin } from "../match/path-pattern.ts";
import { closedDirectoryRule, closedWithin, isClosed, type Boundary } from "./boundary.ts";
import { protectedIn, protectedWithin } from "./protection-rules.ts";
import { secretsWithin, secretWithin } from "./secrets.ts";

export interface GrantOptions {
  readonly effects: readonly Effect[];
  readonly withheld: readonly WithheldEffect[];
  readonly boundary: Boundary;
  /** Protected paths inside written trees are granted too. */
  readonly opensProtected: boolean;
}

/** The grant for a call: its effects, less what rules withhold inside its trees. */
export function makeGrant(options: GrantOptions): Grant {
  const { effects, withheld, boundary, opensProtected } = options;
  const writtenTrees = opensProtected ? [] : effects.filter(isWrittenTree);
  const secrets = opensProtected
    ? nothing
    : effects.flatMap((effect) =>
        effect.kind === "read" && effect.scope === "tree"
          ? secretsWithin(effect.path, boundary)
          : nothing,
      );
  const closed =
    boundary.closed === undefined
      ? nothing
      : effects.flatMap((effect) =>
          effect.kind === "read" && effect.scope === "tree"
            ? closedWithin(effect.path, boundary)
            : nothing,
        );
  if (
    withheld.length === 0 &&
    writtenTrees.length === 0 &&
    secrets.length === 0 &&
    closed.length === 0
  ) {
    return { effects, exclusions: nothing, excludes: excludesNothing };
  }
  const named = effects.flatMap((effect) =>
    effect.kind === "read" && boundary.secrets?.at(effect.path) !== undefined ? effect.path : [],
  );
  let exclusions: readonly Exclusion[] | undefined;
  return {
    effects,
    // Listed on first use: most tools that may touch anything, as those of MCP servers, never need the list.
    get exclusions() {
      exclusions ??= [
        ...withheld.flatMap(({ rule, pattern, effect }) =>
          patternWithin(pattern, effect.path).map((each) => ({ ...each, rule: rule.ref.rule })),
        ),
        ...secrets,
        ...closed,
        ...writtenTrees.flatMap(({ path }) => protectedWithin(path)),
      ];
      return exclusions;
    },
    excludes(path, access) {
      for (const { rule, pattern, effect } of withheld) {
        if (effect.kind !== access) continue;
        if (coversPath(pattern, { path, isTree: false, lenient: true })) return rule.ref.rule;
      }
      if (closed.length > 0 && isClosed(path, access, boundary)) return closedDirectoryRule.rule;
      if (access === "write" && writtenTrees.length > 0) {
        return protectedIn(path, boundary)?.rule;
      }
      // A secret that is read as such was allowed by its own name.
      if (access === "read" && secrets.length > 0 && !named.some((each) => isWithin(each, path))) {
        return secretWithin(path, boundary);
      }
      return undefined;
    },
  };
}

/** The grant of both: everything either withholds is withheld. */
export function intersectGrants(left: Grant, right: Grant): Grant {
  return {
    effects: left.effects,
    get exclusions() {
      return [...left.exclusions, ...right.exclusions];
    },
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
