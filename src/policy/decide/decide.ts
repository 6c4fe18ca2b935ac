import type {
  Decision,
  Effect,
  Finding,
  ReadEffect,
  RuleRef,
  WriteEffect,
} from "../../core/index.ts";
import { allowanceFor, ownProgramRule, runsOf, type Allowing } from "../match/allow-effects.ts";
import { classOf, isCritical, placesBeyond } from "./boundary.ts";
import { strictest } from "./ceiling.ts";
import { programName } from "../match/command-pattern.ts";
import { floorOf } from "./floor.ts";
import { excludesNothing, makeGrant, nothing } from "./grant.ts";
import { builtInOf, layers, type Layer } from "../rules/compiled-layers.ts";
import { askReasons } from "../rules/layers.ts";
import {
  callRule,
  deniedEverywhere,
  objectionTo,
  type Objection,
  type Withheld,
} from "../match/match-rules.ts";
import { readsNamesOnly } from "./lists-names-only.ts";
import { holdsAnywhere } from "../match/path-pattern.ts";
import { protectedIn } from "./protected-paths.ts";
import { secretOf } from "./secrets.ts";
import type { DecideRequest } from "./request.ts";
import type { Rule } from "../rules/rule.ts";
import { answers, suggestRule } from "../rules/suggest-rule.ts";
import { asQuestion, capitalised, describeEffect, describeRule } from "./describe.ts";

/**
 * Decides whether a call may run. Pure: the same request gives the same decision. The destructive floor comes
 * first, then deny, ask and allow rules, then the built-in layer and the mode; the first list with a match
 * decides, and a call is allowed if each of its effects is.
 */
export function decide(request: DecideRequest): Decision {
  return strictest(decideAlone(request), request, (each) => decideAlone(each));
}

/** Whether saving this allow rule would leave nothing to ask about the call; ceilings aside. */
export function ruleCovers(rule: string, request: DecideRequest): boolean {
  return answers(rule, request, judge);
}

/** The rule that refuses paths outside the workspace. */
export const outsideWorkspaceRule: RuleRef = Object.freeze({
  rule: "restrictToWorkspace",
  list: "deny",
  scope: "boundary",
});

/** Returns the error code of a refusal. */
export function denialCode(
  decision: Extract<Decision, { readonly kind: "deny" }>,
): "OUTSIDE_WORKSPACE" | "PERMISSION_DENIED" {
  return decision.rule.scope === "boundary" && decision.rule.rule === outsideWorkspaceRule.rule
    ? "OUTSIDE_WORKSPACE"
    : "PERMISSION_DENIED";
}

/** A reason why a call needs approval. */
interface Doubt {
  readonly effect: Effect | undefined;
  readonly rule: RuleRef | undefined;
  readonly reason: string;
  /** A saved allow rule would answer it. */
  readonly isAnswerable: boolean;
}

const touchesNothing: Extract<Decision, { readonly kind: "allow" }> = deepFreeze({
  kind: "allow",
  rule: { rule: "built-in: no effects", list: "allow", scope: "built-in" },
  grant: { effects: [], exclusions: nothing, excludes: excludesNothing },
  trail: [{ verdict: "allow", text: "This call touches nothing." }],
});

/** Decides without ceilings and without a suggestion, which takes most of the time of `decide`. */
export function judge(request: DecideRequest): Decision {
  return decideAlone(request, false);
}

function decideAlone(request: DecideRequest, offersRule = true): Decision {
  const { effects, rules } = request;
  const called = rules.forTool(request.tool);
  if (effects.length === 0 && called.deny.length === 0 && called.ask.length === 0) {
    return touchesNothing;
  }
  const layer = layers[request.mode];
  const withheld: Withheld[] = [];
  const doubts: Doubt[] = [];
  const refusal = refuse(request, {
    withheld,
    doubts,
    layer,
    denied: callRule(called.deny, request),
  });
  if (refusal !== undefined) return refusal;
  const allowing: Allowing = {
    request,
    called,
    runs: runsOf(request),
    builtIn: builtInOf(request.builtIn),
    mode: layer.allowing,
    isTainted: isTainted(request),
  };
  collectDoubts(allowing, { withheld, doubts, layer, asked: callRule(called.ask, request) });
  return conclude(allowing, { withheld, doubts, layer, offersRule });
}

