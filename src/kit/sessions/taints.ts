import type { Taint } from "../../pipeline/index.ts";
import type { Message } from "../../session/index.ts";

/** Taint of each session whose calls were judged in this process. */
export type Taints = Map<string | undefined, Taint>;

export function taintOf(taints: Taints, sessionId: string | undefined): Taint {
  const known = taints.get(sessionId);
  if (known !== undefined) return known;
  const fresh = {
    untrustedSeen: false,
    privateRead: false,
    mayBeUntrusted: false,
    mayBePrivate: false,
    secretsHidden: false,
  };
  taints.set(sessionId, fresh);
  return fresh;
}

/** Gives a new session the taint of the one that starts it: they exchange a task and an answer. */
export function shareTaint(taints: Taints, from: string | undefined, started: string): void {
  taints.set(started, taintOf(taints, from));
}

/** Marks a session that gets text whose origin is not known here: it may be private, and anyone may have written it. */
export function suspect(taints: Taints, sessionId: string | undefined): void {
  const taint = taintOf(taints, sessionId);
  taint.mayBeUntrusted = true;
  taint.mayBePrivate = true;
}

/** Marks a session that continues with results of calls that this process has not judged. */
export function suspectStored(
  taints: Taints,
  sessionId: string,
  messages: readonly Message[],
): void {
  if (!taints.has(sessionId) && messages.some(({ role }) => role === "tool")) {
    suspect(taints, sessionId);
  }
}
