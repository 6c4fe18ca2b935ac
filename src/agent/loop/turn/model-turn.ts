import { ToolError } from "../../../core/index.ts";
import type { Model, ModelEvent, ModelRequest } from "../../models/model.ts";
import type { RunClock } from "../clock.ts";
import { onAbort, untilAborted } from "./abortable-stream.ts";
import type { Answer, AnswerCollector } from "./assistant-message.ts";
import { checkedEvent } from "./checked-event.ts";
import { modelError, retryDelay, type RepeatedRequest, type Retry } from "./retry.ts";

/** A request whose cost is reserved; `settle` replaces the reservation by what it used. */
export interface PreparedRequest {
  readonly request: Omit<ModelRequest, "signal">;
  /** `answer` is what arrived; undefined for a request that the provider refused. */
  settle(answer: Pick<Answer, "content" | "usage"> | undefined): void;
}

export interface ModelTurn {
  /** The model of the run, then those that are asked if it fails. */
  readonly models: readonly Model[];
  readonly clock: RunClock;
  readonly signal: AbortSignal;
  readonly retry: Retry;
  /** Maximum milliseconds between two events of a stream. */
  readonly idleMs: number;
  /** Text that differs between runs and turns. */
  readonly seed: string;
  /** Builds a request; throws if a limit forbids it. */
  prepare(model: Model): Promise<PreparedRequest>;
  /** Creates an empty collector for an attempt. */
  collect(): AnswerCollector;
  /** Called with text and reasoning as they arrive. */
  onText(event: { type: "model-text" | "model-reasoning"; text: string }): void;
  /** Called if an attempt fails after something of its answer was shown. */
  onDiscard(error: ToolError): void;
  /** Called before another request. */
  onRetry(retry: RepeatedRequest): void;
}

/** Answer with the model that gave it, serializable as JSON. */
export interface ModelAnswer extends Answer {
  readonly model: string;
}

/**
 * Requests one answer. An attempt that fails is discarded, also after its first token, and repeated if that may help;
 * when a model is given up, the next one is asked. An aborted run and a conversation that is too long are not retried.
 */
export async function askModels(turn: ModelTurn): Promise<ModelAnswer> {
  let last: ToolError | undefined;
  for (const [index, model] of turn.models.entries()) {
    if (last !== undefined) turn.onRetry({ model: model.id, attempt: 1, waitMs: 0, error: last });
    try {
      return { ...(await askOne(turn, model)), model: model.id };
    } catch (cause) {
      const isLast = index === turn.models.length - 1;
      if (isLast || turn.signal.aborted || !ToolError.is(cause)) throw cause;
      if (cause.code !== "MODEL_FAILED") throw cause;
      last = cause;
    }
  }
  throw new TypeError("A turn needs a model.");
}

async function askOne(turn: ModelTurn, model: Model): Promise<Answer> {
  for (let failed = 1; ; failed += 1) {
    const prepared = await turn.prepare(model);
    const collector = turn.collect();
    try {
      const answer = await oneAttempt(turn, { model, request: prepared.request, collector });
      prepared.settle(answer);
      return answer;
    } catch (cause) {
      const error = modelError(model, cause);
      prepared.settle(isRefusal(error, collector) ? undefined : collector.answer());
      if (turn.signal.aborted) throw error;
      if (collector.hasContent) turn.onDiscard(error);
      const waitMs = retryDelay(turn.retry, { failed, error, seed: `${turn.seed}:${model.id}` });
      if (waitMs === undefined) throw error;
      turn.onRetry({ model: model.id, attempt: failed + 1, waitMs, error });
      await turn.clock.sleep(waitMs, { signal: turn.signal });
    }
  }
}

/** Whether the provider answered with an error and nothing else: it has worked on nothing and charges nothing. */
function isRefusal(error: ToolError, { hasContent }: AnswerCollector): boolean {
  return !hasContent && error.data?.["status"] !== undefined;
}

interface Attempt {
  readonly model: Model;
  readonly request: Omit<ModelRequest, "signal">;
  readonly collector: AnswerCollector;
}

async function oneAttempt(
  turn: ModelTurn,
  { model, request, collector }: Attempt,
): Promise<Answer> {
  const controller = new AbortController();
  const { signal } = controller;
  const unlink = onAbort(turn.signal, () => controller.abort(turn.signal.reason));
  const onIdle = (): void => controller.abort(silent(model, turn.idleMs));
  let cancel = turn.clock.timer(turn.idleMs, onIdle);
  const size = answerSize();
  try {
    for await (const sent of untilAborted(eventsOf(model, { ...request, signal }), signal)) {
      cancel();
      cancel = turn.clock.timer(turn.idleMs, onIdle);
      const event = checkedEvent(model, sent);
      if (event === undefined) continue;
      if (size.with(event) > maxAnswerChars) throw endless(model);
      collector.add(event);
      if (isText(event) && event.text !== "") {
        turn.onText({ type: `model-${event.type}`, text: event.text });
      }
    }
  } finally {
    cancel();
    unlink();
  }
  const answer = collector.answer();
  if (answer.finish !== "error" && answer.finish !== "interrupted") return answer;
  throw new ToolError("MODEL_FAILED", `${model.id} stopped in the middle of its answer.`, {
    hint: "Run the task again, or use another model.",
  });
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

/** Maximum characters of an answer, far above what any model may send: one that repeats itself ends here. */
const maxAnswerChars = 30_000_000;
/** Characters for which each event counts, so that a stream of empty ones ends too. */
const eventChars = 8;

/** Adds up the characters of an answer. The input of a call counts as it arrives, and only once. */
function answerSize(): { with(event: ModelEvent): number } {
  let chars = 0;
  let arrived = 0;
  return {
    with(event) {
      chars += eventChars;
      if (isText(event)) chars += event.text.length;
      if (event.type === "tool-input") {
        arrived += event.text.length;
        chars += event.text.length;
      }
      if (event.type === "tool-call") {
        const counted = Math.min(arrived, event.input.length);
        arrived -= counted;
        chars += event.input.length - counted;
      }
      return chars;
    },
  };
}

function endless(model: Model): ToolError {
  return new ToolError(
    "MODEL_FAILED",
    `${model.id} sent more than ${maxAnswerChars.toLocaleString("en")} characters in one answer.`,
    { hint: "Set limits.maxOutputTokens, or use another model.", retryable: false },
  );
}

function isText(event: ModelEvent): event is Extract<ModelEvent, { type: "text" | "reasoning" }> {
  return event.type === "text" || event.type === "reasoning";
}

function silent(model: Model, idleMs: number): ToolError {
  return new ToolError("MODEL_FAILED", `${model.id} sent nothing for ${idleMs} ms.`, {
    hint: "Run the task again, or raise limits.idleMs.",
  });
}
