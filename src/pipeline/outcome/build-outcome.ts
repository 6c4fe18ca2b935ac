import {
  contentText,
  type DecisionRecord,
  type Effect,
  type ErrorInfo,
  type Outcome,
  type ToolError,
} from "../../core/index.ts";
import { noEffects, noRepairs, type PublicRecord } from "../call-state.ts";
import type { Finished, StateOf } from "../step.ts";
import type { AnswerParts } from "../environment/environment.ts";
import { withStrings } from "../../text/index.ts";
import { redact } from "../../redact/index.ts";
import { factChars, shortFacts, shortText } from "./shorten-metadata.ts";

const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});

/** A call that has ended; its public record is cached in it. */
type Ended = StateOf<"told", "ended">;

/**
 * Builds the outcome for the caller and for readers of the event log: plain JSON with secrets redacted in every
 * field.
 */
export function outcomeOf(state: Ended, environment: AnswerParts): Outcome {
  const { result, error } = state;
  const change = changeOf(environment);
  const name = state.tool?.name ?? state.call.name;
  const outcome: Mutable<Outcome> = {
    id: state.id,
    tool: name,
    status: statusOf(state),
    isError: error !== undefined || result?.isError === true,
    content: state.content,
    text: contentText(state.content),
    // Truncated after redaction: half a secret is not recognized.
    title: shortText(
      change(result?.title ?? liveTitle(state) ?? titleOf(state, name)),
      factChars.title,
    ),
    summary: shortText(change(result?.summary ?? error?.message ?? ""), factChars.summary),
    metadata: factsOf(metadataOf(state), change),
    trust: state.trust,
    effects: noEffects,
    repairs: shown(state.repairs, change) ?? noRepairs,
    durationMs: state.durationMs,
  };
  if (state.structured !== undefined && error === undefined) {
    outcome.structuredContent = state.structured;
  }
  if (error !== undefined) outcome.error = errorInfo(error, change);
  const { effects, decision } = publicRecordOf(state, change);
  outcome.effects = effects;
  if (decision !== undefined) outcome.decision = decision;
  if (state.artifact !== undefined) outcome.artifact = state.artifact;
  if (state.undo !== undefined) outcome.undo = state.undo;
  return outcome;
}

/** Returns the effects and the decision with secrets redacted, for the decision event and the outcome. */
export function publicRecordOf(state: Ended, change: Change): PublicRecord {
  const { effects, decision, answeredBy, told } = state;
  if (
    told !== undefined &&
    told.of.effects === effects &&
    told.of.decision === decision &&
    told.of.answeredBy === answeredBy
  ) {
    return told;
  }
  const made: PublicRecord = {
    of: { effects, decision, answeredBy },
    effects: shown(effects, change) ?? noEffects,
    decision: decision && recordOf(state, change),
  };
  // Cached only if the effects share no object with the tool's list, which the tool could change later.
  if (effects.every(isFlat)) state.told = made;
  return made;
}

function recordOf(state: Finished, change: Change): DecisionRecord {
  const record = decisionRecord(state);
  // The record of a call without effects quotes neither its input nor a rule, so it contains no secret.
  const isPlain = state.effects.length === 0 && record.kind === "allow";
  return isPlain ? record : (shown(record, change) ?? record);
}

/** Whether a copy of the effect shares no object with the list that the tool created. */
function isFlat(effect: Effect): boolean {
  for (const value of Object.values(effect)) if (typeof value === "object") return false;
  return true;
}

function factsOf(
  facts: Readonly<Record<string, unknown>>,
  change: Change,
): Readonly<Record<string, unknown>> {
  if (facts === noMetadata) return facts;
  return shown(shortFacts(facts), change) ?? noMetadata;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type Change = (text: string) => string;

/** Returns the conversion applied to every published text. */
export function changeOf({ redactSecrets }: AnswerParts): (text: string) => string {
  return redactSecrets ? redact : unchanged;
}

function unchanged(text: string): string {
  return text;
}

function shown<T>(value: T, change: Change): T | undefined {
  if (isKnownEmpty(value)) return value;
  return withStrings(value, change);
}

function isKnownEmpty(value: unknown): boolean {
  return value === noEffects || value === noRepairs || value === noMetadata;
}

function errorInfo(error: ToolError, change: Change): ErrorInfo {
  const { data, ...said } = error.toJSON();
  const plain = data === undefined ? undefined : shown(shortFacts(data), change);
  const { message, hint, ...coded } = said;
  return {
    ...coded,
    message: shortText(change(message), factChars.message),
    ...(hint === undefined ? {} : { hint: shortText(change(hint), factChars.summary) }),
    ...(plain === undefined ? {} : { data: plain }),
  };
}

function statusOf({ error, result }: Finished): Outcome["status"] {
  if (error === undefined) return result?.isError === true ? "failed" : "ok";
  if (error.code === "ABORTED") return "aborted";
  return error.type === "permission" && error.code !== "UNDECLARED_EFFECT" ? "denied" : "failed";
}

/** Title that the tool reported while it ran. */
function liveTitle({ liveMetadata }: Finished): string | undefined {
  const title = liveMetadata?.["title"];
  return typeof title === "string" ? title : undefined;
}

function titleOf(state: Finished, name: string): string {
  const { tool } = state;
  // For an input that does not fit the schema, the signature would be misleading.
  if (tool?.signature === undefined || state.registered === undefined || !state.isValid)
    return tool?.displayName ?? name;
  try {
    return tool.signature(state.input);
  } catch {
    return name;
  }
}

function metadataOf(state: Finished): Readonly<Record<string, unknown>> {
  const { result, liveMetadata, confined, unkept } = state;
  const more = unkept === undefined ? confined?.metadata : { ...confined?.metadata, unkept };
  if (liveMetadata === undefined && more === undefined) return result?.metadata ?? noMetadata;
  return { ...liveMetadata, ...result?.metadata, ...more };
}

/** Returns the decision without the fields that only the steps need. */
function decisionRecord(state: Finished): DecisionRecord {
  const { decision, answeredBy } = state;
  if (decision === undefined) throw new TypeError("This call was not decided.");
  const record: Mutable<DecisionRecord> = { kind: decision.kind, trail: decision.trail };
  if (decision.rule !== undefined) record.rule = decision.rule;
  if (decision.kind !== "allow") record.reason = decision.reason;
  if (decision.kind === "ask") record.answeredBy = answeredBy ?? "none";
  return record;
}
