import { ToolError } from "../core/index.ts";
import type { Answer, AnswerCollector } from "./answer.ts";
import type { RunClock } from "./clock.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";
import { untilAborted } from "./until-aborted.ts";

/** Waits before the second and the third try, in milliseconds. */
const backoff = [1000, 4000] as const;
/** A provider that wants to be left alone for longer than this is not waited for. */
const longestWaitMs = 60_000;

export interface ModelTurn {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly clock: RunClock;
  /** Makes an empty collector for a try; the caller keeps it to see what came before a failure. */
  collect(): AnswerCollector;
  /** Text and reasoning as they come. */
  onText(event: { type: "model-text" | "model-reasoning"; text: string }): void;
}

/**
 * One answer of the model. A failure is tried again, twice, only while nothing of the answer was seen: what
 * was shown cannot be taken back, and a call must not come twice.
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

/** Written in JavaScript, a model may promise its stream, to connect first; a promise nobody takes would end the program. */
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
