import { expect, test } from "vitest";
import { ToolError } from "../../../core/index.ts";
import { providerError } from "./provider-error.ts";

function apiError(statusCode: number, more: object = {}): Error {
  return Object.assign(new Error("it says why"), { statusCode, ...more });
}

test.each([
  { cause: apiError(401), retryable: false, hint: "Check the provider's API key." },
  { cause: apiError(403), retryable: false, hint: "Check the provider's API key." },
  {
    cause: Object.assign(new Error("no key"), { name: "AI_LoadAPIKeyError" }),
    retryable: false,
    hint: "Check the provider's API key.",
  },
  { cause: apiError(404), retryable: false, hint: "Check the model's name and the base URL." },
  {
    cause: apiError(429),
    retryable: true,
    hint: "The provider limits how often it is asked: wait, then run it again.",
  },
  {
    cause: apiError(500),
    retryable: true,
    hint: "The provider cannot be reached or is busy: try again later.",
  },
  {
    cause: apiError(408),
    retryable: true,
    hint: "The provider cannot be reached or is busy: try again later.",
  },
  {
    cause: apiError(400),
    retryable: false,
    hint: "Check the model's name and settings, or use another model.",
  },
  {
    cause: apiError(400, { isRetryable: true }),
    retryable: true,
    hint: "The provider cannot be reached or is busy: try again later.",
  },
  {
    cause: apiError(503, { isRetryable: false }),
    retryable: false,
    hint: "Check the model's name and settings, or use another model.",
  },
  {
    cause: new TypeError("fetch failed"),
    retryable: true,
    hint: "The provider cannot be reached or is busy: try again later.",
  },
  {
    cause: new TypeError("terminated", { cause: new Error("other side closed") }),
    retryable: true,
    hint: "The provider cannot be reached or is busy: try again later.",
  },
  {
    cause: new Error("read ECONNRESET", { cause: { code: "ECONNRESET" } }),
    retryable: true,
    hint: "The provider cannot be reached or is busy: try again later.",
  },
  {
    cause: new DOMException("The operation timed out.", "TimeoutError"),
    retryable: true,
    hint: "The provider cannot be reached or is busy: try again later.",
  },
  {
    cause: apiError(529),
    retryable: true,
    hint: "The provider cannot be reached or is busy: try again later.",
  },
  {
    cause: apiError(401, { isRetryable: true }),
    retryable: false,
    hint: "Check the provider's API key.",
  },
  {
    cause: new TypeError("x is not a function"),
    retryable: false,
    hint: "Check the model's name and settings, or use another model.",
  },
])("$cause.statusCode $cause.message: $hint", ({ cause, retryable, hint }) => {
  expect(providerError("p:m", cause)).toMatchObject({
    code: "MODEL_FAILED",
    message: `p:m failed: ${cause.message}`,
    retryable,
    hint,
  });
});

