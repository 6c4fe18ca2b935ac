import type { Decision, Effect, Finding, ReadEffect, RuleRef } from "../../core/index.ts";
import { allowanceFor, namedHostRule, runsOf, type Allowing } from "../match/allow-effects.ts";
import { pathBelow, visibleText } from "../../text/index.ts";
import {
  classOf,
  closedDirectoryRule,
  closedInTreeOf,
  closedPathOf,
  isInside,
  ownDataRule,
  pathsOf,
  removedDataOf,
  type Boundary,
} from "./boundary.ts";
import { strictest } from "./ceiling.ts";
import { programName } from "../match/command-pattern.ts";
import {
  collectDoubts,
  mayBeDenied,
  mayUseRemotes,
  reasonOf,
  unanswered,
  type Doubt,
  type Work,
} from "./doubts.ts";
import { floorOf } from "./floor.ts";
import { excludesNothing, makeGrant, nothing } from "./grant.ts";
import { readsNamesOnly } from "./lists-names-only.ts";
import { builtInOf, layers } from "../rules/layers.ts";
import {
  callRule,
  deniedEverywhere,
  objectionTo,
  type WithheldEffect,
} from "../match/match-rules.ts";
import type { DecideRequest } from "./request.ts";
import type { Rule } from "../rules/rule.ts";
import { answers, suggestRule } from "../rules/suggest-rule.ts";
import {
  asQuestion,
  describeEffect,
  describeRule,
  isOfWorkspace,
  quotedMessage,
  shown,
} from "./describe.ts";

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

/** Whether no rule, mode or setting of the user could lift a refusal. */
export function isFixed({ rule }: Extract<Decision, { readonly kind: "deny" }>): boolean {
  const fixed = [ownDataRule, closedDirectoryRule].some((each) => each.rule === rule.rule);
  return rule.scope === "floor" || (rule.scope === "boundary" && fixed);
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
  const withheld: WithheldEffect[] = [];
  const mayBeRefused: Doubt[] = [];
  const refusal = refuse(request, {
    withheld,
    doubts: mayBeRefused,
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
  const doubts = mayBeRefused.filter(
    ({ effect, isAboutAnyHost }) => isAboutAnyHost !== true || !mayUseRemotes(effect, allowing),
  );
  collectDoubts(allowing, { withheld, doubts, layer, asked: callRule(called.ask, request) });
  return conclude(allowing, { withheld, doubts, layer, offersRule });
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
  const elsewhere = inOrigin(effects, boundary);
  if (elsewhere !== undefined) return elsewhere;
  const stored = refuseStoredData(effects, boundary);
  if (stored !== undefined) return stored;
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
          `It would ${describeEffect(effect, boundary)}, outside the workspace, and this session is restricted to it.`,
          effect,
        );
      }
    }
  }
  return undefined;
}

/** Refuses effects on a directory of which the workspace is a copy, and names the path that was meant. */
function inOrigin(effects: readonly Effect[], boundary: Boundary): Decision | undefined {
  const { origins = [], roots } = boundary;
  const [copy = ""] = roots;
  for (const origin of origins) {
    for (const effect of effects) {
      for (const path of pathsOf(effect, boundary)) {
        const below = isInside(path, roots) ? undefined : pathBelow(origin, path);
        if (below === undefined) continue;
        const meant = below === "" ? copy : `${copy}/${below}`;
        const reason = `${path} is in the checkout of another agent. Use ${meant}.`;
        return deny(outsideWorkspaceRule, reason, effect);
      }
    }
  }
  return undefined;
}

/** Refuses effects on a directory that is closed to the session, and the removal of haft's own data. */
function refuseStoredData(effects: readonly Effect[], boundary: Boundary): Decision | undefined {
  if (boundary.closed === undefined && boundary.ownData === undefined) return undefined;
  const runs = effects.some(({ kind }) => kind === "execute");
  const isLeftOut = (read: ReadEffect): boolean => !runs || readsNamesOnly(read, effects);
  for (const effect of effects) {
    const removed = removedDataOf(effect, boundary);
    if (removed !== undefined) {
      const stored = `${removed}, where undo, logs and trust are stored. No mode and no rule allows that.`;
      const reason =
        effect.kind === "write" && effect.part !== undefined
          ? `The pattern ${effect.part.pattern} in ${shown(effect.path, boundary)} may match ${stored} Name a directory or a pattern that cannot match it.`
          : `It would ${describeEffect(effect, boundary)}, which contains ${stored}`;
      return deny(ownDataRule, reason, effect);
    }
    const path = closedPathOf(effect, boundary);
    if (path !== undefined) {
      const reason = `${path} is where haft stores sessions, and this call may see only its own.`;
      return deny(closedDirectoryRule, reason, effect);
    }
    const within = closedInTreeOf(effect, boundary, isLeftOut);
    if (within !== undefined) {
      const reason = `It would ${describeEffect(effect, boundary)}, which contains ${within}, where haft stores sessions, and this call may see only its own. Name a smaller directory.`;
      return deny(closedDirectoryRule, reason, effect);
    }
  }
  return undefined;
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
    effects: effects.some(({ kind }) => kind === "connect")
      ? effects.map((effect) => (doubted.has(effect) ? effect : publicUnlessNamed(effect, request)))
      : effects,
    withheld: joined(withheld, everywhere),
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
    const reason = `${reasonOf(doubts)} ${mode} mode refuses instead of asking.`;
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

/**
 * Narrows a connection to public addresses unless a rule of the user names its host: a mode, the built-in layer and a
 * rule for a whole tool open no private network.
 */
function publicUnlessNamed(effect: Effect, request: DecideRequest): Effect {
  if (effect.kind !== "connect" || effect.reach === "public") return effect;
  return namedHostRule(effect, request) === undefined ? { ...effect, reach: "public" } : effect;
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

function denyByRule(rule: Rule, effect: Effect | undefined, request: DecideRequest): Decision {
  const what =
    effect === undefined
      ? `${request.tool.name} be used`
      : `this call ${describeEffect(effect, request.boundary)}`;
  const reason = `${describeRule(rule.ref)} does not let ${what}`;
  const { denyMessage, ref } = rule;
  if (denyMessage !== undefined && !isOfWorkspace(ref)) return deny(ref, denyMessage, effect);
  // The message of a workspace is quoted after its file: it is not what the user or haft says.
  const quoted = quotedMessage(rule, request);
  return deny(ref, quoted === undefined ? `${reason}.` : `${reason}: ${quoted}.`, effect);
}

function deny(rule: RuleRef, because: string, effect: Effect | undefined): Decision {
  const reason = visibleText(because);
  const finding: Finding = {
    verdict: "deny",
    text: reason,
    ...(effect === undefined ? {} : { effect }),
    rule,
  };
  return { kind: "deny", rule, reason, trail: [finding] };
}

function isTainted({ taint, effects }: DecideRequest): boolean {
  if (taint === undefined || !taint.untrustedSeen) return false;
  return taint.privateRead || effects.some((effect) => effect.kind === "read");
}

const floorRule: RuleRef = Object.freeze({
  rule: "destructive floor",
  list: "deny",
  scope: "floor",
});

function deepFreeze<T extends object>(value: T): T {
  for (const each of Object.values(value)) {
    if (typeof each === "object" && each !== null) deepFreeze(each);
  }
  return Object.freeze(value);
}

/** Both lists in order; the one that has entries if the other has none. */
function joined<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}
