import type { Decision, RuleRef } from "../core/index.ts";
import { allowanceFor, runsOf } from "./allow-effects.ts";
import { intersectGrants } from "./grant.ts";
import type { Ceiling, DecideRequest, Policy } from "./request.ts";
import { builtInLayer, type CompiledLayer } from "./layers.ts";
import { describeEffect } from "./words.ts";

/** The strictest of a decision and of what every ceiling says to the same effects. */
export function strictest(
  own: Decision,
  request: DecideRequest,
  decideAlone: (request: DecideRequest) => Decision,
): Decision {
  let decision = own;
  for (const ceiling of request.ceilings ?? []) {
    const above =
      ceiling.kind === "policy"
        ? decideAlone({ ...request, builtIn: builtInLayer, ...ceiling.policy })
        : decideOnly(request, ceiling);
    decision = stricter(decision, above, ceiling);
  }
  return decision;
}

/**
 * The ceilings of a child: everything above its parent, then the parent as it is whenever it is asked, so that a
 * child never does what its parent may no longer do.
 */
export function ceilingsBelow(
  parent: Policy & { readonly ceilings?: readonly Ceiling[] | undefined },
  name: string,
): readonly Ceiling[] {
  const ceiling: Ceiling = {
    kind: "policy",
    name,
    get policy() {
      const { rules, mode, boundary, trusted, builtIn } = parent;
      return { rules, mode, boundary, trusted, ...(builtIn === undefined ? {} : { builtIn }) };
    },
  };
  return [...(parent.ceilings ?? []), ceiling];
}

const noLayer: CompiledLayer = new Map();

function decideOnly(
  request: DecideRequest,
  ceiling: Extract<Ceiling, { readonly kind: "only" }>,
): Decision {
  const limited: DecideRequest = { ...request, rules: ceiling.rules, trusted: true };
  const allowing = {
    request: limited,
    called: ceiling.rules.forTool(request.tool),
    runs: runsOf(limited),
    builtIn: noLayer,
    mode: noLayer,
    isTainted: false,
  };
  for (const effect of request.effects) {
    if (effect.kind === "interact") continue;
    if (effect.kind === "execute" && effect.consequences === "listed") continue;
    if (allowanceFor(effect, allowing) !== undefined) continue;
    const rule: RuleRef = { rule: ceiling.name, list: "deny", scope: "ceiling" };
    const reason = `It would ${describeEffect(effect, request.boundary)}, which is none of what this agent was given.`;
    return { kind: "deny", rule, reason, trail: [{ verdict: "deny", text: reason, effect, rule }] };
  }
  const rule: RuleRef = { rule: ceiling.name, list: "allow", scope: "ceiling" };
  return {
    kind: "allow",
    rule,
    grant: { effects: request.effects, exclusions: [], excludes: () => undefined },
    trail: [],
  };
}

function stricter(own: Decision, above: Decision, ceiling: Ceiling): Decision {
  const trail = [...own.trail, ...above.trail];
  if (own.kind === "deny") return own;
  if (above.kind === "deny") {
    if (ceiling.kind === "only") return { ...above, trail };
    const reason = `${ceiling.name}, which started this agent, may not do this either. ${above.reason}`;
    const rule: RuleRef = { ...above.rule, scope: "ceiling" };
    return { ...above, rule, reason, trail: [...trail, { verdict: "deny", text: reason, rule }] };
  }
  const grant = intersectGrants(own.grant, above.grant);
  if (above.kind === "allow") return { ...own, grant };
  const { suggestion, ...asked } = above;
  const isShared = own.kind === "allow" || own.suggestion === suggestion;
  return {
    ...asked,
    ...(isShared && suggestion !== undefined ? { suggestion } : {}),
    ...(own.kind === "ask" ? { question: own.question, reason: own.reason } : {}),
    grant,
    trail,
  };
}
