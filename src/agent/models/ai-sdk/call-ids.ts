import { createHash } from "node:crypto";
import type { ToolCallPart } from "../../../session/index.ts";

/** Ids of calls that a provider accepts. */
export interface CallIdRule {
  accepts(id: string, tool: string): boolean;
  /** Id for a call; `attempt` counts from 0, and each attempt gives another id. */
  derive(call: NumberedCall, attempt: number): string;
}

interface NumberedCall {
  readonly id: string;
  readonly name: string;
  /** Number of calls before it in the conversation. */
  readonly index: number;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export const callIdRules = {
  /** Any text, as Gemini's, which has no rule. */
  any: {
    accepts: (id) => id !== "" && id.length <= 256,
    derive: ({ id }, attempt) => numbered(id === "" ? "call" : id, attempt, 256),
  },
  anthropic: wordRule(64),
  /** The chat protocol accepts at most 40 characters, responses at most 64. */
  openai: wordRule(40),
  /** Exactly nine letters and digits. */
  mistral: {
    accepts: (id) => /^[A-Za-z0-9]{9}$/u.test(id),
    derive({ id }, attempt) {
      const digest = createHash("sha256").update(`${attempt}:${id}`).digest();
      return Array.from(digest.subarray(0, 9), (byte) => letters[byte % letters.length]).join("");
    },
  },
  /** The model is trained on `functions.Name:index`, where the index counts all calls of the conversation. */
  kimi: {
    accepts: (id, tool) => id.startsWith(`functions.${tool}:`) && /:\d{1,9}$/u.test(id),
    derive: ({ name, index }, attempt) => `functions.${name}:${index + attempt}`,
  },
} as const satisfies Record<string, CallIdRule>;

/** Letters, digits, `_` and `-`. */
function wordRule(maxChars: number): CallIdRule {
  const word = new RegExp(`^[A-Za-z0-9_-]{1,${maxChars}}$`, "u");
  return {
    accepts: (id) => word.test(id),
    derive: ({ id }, attempt) =>
      numbered(id.replaceAll(/[^A-Za-z0-9_-]/gu, "_") || "call", attempt, maxChars),
  };
}

function numbered(id: string, attempt: number, maxChars: number): string {
  const suffix = attempt === 0 ? "" : `_${attempt + 1}`;
  return `${id.slice(0, maxChars - suffix.length)}${suffix}`;
}

/** Ids of one request's calls, in the order of the conversation. */
export interface CallIds {
  /** Id under which the provider gets a call. */
  ofCall(call: ToolCallPart): string;
  /** Id of the latest call that has this id in the conversation. */
  ofResult(callId: string, tool: string): string;
  /** Excludes an id that another part of the request has. */
  reserve(id: string): void;
}

/**
 * Maps the ids of a conversation to ids that the provider accepts: its own id of a call, otherwise the run's, otherwise
 * one that is derived. Each is unique within the request. It depends only on the call and on calls before it, so it
 * stays the same while the conversation grows, and a cached prompt stays valid.
 */
export function callIds(rule: CallIdRule): CallIds {
  const taken = new Set<string>();
  const latest = new Map<string, string>();
  let index = 0;
  const take = (call: NumberedCall, wanted: readonly string[]): string => {
    let id = wanted.find((each) => rule.accepts(each, call.name) && !taken.has(each));
    for (let attempt = 0; id === undefined; attempt += 1) {
      const derived = rule.derive(call, attempt);
      if (!taken.has(derived)) id = derived;
    }
    taken.add(id);
    latest.set(call.id, id);
    index += 1;
    return id;
  };
  return {
    ofCall: ({ id, providerCallId, name }) =>
      take({ id, name, index }, providerCallId === undefined ? [id] : [providerCallId, id]),
    ofResult: (callId, tool) =>
      latest.get(callId) ?? take({ id: callId, name: tool, index }, [callId]),
    reserve: (id) => {
      taken.add(id);
    },
  };
}
