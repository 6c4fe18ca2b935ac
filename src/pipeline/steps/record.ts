import { quietly } from "../../text/index.ts";
import { type Effect, type Outcome } from "../../core/index.ts";
import { eventSource } from "../event-source.ts";
import type { PipelineEnvironment, RecordParts } from "../environment/environment.ts";
import type { Finished, StateOf } from "../step.ts";
import { outcomeOf } from "../outcome/build-outcome.ts";

/**
 * Records the outcome of the call in the event log and as an OpenTelemetry span.
 *
 * Runs last, so that the record contains exactly what the model sees.
 */
export function record(
  state: StateOf<"durationMs" | "told", "ended">,
  environment: PipelineEnvironment,
): Outcome {
  const endedAt = environment.now();
  state.durationMs = endedAt - state.startedAt;
  const outcome = outcomeOf(state, environment);
  remember(state, environment);
  environment.emit({
    type: "call-end",
    callId: state.id,
    outcome,
    ...eventSource(state.options),
  });
  if (environment.tracer !== undefined)
    quietly(() => trace(state, environment, { outcome, endedAt }));
  return outcome;
}

/** Updates the session's taint, which affects decisions about later calls. */
function remember(state: Finished, environment: PipelineEnvironment): void {
  // A failed call may have revealed content in its output or in its error.
  if (!state.hasRun) return;
  if (state.effects.length === 0 && state.trust !== "untrusted") return;
  const taint = environment.taint(state.options.sessionId);
  if (state.trust === "untrusted") taint.untrustedSeen = true;
  taint.privateRead ||= state.effects.some(({ kind }) => kind === "read");
  taint.mayBePrivate ||= state.effects.some((effect) => isUnknownRead(effect));
}

/**
 * Whether it is not known what is read: a server or a program may read private files, and a request that is not limited
 * to public addresses may reach a private page, or send the user's keys for private data.
 */
function isUnknownRead(effect: Effect): boolean {
  if (effect.kind === "connect") return effect.reach !== "public";
  return effect.kind === "unknown" || (effect.kind === "execute" && effect.consequences === "open");
}

/** Attribute names of the OpenTelemetry semantic conventions for generative AI, `execute_tool` spans. */
function trace(
  state: Finished,
  { tracer }: RecordParts,
  { outcome, endedAt }: { readonly outcome: Outcome; readonly endedAt: number },
): void {
  const span = tracer?.startSpan(`execute_tool ${outcome.tool}`, {
    startTime: state.startedAt,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": outcome.tool,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": outcome.id,
      "haft.decision": outcome.decision?.kind ?? "none",
      ...(outcome.error === undefined ? {} : { "error.type": outcome.error.code }),
    },
  });
  if (outcome.error !== undefined) span?.setStatus({ code: 2, message: outcome.error.message });
  span?.end(endedAt);
}
