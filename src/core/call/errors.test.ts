import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorCodes, ToolError, type ErrorInfo } from "./errors.ts";

test("the reference has one section for each code, in the order of the table", () => {
  const sections = readFileSync("docs/reference/errors.md", "utf8").match(/^## (\S+)$/gmu);

  expect(sections?.map((line) => line.slice(3))).toEqual(Object.keys(errorCodes));
});

test("an error of another copy of the package is recognised, a plain one is not", () => {
  const foreign = { [Symbol.for("haft.ToolError")]: true };

  expect(ToolError.is(foreign)).toBe(true);
  expect(ToolError.is(new Error("x"))).toBe(false);
  expect(ToolError.is(null)).toBe(false);
});

test("an error says its type, whose move it is and whether a retry can help, by its code", () => {
  const error = new ToolError("TIMEOUT", "Too slow.", { hint: "Do less." });

  expect(error.toJSON()).toEqual({
    code: "TIMEOUT",
    type: "timeout",
    message: "Too slow.",
    hint: "Do less.",
    retryable: true,
  });
  expect(error.move).toBe("model");
  expect(new ToolError("TIMEOUT", "x", { retryable: false }).retryable).toBe(false);
});

test("an error as data holds what it has and no more", () => {
  const plain = new ToolError("TIMEOUT", "Too slow.");
  const full = new ToolError("TIMEOUT", "Too slow.", { hint: "Do less.", data: { ms: 5 } });

  expect(Object.keys(plain.toJSON())).toEqual(["code", "type", "message", "retryable"]);
  expect(full.toJSON()).toMatchObject({ hint: "Do less.", data: { ms: 5 } });
});

test("each code has a type, says who acts next, and whether a retry can help", () => {
  const rows = Object.entries(errorCodes).map(
    ([code, { type, move, retryable }]) =>
      `${code}: ${type}, ${move}${retryable ? ", retryable" : ""}`,
  );

  expect(rows).toMatchInlineSnapshot(`
    [
      "UNKNOWN_TOOL: validation, model",
      "INVALID_JSON: validation, model",
      "INCOMPLETE_CALL: validation, model",
      "INVALID_INPUT: validation, model",
      "BLOCKED_BY_HOOK: permission, model",
      "PERMISSION_DENIED: permission, user",
      "APPROVAL_REQUIRED: permission, user",
      "DENIED_BY_USER: permission, model",
      "OUTSIDE_WORKSPACE: permission, user",
      "UNDECLARED_EFFECT: permission, host",
      "ABORTED: execution, user, retryable",
      "TIMEOUT: timeout, model, retryable",
      "NOT_FOUND: execution, model",
      "ALREADY_EXISTS: execution, model",
      "IS_DIRECTORY: execution, model",
      "NOT_A_DIRECTORY: execution, model",
      "NOT_A_FILE: execution, model",
      "BINARY_FILE: execution, model",
      "TOO_LARGE: execution, model",
      "ACCESS_DENIED: execution, user",
      "NO_SPACE: execution, user, retryable",
      "PATH_CHANGED: execution, model, retryable",
      "LINK_LOOP: execution, model",
      "STALE_READ: execution, model",
      "NOT_READ: execution, model",
      "NO_MATCH: execution, model",
      "AMBIGUOUS_MATCH: execution, model",
      "NO_CHANGE: execution, model",
      "TOOL_FAILED: execution, model",
      "COMMAND_FAILED: execution, model",
      "LIMIT_REACHED: execution, user",
      "UNAVAILABLE: execution, host, retryable",
      "MODEL_FAILED: execution, host, retryable",
      "CONTEXT_OVERFLOW: execution, host",
      "INTERNAL: unknown, host",
    ]
  `);
});

test("the code of an error narrows its data, for the compiler and at run time", () => {
  const error: unknown = new ToolError("AMBIGUOUS_MATCH", "Two matches.", { data: { lines: [3] } });

  expect(ToolError.is(error, "NO_MATCH")).toBe(false);
  if (!ToolError.is(error, "AMBIGUOUS_MATCH")) throw new Error("The code was not recognized.");
  const lines: readonly number[] | undefined = error.data?.lines;
  expect(lines).toEqual([3]);

  const info: ErrorInfo = error.toJSON();
  expect(info.code === "AMBIGUOUS_MATCH" ? info.data?.lines : undefined).toEqual([3]);
  // @ts-expect-error A fact that the code lists has its type.
  expect(new ToolError("LIMIT_REACHED", "Full.", { data: { limit: 3 } }).data?.limit).toBe(3);
});