interface Work {
  readonly withheld: Withheld[];
  readonly doubts: Doubt[];
  readonly layer: Layer;
}

/** Checks the floor, the deny rules, the effects that the mode denies, and the boundary where it is enforced. */
function refuse(
  request: DecideRequest,
  work: Work & { readonly denied: Rule | undefined },
): Decision | undefined {
  const { effects, boundary, rules } = request;
  const { withheld, doubts, layer, denied } = work;
  const floor = floorOf(effects, boundary);
  if (floor !== undefined) {
    return deny(floorRule, `${floor.because} No mode and no rule allows that.`, floor.effect);
  }
  if (denied !== undefined) return denyByRule(denied, undefined, request);
  const search = { request, withheld };
  for (const effect of effects) {
    const objection = objectionTo(effect, rules.deny, search);
    if (objection?.certainty === "yes") return denyByRule(objection.rule, effect, request);
    if (objection !== undefined) doubts.push(mayBeDenied(objection));
  }
  if (layer.denying.size > 0 || boundary.restrictToWorkspace) {
    for (const effect of effects) {
      const kind = classOf(effect, boundary);
      const line = layer.denying.get(kind);
      if (line !== undefined) {
        return deny(line.ref, `${line.says} It would ${describeEffect(effect, boundary)}.`, effect);
      }
      if (boundary.restrictToWorkspace && (kind === "read-outside" || kind === "write-outside")) {
        return deny(
          outsideWorkspaceRule,
          `It would ${describeEffect(effect, boundary)}, outside the workspace, and this session is kept inside.`,
          effect,
        );
      }
    }
  }
  return undefined;
}

/** Checks ask rules, protected and critical paths, and excluded parts of trees, which a program cannot skip. */
function collectDoubts(
  allowing: Allowing,
  work: Work & { readonly asked: Rule | undefined },
): void {
  const { request, runs } = allowing;
  const { effects, boundary, rules } = request;
  const { withheld, doubts, layer, asked } = work;
  if (asked !== undefined) doubts.push(askedBy(asked, undefined));
  const search = { request, withheld };
  for (const effect of effects) {
    const objection = objectionTo(effect, rules.ask, search);
    if (objection !== undefined) doubts.push(askedBy(objection.rule, effect));
    if (effect.kind === "unknown" && effect.alwaysAsks === true && !layer.opensProtected) {
      const reason = `${capitalised(withStop(effect.because))} No rule answers that.`;
      doubts.push({ effect, rule: undefined, reason, isAnswerable: false });
    }
    if (effect.kind !== "write" && effect.kind !== "read") continue;
    const secret = layer.opensProtected ? undefined : secretDoubt(effect, allowing);
    if (secret !== undefined) doubts.push(secret);
    if (effect.kind === "read") continue;
    const ref = layer.opensProtected ? undefined : protectedIn(effect.path, boundary);
    // git maintains its own directory as a whole; a rule that names the git command covers that.
    const isOwn = effect.path.endsWith("/.git") && ownProgramRule(effect, allowing) !== undefined;
    if (ref !== undefined && !isOwn) {
      const reason = `${capitalised(describeEffect(effect, boundary))} changes what runs by itself or what this session may do, so no rule answers it.`;
      doubts.push({ effect, rule: ref, reason, isAnswerable: false });
    }
    if (isCritical(effect, boundary)) {
      const reason = "So much at once is never removed unasked.";
      doubts.push({ effect, rule: criticalRule, reason, isAnswerable: false });
    }
  }
  if (runs.length === 0 || request.confined === true) return;
  for (const { rule, pattern, effect } of withheld) {
    // Built-in exclusions apply to every tool; a program that may encounter them needs no question.
    if (rule.ref.scope === "built-in" || readsNamesOnly(effect, effects)) continue;
    // A read rule that matches at any depth is no reason to ask about every written tree.
    if (effect.kind === "write" && holdsAnywhere(pattern) && isAboutReading(rule)) continue;
    const reason = `${describeRule(rule.ref)} withholds parts of what a program would ${effect.kind} here, and a program cannot be told to leave them out.`;
    doubts.push({ effect, rule: rule.ref, reason, isAnswerable: false });
  }
}

