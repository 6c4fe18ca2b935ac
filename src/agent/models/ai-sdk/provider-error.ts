import { ToolError } from "../../../core/index.ts";

type ErrorShape = Readonly<Record<string, unknown>>;

/**
 * Converts an error of a provider package to one that the user can act on; `data` has the status and the requested
 * delay.
 */
export function providerError(model: string, cause: unknown): ToolError {
  if (ToolError.is(cause)) return cause;
  const shape = isRecord(cause) ? cause : {};
  const status = typeof shape["statusCode"] === "number" ? shape["statusCode"] : undefined;
  const retryable = isRetryable(shape, status);
  const retryAfterMs = retryAfter(shape["responseHeaders"]);
  return new ToolError("MODEL_FAILED", `${model} failed: ${reasonOf(cause)}`, {
    hint: hintFor(shape, status, retryable),
    data: {
      ...(status === undefined ? {} : { status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
    retryable,
    cause,
  });
}

function reasonOf(cause: unknown): string {
  if (typeof cause === "string") return cause;
  const message = isRecord(cause) ? cause["message"] : undefined;
  return typeof message === "string" && message !== "" ? message : "the provider gave no reason.";
}

function isRetryable(shape: ErrorShape, status: number | undefined): boolean {
  if (typeof shape["isRetryable"] === "boolean") return shape["isRetryable"];
  if (status !== undefined) return status === 408 || status === 429 || status >= 500;
  // A broken connection, as fetch reports it.
  return shape["name"] === "TypeError" && shape["message"] === "fetch failed";
}

function hintFor(shape: ErrorShape, status: number | undefined, retryable: boolean): string {
  if (shape["name"] === "AI_LoadAPIKeyError" || status === 401 || status === 403) {
    return "Check the provider's API key.";
  }
  if (status === 404) return "Check the model's name and the base URL.";
  if (status === 413) return "The conversation is too long for this model: start a new session.";
  if (status === 429) return "The provider limits how often it is asked: wait, then run it again.";
  return retryable
    ? "The provider cannot be reached or is busy: try again later."
    : "Check the model's name and settings, or use another model.";
}

/** Delay in milliseconds from the headers of providers, which give milliseconds or seconds; a date is ignored. */
function retryAfter(headers: unknown): number | undefined {
  if (!isRecord(headers)) return undefined;
  const milliseconds = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  return seconds >= 0 ? seconds * 1000 : undefined;
}

function isRecord(value: unknown): value is ErrorShape {
  return typeof value === "object" && value !== null;
}
