import { contentText, type DecisionRecord, type Outcome } from "../core/index.ts";
import type { CallState } from "./call-state.ts";

const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});

/** What became of the call, as its caller and every reader of the event log see it. */
export function outcomeOf(state: CallState): Outcome {
  const { result, error } = state;
  const name = state.tool?.name ?? state.call.name;
  const outcome: Mutable<Outcome> = {
    id: state.id,
    tool: name,
    status: statusOf(state),
    isError: error !== undefined || result?.isError === true,
    content: state.content,
    text: contentText(state.content),
    title: result?.title ?? titleOf(state, name),
    summary: result?.summary ?? error?.message ?? "",
    metadata: metadataOf(state),
    trust: state.trust,
    effects: state.effects,
    repairs: state.repairs,
    durationMs: state.durationMs,
  };
  if (result?.structuredContent !== undefined && error === undefined) {
    outcome.structuredContent = result.structuredContent;
  }
  if (error !== undefined) outcome.error = error.toJSON();
  if (state.decision !== undefined) outcome.decision = decisionRecord(state);
  if (state.artefact !== undefined) outcome.artefact = state.artefact;
  if (state.undo !== undefined) outcome.undo = state.undo;
  return outcome;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function statusOf({ error, result }: CallState): Outcome["status"] {
  if (error === undefined) return result?.isError === true ? "failed" : "ok";
  if (error.code === "ABORTED") return "aborted";
  return error.type === "permission" && error.code !== "UNDECLARED_EFFECT" ? "denied" : "failed";
}

function titleOf(state: CallState, name: string): string {
  const { tool } = state;
  if (tool?.signature === undefined || state.registered === undefined)
    return tool?.displayName ?? name;
  try {
    return tool.signature(state.input);
  } catch {
    return name;
  }
}

function metadataOf({ result, liveMetadata }: CallState): Readonly<Record<string, unknown>> {
  if (liveMetadata === undefined) return result?.metadata ?? noMetadata;
  return { ...liveMetadata, ...result?.metadata };
}

/** The decision without what only the steps need. */
export function decisionRecord(state: CallState): DecisionRecord {
  const { decision, answeredBy } = state;
  if (decision === undefined) throw new TypeError("This call was not decided.");
  const record: Mutable<DecisionRecord> = { kind: decision.kind, trail: decision.trail };
  if (decision.rule !== undefined) record.rule = decision.rule;
  if (decision.kind !== "allow") record.reason = decision.reason;
  if (decision.kind === "ask") record.answeredBy = answeredBy ?? "nobody";
  return record;
}
