import type { Decision, RuleRef } from "../../core/index.ts";
import { allowanceFor, runsOf } from "../match/allow-effects.ts";
import { intersectGrants } from "./grant.ts";
import type { Ceiling, DecideRequest, Policy } from "./request.ts";
import type { CompiledLayer } from "../rules/layers.ts";
import { describeEffect } from "./describe.ts";

/** The strictest of a decision and of what every ceiling says to the same effects. */
export function strictest(
  own: Decision,
  request: DecideRequest,
  decideAlone: (request: DecideRequest) => Decision,
): Decision {
  let decision = own;
  for (const ceiling of request.ceilings ?? []) {
    if (decision.kind === "deny") return decision;
    if (ceiling.kind === "only") {
      decision = beyondList(decision, request, ceiling) ?? decision;
    } else {
      const policy = { ...request, builtIn: undefined, ...ceiling.policy };
      decision = stricter(decision, decideAlone(policy), ceiling.name);
    }
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
      return { rules, mode, boundary, trusted, builtIn };
    },
  };
  return [...(parent.ceilings ?? []), ceiling];
}

const noLayer: CompiledLayer = new Map();

/** The refusal of a call with an effect that no rule of the list allows. */
function beyondList(
  own: Unrefused,
  request: DecideRequest,
  { name, rules }: Extract<Ceiling, { readonly kind: "only" }>,
): Decision | undefined {
  const limited: DecideRequest = { ...request, rules, trusted: true };
  const allowing = {
    request: limited,
    called: rules.forTool(request.tool),
    runs: runsOf(limited),
    builtIn: noLayer,
    mode: noLayer,
    isTainted: false,
  };
  for (const effect of request.effects) {
    if (effect.kind === "interact") continue;
    if (effect.kind === "execute" && effect.consequences === "listed") continue;
    if (allowanceFor(effect, allowing) !== undefined) continue;
    const rule: RuleRef = { rule: name, list: "deny", scope: "ceiling" };
    const reason = `It would ${describeEffect(effect, request.boundary)}, which ${name} does not allow.`;
    const finding = { verdict: "deny", text: reason, effect, rule } as const;
    return { kind: "deny", rule, reason, trail: [...own.trail, finding] };
  }
  return undefined;
}

type Unrefused = Exclude<Decision, { readonly kind: "deny" }>;

function stricter(own: Unrefused, above: Decision, name: string): Decision {
  const trail = [...own.trail, ...above.trail];
  if (above.kind === "deny") {
    const reason = `${name}, which started this agent, may not do this either. ${above.reason}`;
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
