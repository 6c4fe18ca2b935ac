import { isWithin } from "../../text/index.ts";
import {
  type Exclusion,
  type ReadEffect,
  type RuleRef,
  type WriteEffect,
} from "../../core/index.ts";
import type { Allowing } from "../match/allow-effects.ts";
import { isSpelled } from "../match/allow-effects.ts";
import { isInside, type Boundary } from "./boundary.ts";
import { holds } from "../match/match-rules.ts";
import { coversPath } from "../match/path-pattern.ts";
import type { DecideRequest } from "./request.ts";

/** A secret that is the target of an effect, or is inside the tree of an effect. */
export interface FoundSecret {
  readonly ref: RuleRef;
  /** True for a secret at the path itself, false for one inside the tree. */
  readonly isAt: boolean;
}

/** Returns the secret for which an effect needs the user's approval, because no rule of the user names it. */
export function secretOf(
  effect: ReadEffect | WriteEffect,
  allowing: Allowing,
): FoundSecret | undefined {
  const { request, runs } = allowing;
  const { secrets, readOnlyRoots } = request.boundary;
  if (secrets === undefined) return undefined;
  const asked = request.requested?.get(effect.path);
  for (const path of asked === undefined ? [effect.path] : [effect.path, ...asked]) {
    const secret = secrets.at(path);
    if (secret === undefined) continue;
    if (effect.kind === "read" && isInside(path, readOnlyRoots)) return undefined;
    if (namesSecret(effect, secret, request) || isSpelled(effect, allowing)) return undefined;
    return { ref: refOf(secret), isAt: true };
  }
  if (effect.kind === "write" || effect.scope !== "tree") return undefined;
  // Tools skip secrets below a path.
  if (effect.by === undefined || runs.length === 0) return undefined;
  const [first] = secrets.below(effect.path);
  return first === undefined ? undefined : { ref: refOf(effect.path + first), isAt: false };
}

const nothing: readonly never[] = Object.freeze([]);

/** Returns the secrets inside a tree that is read, as exclusions. */
export function secretsWithin(tree: string, { secrets }: Boundary): readonly Exclusion[] {
  const patterns = secrets?.below(tree) ?? nothing;
  if (patterns.length === 0) return nothing;
  return patterns.map((pattern) => ({
    root: tree,
    pattern,
    rule: refOf(`${tree === "/" ? "" : tree}${pattern}`).rule,
  }));
}

/** Returns the secret because of which a path is excluded from a tree that is read. */
export function secretWithin(path: string, boundary: Boundary): string | undefined {
  if (isInside(path, boundary.readOnlyRoots)) return undefined;
  const secret = boundary.secrets?.at(path);
  return secret === undefined ? undefined : refOf(secret).rule;
}

/** Whether an allow rule begins at the secret or in it; a rule for the whole home directory does not cover it. */
function namesSecret(
  effect: ReadEffect | WriteEffect,
  secret: string,
  request: DecideRequest,
): boolean {
  const isTree = effect.scope === "tree";
  return request.rules.allow[effect.kind].some(
    ({ rule, pattern }) =>
      pattern !== undefined &&
      holds(rule, request) &&
      pattern.places.some(({ prefix }) => isWithin(secret, prefix)) &&
      coversPath(pattern, { path: effect.path, isTree, lenient: false }),
  );
}

function refOf(path: string): RuleRef {
  return { rule: `Read(/${path})`, list: "ask", scope: "built-in" };
}
