import { nearestName } from "../../core/index.ts";
import { headAndTail, isRecord } from "../../text/index.ts";
import type { HookEvent } from "./hook-events.ts";

/** Answer of one hook, the same for every kind of handler. */
export interface HookAnswer {
  readonly decision?: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** Next step of the user who is asked because of it. */
  readonly hint?: string;
  /** Replaces the input of the call. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Text for the model. */
  readonly context?: string;
  /** Replaces the result that the model sees. */
  readonly output?: string;
  /** Text for the user. */
  readonly message?: string;
  /** The run is to end, for this reason. */
  readonly stop?: string;
}

/** An answer, or why it counts as a failure. */
export type AnswerReading =
  | { readonly kind: "answer"; readonly answer: HookAnswer }
  | { readonly kind: "invalid"; readonly why: string };

/** Longest text of an answer, in characters; a longer one is shortened in the middle. */
const maxTextChars = 10_000;

const topKeys = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "terminalSequence",
  "decision",
  "reason",
  "hookSpecificOutput",
] as const;

/**
 * Reads the JSON answer of a hook. Strict: an unknown key or a value of the wrong type makes the answer invalid, because
 * a gate whose answer is only half understood would be open.
 */
export function readAnswer(value: unknown, event: HookEvent): AnswerReading {
  if (!isRecord(value)) return invalid("its answer is not an object");
  const unknown = unknownKey(value, topKeys);
  if (unknown !== undefined) return invalid(`its answer has no key ${unknown}`);
  for (const key of ["stopReason", "systemMessage", "terminalSequence", "reason"] as const) {
    if (!isOptional(value[key], "string")) return invalid(`\`${key}\` is not a text`);
  }
  for (const key of ["continue", "suppressOutput"] as const) {
    if (!isOptional(value[key], "boolean")) return invalid(`\`${key}\` is not true or false`);
  }
  const top = topDecision(value["decision"], event);
  if (top === "invalid") {
    return invalid(`\`decision\` is ${JSON.stringify(value["decision"])}, which is not "block"`);
  }
  const specific = value["hookSpecificOutput"];
  const read: Reading = specific === undefined ? {} : readSpecific(specific, event);
  if ("why" in read) return invalid(read.why);
  const text = (key: string): string | undefined =>
    typeof value[key] === "string" ? shortened(value[key]) : undefined;
  const decision = read.decision === "deny" || top === "deny" ? "deny" : (read.decision ?? top);
  const reason = read.reason ?? text("reason");
  const message = text("systemMessage");
  return {
    kind: "answer",
    answer: {
      ...(decision === undefined ? {} : { decision }),
      ...(reason === undefined ? {} : { reason }),
      ...(read.input === undefined ? {} : { input: read.input }),
      ...(read.context === undefined ? {} : { context: read.context }),
      ...(read.output === undefined ? {} : { output: read.output }),
      ...(message === undefined ? {} : { message }),
      ...(value["continue"] === false || read.stops === true
        ? { stop: text("stopReason") ?? reason ?? "A hook ended the run." }
        : {}),
    },
  };
}

interface Specific {
  readonly decision?: HookAnswer["decision"];
  readonly reason?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly context?: string;
  readonly output?: string;
  readonly stops?: boolean;
}

type Reading = Specific | { readonly why: string };

function readSpecific(value: unknown, event: HookEvent): Reading {
  if (!isRecord(value)) return { why: "`hookSpecificOutput` is not an object" };
  const unknown = unknownKey(value, ["hookEventName", ...event.answers]);
  if (unknown !== undefined) {
    return { why: `\`hookSpecificOutput\` of ${event.name} has no key ${unknown}` };
  }
  const { hookEventName: name, additionalContext: context, updatedToolOutput: output } = value;
  if (name !== event.name) {
    return {
      why: `\`hookEventName\` is ${JSON.stringify(name) ?? "missing"}, not "${event.name}"`,
    };
  }
  if (!isOptional(context, "string")) return { why: "`additionalContext` is not a text" };
  if (!isOptional(output, "string")) return { why: "`updatedToolOutput` is not a text" };
  const texts = {
    ...(typeof context === "string" ? { context: shortened(context) } : {}),
    ...(typeof output === "string" ? { output } : {}),
  };
  if (value["decision"] !== undefined) {
    const read = readPermission(value["decision"]);
    return "why" in read ? read : { ...texts, ...read };
  }
  const { permissionDecision: decision, permissionDecisionReason: reason, updatedInput } = value;
  if (decision !== undefined && decision !== "allow" && decision !== "ask" && decision !== "deny") {
    return {
      why: `\`permissionDecision\` is ${JSON.stringify(decision)}, not "allow", "ask" or "deny"`,
    };
  }
  if (!isOptional(reason, "string")) return { why: "`permissionDecisionReason` is not a text" };
  if (updatedInput !== undefined && !isRecord(updatedInput)) {
    return { why: "`updatedInput` is not an object" };
  }
  return {
    ...texts,
    ...(decision === undefined ? {} : { decision }),
    ...(typeof reason === "string" ? { reason: shortened(reason) } : {}),
    ...(updatedInput === undefined ? {} : { input: updatedInput }),
  };
}

/** Reads the answer to an approval question. */
function readPermission(value: unknown): Reading {
  if (!isRecord(value)) return { why: "`decision` is not an object" };
  const { behavior, updatedInput, message, interrupt } = value;
  if (value["updatedPermissions"] !== undefined) {
    return { why: "`updatedPermissions` does not exist here: rules are saved by the user" };
  }
  const unknown = unknownKey(value, ["behavior", "updatedInput", "message", "interrupt"]);
  if (unknown !== undefined) return { why: `\`decision\` has no key ${unknown}` };
  if (behavior !== "allow" && behavior !== "deny") {
    return {
      why: `\`behavior\` is ${JSON.stringify(behavior) ?? "missing"}, not "allow" or "deny"`,
    };
  }
  if (updatedInput !== undefined && !isRecord(updatedInput)) {
    return { why: "`updatedInput` is not an object" };
  }
  if (!isOptional(message, "string")) return { why: "`message` is not a text" };
  if (!isOptional(interrupt, "boolean")) return { why: "`interrupt` is not true or false" };
  return {
    decision: behavior,
    ...(typeof message === "string" ? { reason: shortened(message) } : {}),
    ...(updatedInput === undefined ? {} : { input: updatedInput }),
    ...(interrupt === true && behavior === "deny" ? { stops: true } : {}),
  };
}

/** Reads the decision at the top of an answer, which older hooks write. */
function topDecision(value: unknown, event: HookEvent): HookAnswer["decision"] | "invalid" {
  if (value === undefined) return undefined;
  if (value === "block" && event.blocks !== undefined) return "deny";
  if (event.name === "PreToolUse" && (value === "approve" || value === "allow")) return "allow";
  if (event.name === "PreToolUse" && value === "deny") return "deny";
  return "invalid";
}

function unknownKey(
  record: Readonly<Record<string, unknown>>,
  known: readonly string[],
): string | undefined {
  const unknown = Object.keys(record).find((key) => !known.includes(key));
  if (unknown === undefined) return undefined;
  const name = unknown.slice(0, 64);
  const near = nearestName(name, known);
  return `${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`}`;
}

function isOptional(value: unknown, type: "string" | "boolean"): boolean {
  return value === undefined || typeof value === type;
}

/** A text that is no longer than a hook may say. */
export function shortened(text: string): string {
  return headAndTail(text, { limit: maxTextChars, tailShare: 0.5 }).text;
}

function invalid(why: string): AnswerReading {
  return { kind: "invalid", why };
}
