import { ToolError } from "../../../core/index.ts";

/**
 * Messages with which providers refuse a request because it is too long, one entry for each wording. The first provider
 * named is the one that it was taken from; servers with its protocol often repeat it.
 */
const overflowMessages: readonly { readonly provider: string; readonly message: RegExp }[] = [
  { provider: "anthropic, bedrock", message: /prompt is too long/iu },
  { provider: "anthropic", message: /input length and `max_tokens` exceed context limit/iu },
  { provider: "anthropic", message: /request exceeds the maximum size/iu },
  { provider: "openai", message: /context_length_exceeded/iu },
  { provider: "openai responses", message: /exceeds? the context window/iu },
  { provider: "openai", message: /input tokens exceed the configured limit/iu },
  { provider: "openai", message: /input or output tokens must be reduced/iu },
  {
    provider: "openai, deepseek, openrouter, vllm",
    message: /maximum context length is [\d,]+/iu,
  },
  { provider: "google", message: /input token count.{0,40}exceeds the maximum number of tokens/iu },
  { provider: "bedrock", message: /input is too long for (?:the )?requested model/iu },
  { provider: "mistral", message: /too large for model with [\d,]+ maximum context length/iu },
  { provider: "xai", message: /maximum prompt length is [\d,]+/iu },
  { provider: "groq", message: /reduce the length of the messages/iu },
  { provider: "openrouter", message: /exceeds the maximum allowed input length/iu },
  { provider: "kimi", message: /exceeded model token limit/iu },
  { provider: "llama.cpp", message: /exceeds the available context size|exceed_context_size/iu },
  { provider: "lm studio", message: /greater than the context length/iu },
  { provider: "sglang", message: /longer than the model's context length/iu },
  { provider: "ollama", message: /exceeded max context length/iu },
];

/** Statuses that are about something else, whatever the text: keys, names, and providers that are busy. */
const otherStatuses: ReadonlySet<number> = new Set([401, 403, 404, 408, 409]);

/** Whether a provider refused a request because the conversation is longer than the model accepts. */
function isOverflow(text: string, status: number | undefined): boolean {
  if (status === 413) return true;
  if (status !== undefined && otherStatuses.has(status)) return false;
  return overflowMessages.some(({ message }) => message.test(text));
}

/**
 * Converts an error of a provider package, thrown or contained in a stream, to one that the user can act on; `data` has
 * the status and the requested delay.
 */
export function providerError(model: string, cause: unknown): ToolError {
  if (ToolError.is(cause)) return cause;
  const status = statusOf(cause);
  const retryAfterMs = retryAfter(field(cause, "responseHeaders"));
  const data = {
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  const reason = reasonOf(cause);
  if (isOverflow(searchedText(cause, reason), status)) {
    return new ToolError("CONTEXT_OVERFLOW", `${model} refused the conversation: ${reason}`, {
      hint: "Compact the conversation, or use a model with a larger context.",
      data,
      retryable: false,
      cause,
    });
  }
  const retryable = isRetryable(cause, status);
  return new ToolError("MODEL_FAILED", `${model} failed: ${reason}`, {
    hint: hintFor(cause, status, retryable),
    data,
    retryable,
    cause,
  });
}

/** Status of each kind of error that providers name instead of a status, as in the middle of a stream. */
const statusOfKind: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  // Anthropic
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
  // OpenAI and servers with its protocol
  ["rate_limit_exceeded", 429],
  ["server_error", 500],
  ["internal_server_error", 500],
  ["service_unavailable", 503],
  // Google
  ["INVALID_ARGUMENT", 400],
  ["UNAUTHENTICATED", 401],
  ["PERMISSION_DENIED", 403],
  ["NOT_FOUND", 404],
  ["RESOURCE_EXHAUSTED", 429],
  ["INTERNAL", 500],
  ["UNAVAILABLE", 503],
  ["DEADLINE_EXCEEDED", 504],
  // Bedrock
  ["ThrottlingException", 429],
  ["ValidationException", 400],
  ["InternalServerException", 500],
  ["ModelStreamErrorException", 500],
  ["ServiceUnavailableException", 503],
]);

function statusOf(cause: unknown): number | undefined {
  for (const source of [cause, field(cause, "error"), field(cause, "data")]) {
    for (const key of ["statusCode", "status", "code", "type"]) {
      const value = field(source, key);
      const status = statusOfKind.get(value) ?? Number(value);
      if (Number.isInteger(status) && status >= 400 && status < 600) return status;
    }
  }
  return undefined;
}

function reasonOf(cause: unknown): string {
  if (typeof cause === "string" && cause !== "") return cause;
  // A stream that broke after a good status: what broke it is the reason, the package's own message says nothing.
  const inner = field(cause, "statusCode") === 200 ? field(cause, "cause") : undefined;
  if (inner !== undefined) return reasonOf(inner);
  for (const source of [cause, field(cause, "error")]) {
    const message = field(source, "message");
    if (typeof message === "string" && message !== "") return message;
  }
  return "the provider gave no reason.";
}

/** Text in which a provider may say that the conversation is too long. */
function searchedText(cause: unknown, reason: string): string {
  const parts = [reason, field(cause, "responseBody"), field(cause, "code"), field(cause, "type")];
  return parts.filter((part) => typeof part === "string").join("\n");
}

function isRetryable(cause: unknown, status: number | undefined): boolean {
  if (status === 401 || status === 403 || status === 404) return false;
  const flag = field(cause, "isRetryable");
  if (typeof flag === "boolean") return flag;
  if (status !== undefined) return status === 408 || status === 429 || status >= 500;
  return isBrokenConnection(cause);
}

const brokenConnection =
  /^(?:ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_)/u;

/** Whether a connection or a stream broke, as fetch and the packages report it; the code is often on a nested cause. */
function isBrokenConnection(error: unknown): boolean {
  for (let each = error, depth = 0; each !== undefined && depth < 5; depth += 1) {
    const code = field(each, "code");
    if (typeof code === "string" && brokenConnection.test(code)) return true;
    const message = field(each, "message");
    const name = field(each, "name");
    if (name === "TypeError" && (message === "fetch failed" || message === "terminated"))
      return true;
    if (name === "TimeoutError" || name === "AI_JSONParseError") return true;
    if (typeof message === "string" && /stream ended without a finish/iu.test(message)) return true;
    each = field(each, "cause");
  }
  return false;
}

function hintFor(cause: unknown, status: number | undefined, retryable: boolean): string {
  if (field(cause, "name") === "AI_LoadAPIKeyError" || status === 401 || status === 403) {
    return "Check the provider's API key.";
  }
  if (status === 404) return "Check the model's name and the base URL.";
  if (status === 429) return "The provider limits how often it is asked: wait, then run it again.";
  return retryable
    ? "The provider cannot be reached or is busy: try again later."
    : "Check the model's name and settings, or use another model.";
}

/**
 * Delay in milliseconds from the headers of a response: milliseconds, seconds, or a date, which is compared with the
 * provider's own clock if the response says what it shows.
 */
function retryAfter(headers: unknown): number | undefined {
  const milliseconds = numberIn(field(headers, "retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const value = field(headers, "retry-after");
  const seconds = numberIn(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = dateIn(value);
  if (date === undefined) return undefined;
  return Math.max(0, date - (dateIn(field(headers, "date")) ?? Date.now()));
}

function numberIn(value: unknown): number | undefined {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return number >= 0 && Number.isFinite(number) ? number : undefined;
}

function dateIn(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
