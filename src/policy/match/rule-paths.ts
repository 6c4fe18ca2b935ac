import { isInside } from "../decide/boundary.ts";
import { modeLayers } from "../rules/layers.ts";
import { holds } from "./match-rules.ts";
import {
  coversPath,
  mayCoverBelow,
  namedPlaces,
  type NamedPlace,
  type PathPattern,
} from "./path-pattern.ts";
import type { DecideRequest, RuleConditions } from "../decide/request.ts";
import type { Entry, RuleSet } from "../rules/rule-set.ts";

/**
 * Returns the paths that deny and ask rules name before their first wildcard. Any of them may be a link, which policy
 * cannot see: the caller that compiles the rules resolves them and passes the targets as `links`.
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

/** Rules, mode and ceilings that apply to the writes of a program. */
export type WrittenBy = RuleConditions &
  Pick<DecideRequest, "rules" | "ceilings"> &
  Partial<Pick<DecideRequest, "boundary">>;

/** Locations that rules name for reads and writes; rules for every path name none. */
export interface NamedPlaces {
  readonly read: readonly NamedPlace[];
  readonly write: readonly NamedPlace[];
}

/**
 * Returns the locations that deny rules close to programs, regardless of the rules' conditions: for a sandbox, which
 * knows paths but no rules.
 */
export function deniedPlaces(by: WrittenBy): NamedPlaces {
  const everyDeny = [...new Set(everyPolicy(by).map(({ rules }) => rules.deny))];
  return {
    read: placesOf(everyDeny.flatMap(({ read }) => read)),
    write: placesOf(everyDeny.flatMap(({ write }) => write)),
  };
}

/** Returns the locations that allow rules open to programs of this caller now, as far as every ceiling allows them. */
export function openedPlaces(by: WrittenBy): NamedPlaces {
  return { read: openedTo(by, "read"), write: openedTo(by, "write") };
}

/** Returns the locations that allow rules open under any conditions, except for rules of an untrusted workspace. */
export function placesOpenedByAny({
  rules,
  trusted,
}: Pick<WrittenBy, "rules" | "trusted">): readonly NamedPlace[] {
  return placesOf(rules.allow.write.filter(({ rule }) => trusted || !rule.needsTrust));
}

function openedTo(by: WrittenBy, kind: "read" | "write"): readonly NamedPlace[] {
  const above = (by.ceilings ?? []).map((ceiling) =>
    ceiling.kind === "policy" ? { ...by, ...ceiling.policy } : { ...by, rules: ceiling.rules },
  );
  const places = placesOf(by.rules.allow[kind].filter(({ rule }) => holds(rule, by)));
  const everybody = [by, ...above];
  const open = places.filter(({ path }) => !everybody.some((each) => keepsFrom(each, path, kind)));
  return open.filter(({ path }) =>
    above.every((each) =>
      each.rules.allow[kind].some(
        ({ rule, pattern }) =>
          holds(rule, each) &&
          (pattern === undefined || coversPath(pattern, { path, isTree: true, lenient: false })),
      ),
    ),
  );
}

/** Whether calls are refused or need approval there: a program with access to the whole tree could not be asked. */
function keepsFrom({ boundary, ...by }: WrittenBy, path: string, kind: "read" | "write"): boolean {
  const isOutside = !isInside(path, boundary?.roots);
  if (boundary?.restrictToWorkspace === true && isOutside) return true;
  // Changes of programs in the workspace are asked about once they are known, whatever rules apply around it.
  const isElsewhere = (pattern: PathPattern): boolean =>
    isOutside && namedPlaces(pattern).every((place) => isInside(place.path, boundary?.roots));
  return by.rules.ask[kind].some(
    ({ rule, pattern }) =>
      pattern !== undefined &&
      holds(rule, by) &&
      !isElsewhere(pattern) &&
      (coversPath(pattern, { path, isTree: true, lenient: true }) || mayCoverBelow(pattern, path)),
  );
}

/** Whether a deny rule of the caller or of a ceiling forbids writing this path or a directory that contains it. */
export function deniedWrite(by: WrittenBy, path: string): boolean {
  return everyPolicy(by).some((each) =>
    each.rules.deny.write.some(
      ({ rule, pattern }) =>
        holds(rule, each) &&
        (pattern === undefined || coversPath(pattern, { path, isTree: false, lenient: true })),
    ),
  );
}

/**
 * Whether an ask rule of the caller or of a ceiling names this path or a directory that contains it. A rule without a
 * path applies to calls, which are asked about before they run.
 */
export function askedWrite(by: WrittenBy, path: string): boolean {
  return everyPolicy(by).some((each) =>
    each.rules.ask.write.some(
      ({ rule, pattern }) =>
        pattern !== undefined &&
        holds(rule, each) &&
        coversPath(pattern, { path, isTree: false, lenient: true }),
    ),
  );
}

/** Whether protected paths are treated like others when written. */
export function opensProtected(by: WrittenBy): boolean {
  return everyPolicy(by).every(({ mode }) => modeLayers[mode].opensProtected);
}

/** Whether calls that need approval are refused. */
export function refusesQuestions(by: WrittenBy): boolean {
  return everyPolicy(by).some(({ mode }) => modeLayers[mode].otherwise === "deny");
}

function everyPolicy(by: WrittenBy): readonly WrittenBy[] {
  const above = (by.ceilings ?? []).flatMap((ceiling) =>
    ceiling.kind === "policy" ? [{ ...by, ...ceiling.policy }] : [],
  );
  return [by, ...above];
}

function placesOf(entries: readonly Entry<PathPattern | undefined>[]): readonly NamedPlace[] {
  return entries.flatMap(({ pattern }) => (pattern === undefined ? [] : namedPlaces(pattern)));
}
