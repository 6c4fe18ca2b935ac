import type {
  ConnectEffect,
  DelegateEffect,
  Effect,
  ExecuteEffect,
  ReadEffect,
  UnknownEffect,
  WriteEffect,
} from "../../core/index.ts";
import { isInside } from "../decide/boundary.ts";
import { allowsCommand, forbidsCommand } from "./command-pattern.ts";
import { matchesHost, matchesPort } from "./host-pattern.ts";
import { unprovedHostRule } from "./unproved-hosts.ts";
import { anyPath, coversPath, mayCoverBelow, type PathPattern } from "./path-pattern.ts";
import type { DecideRequest, RuleConditions } from "../decide/request.ts";
import type { Rule } from "../rules/rule.ts";
import type { CallEntry, Entry, RuleIndex } from "../rules/rule-set.ts";
import { matchesWildcard, type Wildcard } from "./wildcard.ts";

/** A rule that excludes part of a granted tree. */
export interface WithheldEffect {
  readonly rule: Rule;
  readonly pattern: PathPattern;
  readonly effect: ReadEffect | WriteEffect;
}

/** A rule of a deny or ask list that applies to an effect. */
export interface Refusal {
  readonly rule: Rule;
  readonly effect: Effect;
  /** `maybe`: whether the rule matches is known only when the command runs. */
  readonly certainty: "yes" | "maybe";
  /** The rule is about a host that the program may contact; whether its words name the host. */
  readonly host?: "spelled" | "unknown";
}

/** Returns the first rule of a deny or ask list that applies to the effect. Parts of trees are added to `withheld`. */
export function objectionTo(
  effect: Effect,
  index: RuleIndex,
  search: { readonly request: DecideRequest; readonly withheld: WithheldEffect[] },
): Refusal | undefined {
  switch (effect.kind) {
    case "interact":
      return undefined;
    case "read":
    case "write":
      return pathObjection(effect, index[effect.kind], search);
    case "execute":
      return commandObjection(effect, index, search.request);
    case "connect":
    case "delegate":
    case "unknown": {
      const rule = plainRule(effect, index, search.request);
      return rule === undefined ? undefined : { rule, effect, certainty: "yes" };
    }
  }
}

const withheldNowhere: readonly WithheldEffect[] = Object.freeze([]);

/** Returns the exclusions for a call that may touch anything: every denied path, wherever it is. */
export function deniedEverywhere(request: DecideRequest): readonly WithheldEffect[] {
  const { effects, rules } = request;
  if (rules.deny.read.length + rules.deny.write.length === 0) return withheldNowhere;
  if (!effects.some(({ kind }) => kind === "unknown")) return withheldNowhere;
  const all = exclusionsOf(rules.deny);
  return all.every(({ rule }) => holds(rule, request))
    ? all
    : all.filter(({ rule }) => holds(rule, request));
}

/** Exclusions of the deny rules, made once: there are dozens of them, and most calls of servers get them all. */
const exclusions = new WeakMap<RuleIndex, readonly WithheldEffect[]>();

function exclusionsOf(deny: RuleIndex): readonly WithheldEffect[] {
  const known = exclusions.get(deny);
  if (known !== undefined) return known;
  const all = everything.flatMap((effect) =>
    deny[effect.kind].map(({ rule, pattern }) => ({ rule, pattern: pattern ?? anyPath, effect })),
  );
  exclusions.set(deny, all);
  return all;
}

const everything = [
  { kind: "read", path: "/", scope: "tree" },
  { kind: "write", path: "/", scope: "tree", change: "any" },
] as const;

/** Returns the first rule that applies to the call as a whole. */
export function callRule(entries: readonly CallEntry[], request: DecideRequest): Rule | undefined {
  for (const { rule, matcher } of entries) {
    if (
      holds(rule, request) &&
      matchesCall({ rule, matcher }, request) &&
      !isExcepted(rule, undefined)
    ) {
      return rule;
    }
  }
  return undefined;
}

/** Returns the allow rule that names this path completely, links included. */
export function pathRule(
  effect: ReadEffect | WriteEffect,
  request: DecideRequest,
): Rule | undefined {
  const isTree = effect.scope === "tree";
  const asked = request.requested?.get(effect.path);
  for (const { rule, pattern } of request.rules.allow[effect.kind]) {
    if (!holds(rule, request)) continue;
    if (pattern === undefined) return rule;
    if (!coversPath(pattern, { path: effect.path, isTree, lenient: false })) continue;
    const isAll = asked?.every(
      (path) =>
        !isInside(path, request.boundary.roots) ||
        coversPath(pattern, { path, isTree, lenient: false }),
    );
    if (isAll !== false) return rule;
  }
  return undefined;
}

/** Returns the allow rule that names this command, among those that suffice. */
export function commandEntry(
  effect: ExecuteEffect,
  request: DecideRequest,
  suffices: (entry: RuleIndex["execute"][number]) => boolean = () => true,
): RuleIndex["execute"][number] | undefined {
  return request.rules.allow.execute.find(
    (entry) =>
      suffices(entry) && holds(entry.rule, request) && allowsCommand(entry.pattern, effect),
  );
}

