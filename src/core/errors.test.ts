import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorCodes, ToolError } from "./errors.ts";

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
