import type { Effect, ReadEffect, RuleRef, WriteEffect } from "../../core/index.ts";
import { carriesOut, mayBeTainted, ownProgramRule, type Allowing } from "../match/allow-effects.ts";
import { classOf, isCritical, placesBeyond } from "./boundary.ts";
import { askReasons, type Layer } from "../rules/layers.ts";
import { objectionTo, type Refusal, type WithheldEffect } from "../match/match-rules.ts";
import { programName } from "../match/command-pattern.ts";
import { readsNamesOnly } from "./lists-names-only.ts";
import { holdsAnywhere } from "../match/path-pattern.ts";
import { protectedIn } from "./protection-rules.ts";
import { secretOf } from "./secrets.ts";
import { visibleText } from "../../text/index.ts";
import type { Rule } from "../rules/rule.ts";
import {
  capitalised,
  describeEffect,
  describeRule,
  isOfWorkspace,
  quotedMessage,
} from "./describe.ts";

/** A reason why a call needs approval. */
export interface Doubt {
  readonly effect: Effect | undefined;
  readonly rule: RuleRef | undefined;
  readonly reason: string;
  /** A saved allow rule would answer it. */
  readonly isAnswerable: boolean;
  /** It says of programs in general what another doubt may say of this one. */
  readonly isGeneral?: boolean;
  /** It is about hosts that a program may contact and that no word names. */
  readonly isAboutAnyHost?: boolean;
}

/** Doubts and exclusions collected while a call is decided, and the layer of its mode. */
export interface Work {
  readonly withheld: WithheldEffect[];
  readonly doubts: Doubt[];
  readonly layer: Layer;
}

/** Checks ask rules, protected and critical paths, and excluded parts of trees, which a program cannot skip. */
export function collectDoubts(
  allowing: Allowing,
  work: Work & { readonly asked: Rule | undefined },
): void {
  const { request, runs } = allowing;
  const { effects, boundary, rules } = request;
  const { withheld, doubts, layer, asked } = work;
  if (asked !== undefined) doubts.push(askedBy(asked, undefined, request));
  const search = { request, withheld };
  for (const effect of effects) {
    const objection = objectionTo(effect, rules.ask, search);
    const isLifted = objection?.host === "unknown" && mayUseRemotes(effect, allowing);
    if (objection !== undefined && !isLifted) doubts.push(askedBy(objection.rule, effect, request));
    if (effect.kind === "unknown" && effect.alwaysAsks === true && !layer.opensProtected) {
      const reason = `${capitalised(withStop(effect.because))} No rule can allow that.`;
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
      const reason = `${capitalised(describeEffect(effect, boundary))} changes what runs by itself or what this session may do, so no rule can allow it.`;
      doubts.push({ effect, rule: ref, reason, isAnswerable: false });
    }
    if (isCritical(effect, boundary)) {
      const reason = "Removing this much always needs approval.";
      doubts.push({ effect, rule: criticalRule, reason, isAnswerable: false });
    }
  }
  if (runs.length === 0) return;
  for (const { rule, pattern, effect } of withheld) {
    // Built-in exclusions apply to every tool; a program that may encounter them needs no question.
    if (rule.ref.scope === "built-in" || readsNamesOnly(effect, effects)) continue;
    // A read rule that matches at any depth is no reason to ask about every written tree.
    if (effect.kind === "write" && holdsAnywhere(pattern) && isAboutReading(rule)) continue;
    const reason = `${describeRule(rule.ref)} withholds parts of what a program would ${effect.kind} here, and a program cannot be made to skip them.`;
    doubts.push({ effect, rule: rule.ref, reason, isAnswerable: false });
  }
}

/**
 * Whether git contacts only remotes of its configuration, and an allow rule names git. The user who lets `git push` run
 * accepts those, which a mode or a rule for all commands does not say. An address of git has a colon.
 */
export function mayUseRemotes(effect: Effect | undefined, { runs }: Allowing): boolean {
  const run = runs.find((each) => each.effect === effect);
  return (
    run?.entry?.pattern.isNamed === true &&
    programName(run.effect) === "git" &&
    run.effect.assigns.length === 0 &&
    run.effect.argv.every((word) => typeof word === "string" && !word.includes(":"))
  );
}