/** Returns the rule of a list that names a host, an agent or an origin. */
export function plainRule(
  effect: ConnectEffect | DelegateEffect | UnknownEffect,
  index: RuleIndex,
  request: DecideRequest,
): Rule | undefined {
  switch (effect.kind) {
    case "connect":
      return index.connect.find(
        ({ rule, pattern }) =>
          holds(rule, request) &&
          matchesHost(pattern, effect.host, rule.ref.list) &&
          matchesPort(pattern, effect, rule.ref.list),
      )?.rule;
    case "delegate":
      return agentEntry(effect, index.delegate, request)?.rule;
    case "unknown":
      return index.origin.find(
        ({ rule, pattern }) => holds(rule, request) && pattern === effect.origin,
      )?.rule;
  }
}

/** Whether a rule's conditions are met: mode, sub-agent, date, trust. */
export function holds(rule: Rule, request: RuleConditions): boolean {
  if (rule.needsTrust && !request.trusted) return false;
  if (rule.modes !== undefined && !rule.modes.has(request.mode)) return false;
  if (rule.subagent !== undefined) {
    if (request.agent === undefined) return false;
    if (rule.subagent !== "*" && rule.subagent !== request.agent) return false;
  }
  if (rule.expires === undefined) return true;
  return request.now === undefined ? rule.ref.list !== "allow" : request.now < rule.expires;
}

function pathObjection(
  effect: ReadEffect | WriteEffect,
  entries: readonly Entry<PathPattern | undefined>[],
  search: { readonly request: DecideRequest; readonly withheld: WithheldEffect[] },
): Refusal | undefined {
  if (entries.length === 0) return undefined;
  const { request, withheld } = search;
  const isTree = effect.scope === "tree";
  const asked = request.requested?.get(effect.path);
  const question = { path: effect.path, isTree, lenient: true };
  for (const { rule, pattern } of entries) {
    if (!holds(rule, request)) continue;
    if (pattern === undefined) return { rule, effect, certainty: "yes" };
    const isNamed =
      coversPath(pattern, question) ||
      asked?.some((path) => coversPath(pattern, { path, isTree, lenient: true })) === true;
    if (isNamed) return { rule, effect, certainty: "yes" };
    if (isTree && mayCoverBelow(pattern, effect.path)) withheld.push({ rule, pattern, effect });
  }
  return undefined;
}

function commandObjection(
  effect: ExecuteEffect,
  index: RuleIndex,
  request: DecideRequest,
): Refusal | undefined {
  let doubt: Refusal | undefined;
  for (const { rule, pattern } of index.execute) {
    if (!holds(rule, request) || isExcepted(rule, effect)) continue;
    const verdict = forbidsCommand(pattern, effect);
    if (verdict === "yes") return { rule, effect, certainty: "yes" };
    if (verdict === "maybe") doubt ??= { rule, effect, certainty: "maybe" };
  }
  if (doubt !== undefined) return doubt;
  const found = unprovedHostRule(effect, index.connect, { holds, request });
  if (found === undefined) return undefined;
  const { rule, isSpelled } = found;
  return { rule, effect, certainty: "maybe", host: isSpelled ? "spelled" : "unknown" };
}

function agentEntry(
  effect: DelegateEffect,
  entries: readonly Entry<Wildcard>[],
  request: DecideRequest,
): Entry<Wildcard> | undefined {
  return entries.find(
    ({ rule, pattern }) => holds(rule, request) && matchesWildcard(pattern, effect.agent),
  );
}

function isExcepted(rule: Rule, effect: ExecuteEffect | undefined): boolean {
  return (
    effect !== undefined &&
    rule.except.some(
      (matcher) => matcher.on === "execute" && allowsCommand(matcher.pattern, effect),
    )
  );
}

function matchesCall({ rule, matcher }: CallEntry, request: DecideRequest): boolean {
  switch (matcher.on) {
    case "tool":
      return true;
    case "parameter": {
      const text = scalarText(inputValue(request.input, matcher.parameter));
      return text !== undefined && matchesWildcard(matcher.value, text);
    }
    case "skill":
      return skillTexts(request.input, rule.ref.list === "allow").some((text) =>
        matcher.forms.some((form) => matchesWildcard(form, text)),
      );
  }
}

/** Returns a skill's name with its arguments; for deny and ask rules also the name alone. */
function skillTexts(input: unknown, isExact: boolean): readonly string[] {
  const name = ["skill", "name", "command"]
    .map((key) => scalarText(inputValue(input, key)))
    .find((text) => text !== undefined);
  if (name === undefined) return [];
  const passed =
    scalarText(inputValue(input, "args")) ?? scalarText(inputValue(input, "arguments"));
  if (passed === undefined || passed === "") return [name];
  return isExact ? [`${name} ${passed}`] : [name, `${name} ${passed}`];
}

function inputValue(input: unknown, key: string): unknown {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, key)) return undefined;
  return Object.getOwnPropertyDescriptor(input, key)?.value;
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}
