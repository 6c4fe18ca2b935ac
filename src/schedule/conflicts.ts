import { isWithin } from "../text/index.ts";
import { type Effect } from "../core/index.ts";

/**
 * Whether two calls must run in program order. They may run together only if no effect of one can change the result of
 * the other.
 */
export function conflict(one: readonly Effect[], other: readonly Effect[]): boolean {
  for (const left of one) {
    for (const right of other)
      if (effectsConflict(left, right) || effectsConflict(right, left)) return true;
  }
  return false;
}

/**
 * Whether the left effect conflicts with the right one. Called both ways round, so each case lists only the conflicts
 * of the left effect.
 */
function effectsConflict(left: Effect, right: Effect): boolean {
  switch (left.kind) {
    case "unknown":
      return unknownConflicts(left.origin, right);
    case "write":
      return (right.kind === "write" || right.kind === "read") && overlap(left, right);
    case "delegate":
      // Agents of one turn are meant to run in parallel, but no other call may read or change the files they change.
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

/**
 * Whether an unknown effect conflicts. MCP servers cannot see each other's state, so two calls to servers keep their
 * order only if the server is the same.
 */
function unknownConflicts(origin: string, right: Effect): boolean {
  if (right.kind === "interact") return false;
  if (right.kind !== "unknown") return true;
  // That the left one is a server is asked the other way round.
  return !isServer(right.origin) || origin === right.origin;
}

function isServer(origin: string): boolean {
  return origin.startsWith("mcp__");
}

/**
 * Whether two paths are equal or one contains the other: removing or creating a directory decides whether a file in it
 * can exist.
 */
function overlap(one: { readonly path: string }, other: { readonly path: string }): boolean {
  return isWithin(one.path, other.path) || isWithin(other.path, one.path);
}
