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
    cause: apiError(413),
    retryable: false,
    hint: "The conversation is too long for this model: start a new session.",
  },
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
  { headers: { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" }, retryAfterMs: undefined },
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
