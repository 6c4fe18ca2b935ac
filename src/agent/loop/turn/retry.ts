import { createHash } from "node:crypto";
import { ToolError, type NewEvent } from "../../../core/index.ts";
import { messageOf } from "../../../text/index.ts";
import type { Model } from "../../models/model.ts";

/** Repetition of model requests that failed for a passing reason. */
export interface RetryOptions {
  /** Maximum number of requests to one model for one turn. Default 5. */
  readonly attempts?: number;
  /** Delay before the second request in milliseconds; it doubles with each further one. Default 1,000. */
  readonly baseMs?: number;
  /** Maximum delay in milliseconds. A provider that asks for a longer one is not asked again. Default 60,000. */
  readonly maxMs?: number;
}

export type Retry = Required<RetryOptions>;

/** Another request that follows a failed one. */
export interface RepeatedRequest {
  readonly model: string;
  /** Number of the request to this model in this turn, from 1. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: ToolError;
}

/** Event that reports another request. */
export function retryEvent(
  run: { readonly runId: string; readonly turn: number },
  { error, ...again }: RepeatedRequest,
): NewEvent {
  return { type: "model-retry", ...run, ...again, code: error.code, reason: error.message };
}

export function checkedRetry(given: RetryOptions = {}): Retry {
  const { attempts = 5, baseMs = 1000, maxMs = 60_000 } = given;
  return { attempts, baseMs, maxMs };
}

/**
 * Delay before another request after `failed` requests; undefined if there is to be none. The provider's own request
 * (Retry-After) is the minimum. Jitter is between half of the delay and all of it, and depends on `seed`, so that runs
 * that failed together do not return together.
 */
export function retryDelay(
  { attempts, baseMs, maxMs }: Retry,
  {
    failed,
    error,
    seed,
  }: { readonly failed: number; readonly error: ToolError; readonly seed: string },
): number | undefined {
  if (error.code !== "MODEL_FAILED" || !error.retryable || failed >= attempts) return undefined;
  const delay = Math.min(maxMs, baseMs * 2 ** (failed - 1));
  const own = Math.round(delay * (0.5 + fractionOf(`${seed}:${failed}`) / 2));
  const wanted = error.data?.["retryAfterMs"];
  if (typeof wanted !== "number") return own;
  return wanted <= maxMs ? Math.max(own, Math.ceil(wanted)) : undefined;
}

/** Number from 0 to 1 that a text determines. */
function fractionOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;
}

/** Error of a model request, with a hint; an unknown failure is not retried. */
export function modelError(model: Model, cause: unknown): ToolError {
  if (ToolError.is(cause)) return cause;
  return new ToolError("MODEL_FAILED", `${model.id} failed: ${messageOf(cause)}`, {
    hint: "Check the model's settings, or use another model.",
    retryable: false,
    cause,
  });
}
