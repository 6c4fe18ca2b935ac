import { isWithin, type Effect } from "../core/index.ts";

/**
 * Whether two calls must keep their program order. They may run together only when no effect of one can change
 * what the other sees or does.
 */
export function conflict(one: readonly Effect[], other: readonly Effect[]): boolean {
  for (const left of one) {
    for (const right of other)
      if (effectsConflict(left, right) || effectsConflict(right, left)) return true;
  }
  return false;
}

/** Asked both ways round, so that each case names only what the left effect minds. */
function effectsConflict(left: Effect, right: Effect): boolean {
  switch (left.kind) {
    case "unknown":
      return unknownConflicts(left.origin, right);
    case "write":
      return (right.kind === "write" || right.kind === "read") && overlap(left, right);
    case "delegate":
      // Agents of one turn are meant to work side by side; what they change nobody else may be looking at.
      return right.kind === "write" || right.kind === "read" || right.kind === "execute";
    case "interact":
      return right.kind === "interact";
    case "execute":
      return left.consequences === "open" && right.kind !== "interact";
    case "read":
    case "connect":
      return false;
  }
}

/** Two servers cannot see each other's state, so only calls of one server keep their order among servers. */
function unknownConflicts(origin: string, right: Effect): boolean {
  if (right.kind === "interact") return false;
  if (right.kind !== "unknown") return true;
  return !(isServer(origin) && isServer(right.origin)) || origin === right.origin;
}

function isServer(origin: string): boolean {
  return origin.startsWith("mcp__");
}

/** Also a file and a folder around it: removing or making the folder decides whether the file can be there at all. */
function overlap(one: { readonly path: string }, other: { readonly path: string }): boolean {
  return isWithin(one.path, other.path) || isWithin(other.path, one.path);
}