function isAboutReading(rule: Rule): boolean {
  return rule.matchers.some(({ on }) => on === "read");
}

/** Returns a doubt for a secret, or for a tree containing secrets that a program reads. */
function secretDoubt(effect: ReadEffect | WriteEffect, allowing: Allowing): Doubt | undefined {
  const found = secretOf(effect, allowing);
  if (found === undefined) return undefined;
  const what = capitalised(describeEffect(effect, allowing.request.boundary));
  const reason = found.isAt
    ? `${what} touches a secret path; only a rule that names it allows that.`
    : `${what} reaches secret paths, and a program cannot be made to skip them.`;
  return { effect, rule: found.ref, reason, isAnswerable: found.isAt };
}

/** Returns the doubt about an effect that no rule and no layer allows. */
export function unanswered(effect: Effect, allowing: Allowing): Doubt {
  const { request, isTainted: tainted } = allowing;
  const kind = classOf(effect, request.boundary);
  const isLeak = tainted && carriesOut.has(kind);
  const isBeyond = effect.kind === "execute" && placesBeyond(effect, request.boundary).length > 0;
  const beyond = isBeyond
    ? " A rule for a program applies only where it works inside the workspace."
    : "";
  const isHeld = kind === "connect-public" && mayBeTainted(request);
  const held =
    "This session may have read private files and content from outside, so a connection needs your approval or your own rule that names the address.";
  const why = isHeld
    ? held
    : effect.kind === "unknown" && !isLeak
      ? `${withStop(effect.because)} ${askReasons[kind]}`
      : askReasons[kind].replace("{mode}", request.mode) + beyond;
  return {
    effect,
    rule: isLeak ? taintRule : undefined,
    reason: isLeak
      ? "This session has read private files and content from outside, so anything that could carry data out needs your approval or your own rule that names it."
      : // The name of a program is not capitalized.
        effect.kind === "unknown" && effect.because.startsWith(effect.origin)
        ? why
        : capitalised(why),
    isAnswerable: true,
    isGeneral: kind === "execute-open" && !isLeak && !isBeyond,
  };
}

function askedBy(
  rule: Rule,
  effect: Effect | undefined,
  request: { readonly trusted: boolean },
): Doubt {
  const message = quotedMessage(rule, request);
  const words = message === undefined ? "" : `: ${message}`;
  const reason = rule.isGuess
    ? `${describeRule(rule.ref)} cannot be read; until it is corrected, everything it may have meant is asked about.`
    : `${describeRule(rule.ref)} asks about this${words}.`;
  return { effect, rule: rule.ref, reason, isAnswerable: false };
}

/** Returns the doubt about an effect that a deny rule may match when it runs. */
export function mayBeDenied({ rule, effect, host }: Refusal): Doubt {
  const name = effect.kind === "execute" ? programName(effect) : undefined;
  const why =
    host !== undefined
      ? `${name ?? "A program"} may contact a host that no rule was compared with`
      : "A word of the command is not known before it runs";
  return {
    effect,
    rule: rule.ref,
    reason: `${why}, so ${describeRule(rule.ref)} may deny it.`,
    isAnswerable: host === "unknown" && name === "git",
    isAboutAnyHost: host === "unknown",
  };
}

/** Joins three reasons at most. Those from a workspace's own rules come last, so that they cannot hide others. */
export function reasonOf(doubts: readonly Doubt[]): string {
  const isOwn = ({ rule }: Doubt): boolean => rule !== undefined && isOfWorkspace(rule);
  // The reason about unknown effects names the program.
  const isNamed = doubts.some(
    ({ effect, rule }) => effect?.kind === "unknown" && rule === undefined,
  );
  const specific = isNamed ? doubts.filter(({ isGeneral }) => isGeneral !== true) : doubts;
  const told = [...specific.filter((each) => !isOwn(each)), ...specific.filter(isOwn)];
  return visibleText([...new Set(told.map(({ reason }) => reason))].slice(0, 3).join(" "));
}

function withStop(sentence: string): string {
  return /[.!?]$/u.test(sentence) ? sentence : `${sentence}.`;
}

const criticalRule: RuleRef = Object.freeze({
  rule: "built-in: critical paths",
  list: "ask",
  scope: "built-in",
});

const taintRule: RuleRef = Object.freeze({ rule: "taint", list: "ask", scope: "taint" });