/** Checks allow rules and layers for each effect, then builds the decision. */
function conclude(allowing: Allowing, work: Work & { readonly offersRule: boolean }): Decision {
  const { request } = allowing;
  const { effects, boundary, mode } = request;
  const { withheld, doubts, layer } = work;
  const trail: Finding[] = [];
  let heaviest: RuleRef | undefined;
  let weight = -1;
  const doubted = new Set(doubts.map(({ effect }) => effect));
  for (const effect of effects) {
    const allowance = allowanceFor(effect, allowing);
    if (allowance === undefined) {
      // One question per effect: a doubt that no rule can answer takes precedence over one that a rule could.
      if (!doubted.has(effect)) doubts.push(unanswered(effect, allowing));
      doubted.add(effect);
      continue;
    }
    // At equal weight a rule of the user describes the call better than a layer that also allows it.
    const heavy = weightOf(effect) + (allowance.says === undefined ? 0.5 : 0);
    if (heavy > weight) {
      heaviest = allowance.ref;
      weight = heavy;
    }
    const text = allowance.says ?? `${describeRule(allowance.ref)} allows it.`;
    trail.push({ verdict: "allow", text, effect, rule: allowance.ref });
  }
  for (const { rule } of withheld) {
    trail.push({
      verdict: "note",
      text: `What ${describeRule(rule.ref)} names is left out.`,
      rule: rule.ref,
    });
  }
  const everywhere = deniedEverywhere(request);
  const grant = makeGrant({
    effects,
    withheld: everywhere.length === 0 ? withheld : [...withheld, ...everywhere],
    boundary,
    opensProtected: layer.opensProtected,
  });
  const [doubt] = doubts;
  if (doubt === undefined) {
    return { kind: "allow", rule: heaviest ?? touchesNothing.rule, grant, trail };
  }
  for (const { reason, effect, rule } of doubts) {
    trail.push({
      verdict: "ask",
      text: reason,
      ...(effect === undefined ? {} : { effect }),
      ...(rule === undefined ? {} : { rule }),
    });
  }
  if (layer.otherwise === "deny") {
    const reason = `${reasonOf(doubts)} ${mode} mode refuses what would be asked.`;
    const rule: RuleRef = { rule: mode, list: "deny", scope: "mode" };
    trail.push({ verdict: "deny", text: reason, rule });
    return { kind: "deny", rule, reason, trail };
  }
  const isAnswerable = work.offersRule && doubts.every((each) => each.isAnswerable);
  const open = doubts.flatMap((each) => each.effect ?? []);
  const suggestion = isAnswerable ? suggestRule(request, open, judge) : undefined;
  const askedPrograms = new Set(
    doubts.map(({ effect }) => (effect?.kind === "execute" ? programName(effect) : undefined)),
  );
  // An unknown effect is part of the question whether its program may run.
  const phrases = doubts
    .filter(({ effect }) => effect?.kind !== "unknown" || !askedPrograms.has(effect.origin))
    .map(({ effect }) =>
      effect === undefined ? `use ${request.tool.name}` : describeEffect(effect, boundary),
    );
  return {
    kind: "ask",
    question: asQuestion(phrases),
    reason: reasonOf(doubts),
    ...(doubt.rule === undefined ? {} : { rule: doubt.rule }),
    ...(suggestion === undefined ? {} : { suggestion }),
    grant,
    trail,
  };
}

/** Returns the weight of an effect; the decision names the rule of the effect with the highest weight. */
function weightOf(effect: Effect): number {
  switch (effect.kind) {
    case "unknown":
      return 8;
    case "execute":
      return effect.consequences === "open" ? 7 : 1;
    case "delegate":
      return 6;
    case "write":
      return effect.change === "delete" || effect.change === "any" ? 5 : 4;
    case "connect":
      return 3;
    case "read":
      return 2;
    case "interact":
      return 0;
  }
}

function isAboutReading(rule: Rule): boolean {
  return rule.matchers.some(({ on }) => on === "read");
}

