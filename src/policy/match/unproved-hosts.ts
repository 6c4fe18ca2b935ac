import type { ExecuteEffect, Word } from "../../core/index.ts";
import type { RuleConditions } from "../decide/request.ts";
import type { Rule } from "../rules/rule.ts";
import type { RuleIndex } from "../rules/rule-set.ts";
import { matchesHost, type HostPattern } from "./host-pattern.ts";

/** A rule for a host that a program may contact although no effect of the call names it. */
export interface UnprovedHost {
  readonly rule: Rule;
  /** Whether the words of the program name the host; otherwise it may contact any. */
  readonly isSpelled: boolean;
}

/**
 * Returns a rule of a deny or ask list for a host that a program may contact although no effect of the call names it:
 * one for a host that the words of a program with open consequences name, else any rule if the hosts of the program are
 * not known.
 */
export function unprovedHostRule(
  effect: ExecuteEffect,
  entries: RuleIndex["connect"],
  {
    holds,
    request,
  }: {
    readonly holds: (rule: Rule, request: RuleConditions) => boolean;
    readonly request: RuleConditions;
  },
): UnprovedHost | undefined {
  if (entries.length === 0) return undefined;
  const held = entries.filter(({ rule }) => holds(rule, request));
  const isUnknown = effect.hosts === "unknown";
  if (!isUnknown && (effect.consequences === "listed" || effect.hosts === "named"))
    return undefined;
  const words = [...effect.argv, ...effect.assigns.map(({ value }) => value)];
  const spelled = held.find(({ pattern }) => words.some((word) => mayName(pattern, word)));
  if (spelled !== undefined) return { rule: spelled.rule, isSpelled: true };
  const [first] = isUnknown ? held : [];
  return first && { rule: first.rule, isSpelled: false };
}

/** Longest word that is searched for names of hosts, in characters. */
const maxSearched = 100_000;

function mayName(pattern: HostPattern, word: Word): boolean {
  // A rule for every host, or for all of a top-level domain, would take any name of a file for one.
  if (typeof word !== "string" || pattern.isAny) return false;
  if (pattern.below !== undefined && !pattern.below.includes(".")) return false;
  const text = word.slice(0, maxSearched);
  return [/[\p{L}\p{N}_][\p{L}\p{N}_.-]*/gu, /\[?[0-9a-f]*:[0-9a-f:.]+\]?/giu].some((form) =>
    text.match(form)?.some((token) => matchesHost(pattern, token, "deny")),
  );
}
