import type { ToolTraits } from "../../core/index.ts";
import type { CommandPattern } from "../match/command-pattern.ts";
import type { HostPattern } from "../match/host-pattern.ts";
import type { PathPattern } from "../match/path-pattern.ts";
import type { Matcher, Rule, RuleList } from "./rule.ts";
import { matchesWildcard, type Wildcard } from "../match/wildcard.ts";

/** A rule with its pattern for one kind of subject. */
export interface Entry<P> {
  readonly rule: Rule;
  readonly pattern: P;
}

/** The rules of one list by the subject that they match, in the given order. */
export interface RuleIndex {
  readonly call: readonly CallEntry[];
  readonly read: readonly Entry<PathPattern | undefined>[];
  readonly write: readonly Entry<PathPattern | undefined>[];
  readonly execute: readonly Entry<CommandPattern>[];
  readonly connect: readonly Entry<HostPattern>[];
  readonly delegate: readonly Entry<Wildcard>[];
  readonly origin: readonly Entry<string>[];
}

export type CallMatcher = Extract<Matcher, { readonly on: "tool" | "parameter" | "skill" }>;

export interface CallEntry {
  readonly rule: Rule;
  readonly matcher: CallMatcher;
}

/** The members of a tool that policy uses. */
export type PolicyTool = Pick<ToolTraits, "name" | "aliases" | "touches" | "source">;

/** The rules that apply to calls of one tool, whatever they touch. */
export interface ToolRules {
  readonly deny: readonly CallEntry[];
  readonly ask: readonly CallEntry[];
  readonly allow: readonly CallEntry[];
}

/** Compiled rules. Immutable; create another set to change them. */
export interface RuleSet {
  /** Every effective rule, in order, with its location. */
  readonly rules: readonly Rule[];
  readonly deny: RuleIndex;
  readonly ask: RuleIndex;
  readonly allow: RuleIndex;
  /** Cached per tool object. */
  forTool(tool: PolicyTool): ToolRules;
}

export function makeRuleSet(rules: readonly Rule[]): RuleSet {
  const remembered = new WeakMap<PolicyTool, ToolRules>();
  const deny = indexOf(rules, "deny");
  const ask = indexOf(rules, "ask");
  const allow = indexOf(rules, "allow");
  return {
    rules,
    deny,
    ask,
    allow,
    forTool(tool) {
      const found = remembered.get(tool);
      if (found !== undefined) return found;
      const names = [tool.name, ...(tool.aliases ?? [])];
      const made = {
        deny: deny.call.filter((entry) => namesTool(entry, names)),
        ask: ask.call.filter((entry) => namesTool(entry, names)),
        // An alias that a tool chooses for itself grants it nothing.
        allow: allow.call.filter((entry) => namesTool(entry, [tool.name])),
      };
      remembered.set(tool, made);
      return made;
    },
  };
}

/** No rule at all. */
export const noRules: RuleSet = makeRuleSet([]);

function namesTool(entry: CallEntry, names: readonly string[]): boolean {
  const { matcher } = entry;
  if (matcher.on === "skill") return names.includes("Skill");
  return matcher.names.some((wildcard) => names.some((name) => matchesWildcard(wildcard, name)));
}

function indexOf(rules: readonly Rule[], list: RuleList): RuleIndex {
  const index = {
    call: [] as CallEntry[],
    read: [] as Entry<PathPattern | undefined>[],
    write: [] as Entry<PathPattern | undefined>[],
    execute: [] as Entry<CommandPattern>[],
    connect: [] as Entry<HostPattern>[],
    delegate: [] as Entry<Wildcard>[],
    origin: [] as Entry<string>[],
  };
  for (const rule of rules) {
    if (rule.ref.list !== list) continue;
    for (const matcher of rule.matchers) {
      switch (matcher.on) {
        case "tool":
        case "parameter":
        case "skill":
          index.call.push({ rule, matcher });
          break;
        case "read":
        case "write":
          index[matcher.on].push({ rule, pattern: matcher.pattern });
          break;
        case "execute":
          index.execute.push({ rule, pattern: matcher.pattern });
          break;
        case "connect":
          index.connect.push({ rule, pattern: matcher.pattern });
          break;
        case "delegate":
          index.delegate.push({ rule, pattern: matcher.name });
          break;
        case "origin":
          index.origin.push({ rule, pattern: matcher.origin });
          break;
      }
    }
  }
  return index;
}