/** Returns a doubt for a secret, or for a tree containing secrets that are not hidden from a program that reads it. */
function secretDoubt(effect: ReadEffect | WriteEffect, allowing: Allowing): Doubt | undefined {
  const found = secretOf(effect, allowing);
  if (found === undefined) return undefined;
  const what = capitalised(describeEffect(effect, allowing.request.boundary));
  const reason = found.isAt
    ? `${what} touches a place of secrets; only a rule that names it answers that.`
    : `${what} reaches places of secrets, and a program cannot be told to leave them out.`;
  return { effect, rule: found.ref, reason, isAnswerable: found.isAt };
}

function unanswered(effect: Effect, allowing: Allowing): Doubt {
  const { request, isTainted: tainted } = allowing;
  const kind = classOf(effect, request.boundary);
  const isLeak = tainted && (kind === "connect" || kind === "execute-open" || kind === "unknown");
  const isBeyond = effect.kind === "execute" && placesBeyond(effect, request.boundary).length > 0;
  const beyond = isBeyond ? " A rule for a program holds where it works inside the workspace." : "";
  const why =
    effect.kind === "unknown" && !isLeak
      ? `${withStop(effect.because)} ${askReasons[kind]}`
      : askReasons[kind].replace("{mode}", request.mode) + beyond;
  return {
    effect,
    rule: isLeak ? taintRule : undefined,
    reason: isLeak
      ? "This session has read private files and content from outside, so what could carry data out needs your word or a rule of yours that names it."
      : // The name of a program is not capitalized.
        effect.kind === "unknown" && effect.because.startsWith(effect.origin)
        ? why
        : capitalised(why),
    isAnswerable: true,
  };
}

function askedBy(rule: Rule, effect: Effect | undefined): Doubt {
  // The message of a rule is quoted: its author may not be trusted.
  const words = rule.denyMessage === undefined ? "" : `: ${JSON.stringify(rule.denyMessage)}`;
  const reason = rule.isGuess
    ? `${describeRule(rule.ref)} cannot be read; until it is corrected, everything it may have meant is asked about.`
    : `${describeRule(rule.ref)} asks about this${words}.`;
  return { effect, rule: rule.ref, reason, isAnswerable: false };
}

function mayBeDenied({ rule, effect }: Objection): Doubt {
  return {
    effect,
    rule: rule.ref,
    reason: `A word of the command is not known before it runs, so ${describeRule(rule.ref)} may deny it.`,
    isAnswerable: false,
  };
}

function denyByRule(rule: Rule, effect: Effect | undefined, request: DecideRequest): Decision {
  const what =
    effect === undefined
      ? `${request.tool.name} be used`
      : `this call ${describeEffect(effect, request.boundary)}`;
  const reason = `${describeRule(rule.ref)} does not let ${what}.`;
  return deny(rule.ref, rule.denyMessage ?? reason, effect);
}

function deny(rule: RuleRef, reason: string, effect: Effect | undefined): Decision {
  const finding: Finding = {
    verdict: "deny",
    text: reason,
    ...(effect === undefined ? {} : { effect }),
    rule,
  };
  return { kind: "deny", rule, reason, trail: [finding] };
}

/** Joins three reasons at most. Those from a workspace's own rules come last, so that they cannot hide others. */
function reasonOf(doubts: readonly Doubt[]): string {
  const isOwn = ({ rule }: Doubt): boolean => rule?.scope === "project" || rule?.scope === "local";
  const told = [...doubts.filter((each) => !isOwn(each)), ...doubts.filter(isOwn)];
  return [...new Set(told.map(({ reason }) => reason))].slice(0, 3).join(" ");
}

function isTainted({ taint, effects }: DecideRequest): boolean {
  if (taint === undefined || !taint.untrustedSeen) return false;
  return taint.privateRead || effects.some((effect) => effect.kind === "read");
}

function withStop(sentence: string): string {
  return /[.!?]$/u.test(sentence) ? sentence : `${sentence}.`;
}

const floorRule: RuleRef = Object.freeze({
  rule: "destructive floor",
  list: "deny",
  scope: "floor",
});

const criticalRule: RuleRef = Object.freeze({
  rule: "built-in: critical paths",
  list: "ask",
  scope: "built-in",
});

const taintRule: RuleRef = Object.freeze({ rule: "taint", list: "ask", scope: "taint" });

function deepFreeze<T extends object>(value: T): T {
  for (const each of Object.values(value)) {
    if (typeof each === "object" && each !== null) deepFreeze(each);
  }
  return Object.freeze(value);
}
