import { expect, test } from "vitest";
import { ToolError } from "../../core/index.ts";
import { errorOfTool } from "./call-errors.ts";

test("an unexpected error of a tool is INTERNAL and has the error as its cause", () => {
  const cause = new TypeError("x is not a function");

  const error = errorOfTool("Build", cause);

  expect(error).toMatchObject({
    code: "INTERNAL",
    message: "Build failed unexpectedly: x is not a function.",
    hint: expect.stringContaining("fault in the tool"),
  });
  expect(error.cause).toBe(cause);
});

test("an error of haft's own stays as it is", () => {
  const cause = new ToolError("NOT_FOUND", "There is no such file.");

  expect(errorOfTool("Read", cause)).toBe(cause);
});
