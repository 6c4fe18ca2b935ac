import type { PathPattern } from "./path-pattern.ts";
import type { Entry, RuleSet } from "./rule-set.ts";

/**
 * The paths that deny and ask rules name before their first wildcard. Any of them may be a link, which policy cannot
 * see: whoever compiles the rules looks, and passes what it finds as `links`.
 */
export function writtenPaths({ deny, ask }: RuleSet): readonly string[] {
  const entries: readonly Entry<PathPattern | undefined>[] = [
    ...deny.read,
    ...deny.write,
    ...ask.read,
    ...ask.write,
  ];
  const paths = entries.flatMap(({ pattern }) => pattern?.places ?? []);
  return [...new Set(paths.flatMap(({ written }) => (written === undefined ? [] : [written])))];
}
