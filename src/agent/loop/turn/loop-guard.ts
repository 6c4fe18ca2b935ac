import { createHash } from "node:crypto";
import type { Outcome } from "../../../core/index.ts";
import type { ToolCallPart } from "../../../session/index.ts";

/** Number of turns with an identical call after which the model gets a note, and after which the run ends. */
const warnAt = 3;
const stopAt = 5;

/** Reaction to a call with this result. */
type LoopVerdict =
  | { readonly kind: "fine" }
  | { readonly kind: "warn" | "stop"; readonly note: string };

/** Counts calls that repeat with the same result. */
export interface LoopGuard {
  /** Starts a turn. Identical calls of one turn count once: they were made together, without seeing each other's result. */
  startTurn(): void;
  seen(call: ToolCallPart, outcome: Outcome): LoopVerdict;
}

/**
 * Detects calls without progress: the same tool, input and result repeatedly. A tool for which `isPolling` returns true
 * may repeat. A file change that was not made before is progress and restarts the count: running the same check after
 * each of several edits is not a loop, making and reverting one edit is.
 */
export function loopGuard(isPolling: (tool: string) => boolean): LoopGuard {
  const counts = new Map<string, number>();
  const changes = new Set<string>();
  const thisTurn = new Set<string>();
  return {
    startTurn: () => thisTurn.clear(),
    seen(call, outcome) {
      const request = digest(outcome.tool, canonical(call.input));
      if (isChange(outcome) && !changes.has(request)) {
        changes.add(request);
        counts.clear();
      }
      const key = digest(request, outcome.status, outcome.text);
      const times = (counts.get(key) ?? 0) + (thisTurn.has(key) ? 0 : 1);
      thisTurn.add(key);
      counts.set(key, times);
      if (times < warnAt || isPolling(outcome.tool)) return { kind: "fine" };
      return times < stopAt
        ? { kind: "warn", note: warning(times) }
        : { kind: "stop", note: stopping(outcome.tool, times) };
    },
  };
}

function warning(times: number): string {
  return `Note: this call has given the same result in ${times} turns. Repeating it will not help. Try something else, or say what prevents you from continuing. The run stops at ${stopAt}.`;
}

function stopping(tool: string, times: number): string {
  return `${tool} was called in ${times} turns with the same input and the same result.`;
}

function isChange(outcome: Outcome): boolean {
  return outcome.status === "ok" && outcome.effects.some(({ kind }) => kind === "write");
}

/** Canonical form of an input, so that two spellings of it are equal. */
function canonical(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    return JSON.stringify(value, sortedKeys);
  } catch {
    return input;
  }
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function digest(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}
