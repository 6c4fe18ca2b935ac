import { coversPath, namedPlaces, type NamedPlace, type PathPattern } from "./path-pattern.ts";
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

/** The places rules of each kind name; what is denied and allowed at once is denied. */
export interface RuledPlaces {
  readonly unreadable: readonly NamedPlace[];
  readonly unwritable: readonly NamedPlace[];
  readonly readable: readonly NamedPlace[];
  readonly writable: readonly NamedPlace[];
}

/** For a sandbox, which knows paths and no rules. Rules that speak of every path name none. */
export function ruledPlaces({ deny, allow }: RuleSet): RuledPlaces {
  return {
    unreadable: placesOf(deny.read),
    unwritable: placesOf(deny.write),
    readable: placesOf(allow.read),
    writable: placesOf(allow.write),
  };
}

/** Whether a deny rule names this path, or a folder it is in, as one that is not written. */
export function deniedWrite({ deny }: RuleSet, path: string): boolean {
  return deny.write.some(
    ({ pattern }) =>
      pattern !== undefined && coversPath(pattern, { path, isTree: false, lenient: false }),
  );
}

function placesOf(entries: readonly Entry<PathPattern | undefined>[]): readonly NamedPlace[] {
  return entries.flatMap(({ pattern }) => (pattern === undefined ? [] : namedPlaces(pattern)));
}