test.each([
  { headers: { "retry-after": "7" }, retryAfterMs: 7000 },
  { headers: { "retry-after-ms": "70", "retry-after": "7" }, retryAfterMs: 70 },
  {
    headers: {
      "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT",
      date: "Wed, 21 Oct 2026 07:27:30 GMT",
    },
    retryAfterMs: 30_000,
  },
  {
    headers: {
      "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT",
      date: "Wed, 21 Oct 2026 07:29:00 GMT",
    },
    retryAfterMs: 0,
  },
  { headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, retryAfterMs: 0 },
  { headers: { "retry-after": "soon" }, retryAfterMs: undefined },
  { headers: { "retry-after": "" }, retryAfterMs: undefined },
  { headers: { "retry-after": "-1" }, retryAfterMs: 0 },
  { headers: {}, retryAfterMs: undefined },
  { headers: undefined, retryAfterMs: undefined },
])("the wait in $headers is $retryAfterMs", ({ headers, retryAfterMs }) => {
  const error = providerError("p:m", apiError(429, { responseHeaders: headers }));

  expect(error.data).toEqual({
    status: 429,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
});

test.each([
  { cause: "plain text", reason: "plain text" },
  { cause: { message: "in an object" }, reason: "in an object" },
  { cause: undefined, reason: "the provider gave no reason." },
  { cause: {}, reason: "the provider gave no reason." },
])("the reason in $cause is $reason", ({ cause, reason }) => {
  expect(providerError("p:m", cause).message).toBe(`p:m failed: ${reason}`);
});

test("our own errors stay what they are", () => {
  const error = new ToolError("ABORTED", "Enough.");

  expect(providerError("p:m", error)).toBe(error);
});

test.each([
  { error: { type: "overloaded_error", message: "Overloaded" }, status: 529, retryable: true },
  { error: { type: "api_error", message: "Internal" }, status: 500, retryable: true },
  { error: { type: "rate_limit_error", message: "Slow" }, status: 429, retryable: true },
  { error: { error: { code: "server_error", message: "Sorry" } }, status: 500, retryable: true },
  { error: { code: 503, message: "Unavailable" }, status: 503, retryable: true },
  { error: { code: "429", message: "Slow" }, status: 429, retryable: true },
  { error: { status: "RESOURCE_EXHAUSTED", message: "Quota" }, status: 429, retryable: true },
  { error: { type: "invalid_request_error", message: "No" }, status: 400, retryable: false },
  { error: { type: "authentication_error", message: "No" }, status: 401, retryable: false },
])("an error in a stream, $error, has status $status", ({ error, status, retryable }) => {
  const converted = providerError("p:m", error);

  expect(converted).toMatchObject({ code: "MODEL_FAILED", retryable, data: { status } });
  expect(converted.message).toMatch(/^p:m failed: \w+$/u);
});

test.each([
  "prompt is too long: 210000 tokens > 200000 maximum",
  "input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000",
  "Request exceeds the maximum size",
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 477469 tokens.",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  "The model returned the following errors: Input is too long for requested model.",
  "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  "Please reduce the length of the messages or completion.",
  "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens",
  "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
  "Your request exceeded model token limit: 262144",
  "the request exceeds the available context size, try increasing it",
  "The number of tokens to keep from the initial prompt is greater than the context length.",
  "The input (1492905 tokens) is longer than the model's context length (1048576 tokens).",
  "prompt too long; exceeded max context length by 12 tokens",
])("%j is an overflow, thrown or in a stream", (message) => {
  const thrown = Object.assign(new Error(message), { statusCode: 400, isRetryable: false });

  for (const cause of [thrown, { type: "invalid_request_error", message }]) {
    expect(providerError("p:m", cause)).toMatchObject({
      code: "CONTEXT_OVERFLOW",
      message: `p:m refused the conversation: ${message}`,
      hint: "Compact the conversation, or use a model with a larger context.",
      retryable: false,
    });
  }
});

test.each([
  { cause: apiError(413), because: "the status says that the request is too large" },
  {
    cause: apiError(400, { responseBody: '{"error":{"code":"context_length_exceeded"}}' }),
    because: "the code is only in the body",
  },
  {
    cause: { code: "context_length_exceeded", message: "Too long" },
    because: "the code is in an error of the stream",
  },
  {
    cause: Object.assign(
      new Error(
        "Request too large: Limit 30000, Requested 40000. The input or output tokens must be reduced",
      ),
      { statusCode: 429 },
    ),
    because: "the request alone exceeds the rate limit, so waiting does not help",
  },
])("$cause is an overflow, because $because", ({ cause }) => {
  expect(providerError("p:m", cause)).toMatchObject({ code: "CONTEXT_OVERFLOW", retryable: false });
});

test.each([
  { message: "Too many tokens, please wait before trying again.", statusCode: 429 },
  { message: "max_tokens: must be at most 64000", statusCode: 400 },
  { message: "This model's maximum context length is unknown", statusCode: 404 },
  { message: "prompt is too long to be served to this key", statusCode: 403 },
])("$message with $statusCode is another error", ({ message, statusCode }) => {
  const error = Object.assign(new Error(message), { statusCode });

  expect(providerError("p:m", error)).toMatchObject({ code: "MODEL_FAILED" });
});

test("a stream that broke after a good status is retryable, and the reason is what broke it", () => {
  const cause = Object.assign(new TypeError("terminated"), {
    cause: new Error("other side closed"),
  });
  const error = Object.assign(new Error("Failed to process successful response"), {
    statusCode: 200,
    isRetryable: true,
    cause,
  });

  expect(providerError("p:m", error)).toMatchObject({
    message: "p:m failed: terminated",
    retryable: true,
    data: {},
  });
});

test.each([
  Object.assign(new Error("Response stream ended without a finish reason."), {
    name: "AI_InvalidResponseDataError",
  }),
  Object.assign(new Error("JSON parsing failed"), { name: "AI_JSONParseError" }),
])("$name is retryable", (cause) => {
  expect(providerError("p:m", cause)).toMatchObject({ code: "MODEL_FAILED", retryable: true });
});
