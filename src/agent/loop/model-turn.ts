import { ToolError } from "../../core/index.ts";
import type { Answer, AnswerCollector } from "./assistant-message.ts";
import type { RunClock } from "./clock.ts";
import type { Model, ModelEvent, ModelRequest } from "../models/model.ts";
import { untilAborted } from "./abortable-stream.ts";

/** Delays before the second and the third attempt, in milliseconds. */
const backoff = [1000, 4000] as const;
/** Maximum delay, in milliseconds, that a provider may request; a run does not wait longer. */
const longestWaitMs = 60_000;

export interface ModelTurn {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly clock: RunClock;
  /** Creates an empty collector for an attempt; the caller keeps a reference to see what arrived before a failure. */
  collect(): AnswerCollector;
  /** Called with text and reasoning as they arrive. */
  onText(event: { type: "model-text" | "model-reasoning"; text: string }): void;
}

/**
 * Requests one answer of the model. Retries a failure, twice, only while nothing of the answer was seen: text that was
 * shown cannot be withdrawn, and a call must not arrive twice.
 */
export async function askModel(turn: ModelTurn): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    const collector = turn.collect();
    try {
      return await oneTry(turn, collector);
    } catch (cause) {
      const error = modelError(turn.model, cause);
      const wait = waitBefore(tries, error);
      if (collector.hasContent || wait === undefined || turn.request.signal.aborted) throw error;
      await turn.clock.sleep(wait, { signal: turn.request.signal });
    }
  }
}

async function oneTry(turn: ModelTurn, collector: AnswerCollector): Promise<Answer> {
  const { model, request } = turn;
  for await (const event of untilAborted(eventsOf(model, request), request.signal)) {
    collector.add(event);
    if (isText(event) && event.text !== "") {
      turn.onText({ type: `model-${event.type}`, text: event.text });
    }
  }
  const answer = collector.answer();
  if (answer.finish === "error" || (answer.finish === "interrupted" && !hasCalls(answer))) {
    throw new ToolError("MODEL_FAILED", `${model.id} stopped in the middle of its answer.`, {
      hint: "Run the task again, or use another model.",
    });
  }
  return answer;
}

/**
 * Events of the model. A model written in JavaScript may return a promise of its stream, to connect first; without the
 * await, its rejection would be unhandled and end the process.
 */
async function* eventsOf(
  model: Model,
  request: ModelRequest,
): AsyncGenerator<ModelEvent, void, undefined> {
  yield* await Promise.resolve(model.stream(request));
}

function isText(event: ModelEvent): event is Extract<ModelEvent, { type: "text" | "reasoning" }> {
  return event.type === "text" || event.type === "reasoning";
}

function hasCalls(answer: Answer): boolean {
  return answer.content.some(({ type }) => type === "tool-call");
}

function modelError(model: Model, cause: unknown): ToolError {
  if (ToolError.is(cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ToolError("MODEL_FAILED", `${model.id} failed: ${reason}`, {
    hint: "Check the model's settings, or use another model.",
    retryable: false,
    cause,
  });
}

function waitBefore(tries: number, error: ToolError): number | undefined {
  const wait = backoff[tries];
  if (wait === undefined || error.code !== "MODEL_FAILED" || !error.retryable) return undefined;
  const wanted = error.data?.["retryAfterMs"];
  if (typeof wanted !== "number") return wait;
  return wanted <= longestWaitMs ? Math.max(wait, wanted) : undefined;
}
