import type { Effect, WriteEffect } from "../core/index.ts";
import { isWithin } from "../text/index.ts";

/** Access that an operation requires, in the terms of effects. */
export type RequiredAccess =
  | { readonly kind: "read"; readonly path: string; readonly scope: "file" | "tree" }
  | {
      readonly kind: "write";
      readonly path: string;
      readonly scope: "file" | "tree";
      readonly change: "create" | "modify" | "delete";
    }
  | { readonly kind: "execute"; readonly program: string }
  | { readonly kind: "connect"; readonly host: string; readonly port: number };

/** Maximum number of effects named in an error; the rest are counted. */
const maxNamed = 6;

/** Whether a declared effect covers the access. */
export function isCovered(need: RequiredAccess, effect: Effect): boolean {
  switch (need.kind) {
    case "read":
      // A declared write includes reading the same path.
      return (effect.kind === "read" || effect.kind === "write") && isPathCovered(need, effect);
    case "write":
      return (
        effect.kind === "write" && isChangeCovered(need, effect) && isPathCovered(need, effect)
      );
    case "execute":
      return effect.kind === "execute";
    case "connect":
      return (
        effect.kind === "connect" &&
        bareHost(effect.host) === bareHost(need.host) &&
        (effect.port === undefined || effect.port === need.port)
      );
  }
}

function isPathCovered(
  need: { readonly path: string; readonly scope: "file" | "tree" },
  effect: { readonly path: string; readonly scope: "file" | "tree" },
): boolean {
  if (effect.scope === "tree") return isWithin(effect.path, need.path);
  return need.scope === "file" && effect.path === need.path;
}

function isChangeCovered(need: { readonly change: string }, effect: WriteEffect): boolean {
  return effect.change === "any" || effect.change === need.change;
}

/**
 * Host name in lower case, without the brackets of an IPv6 address and without the dot that ends a fully qualified
 * name.
 */
function bareHost(host: string): string {
  return host.toLowerCase().replaceAll(/^\[|\]$|\.$/gu, "");
}

export function describeNeed(need: RequiredAccess): string {
  switch (need.kind) {
    case "read":
      return `read ${need.path}${need.scope === "tree" ? " and everything below it" : ""}`;
    case "write":
      return `${need.change} ${need.path}${need.scope === "tree" ? " and everything below it" : ""}`;
    case "execute":
      return `start ${need.program}`;
    case "connect":
      return `connect to ${need.host}:${need.port}`;
  }
}

/** Lists declared effects for an error. */
export function describeAll(effects: readonly Effect[]): string {
  if (effects.length === 0) return "nothing";
  const named = effects.slice(0, maxNamed).map(describeEffect);
  const rest = effects.length - named.length;
  return rest > 0 ? `${named.join(", ")} and ${rest} more` : named.join(", ");
}

function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case "read":
      return `read ${effect.path}${effect.scope === "tree" ? "/**" : ""}`;
    case "write":
      return `${effect.change === "any" ? "write" : effect.change} ${effect.path}${effect.scope === "tree" ? "/**" : ""}`;
    case "execute": {
      const [program] = effect.argv;
      return `start ${typeof program === "string" ? program : "a program"}`;
    }
    case "connect":
      return `connect to ${effect.host}${effect.port === undefined ? "" : `:${effect.port}`}`;
    case "delegate":
      return `delegate to ${effect.agent}`;
    case "interact":
      return "interact";
    case "unknown":
      return "unknown";
  }
}
