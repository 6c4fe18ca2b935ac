import { expect, test } from "vitest";
import type { Answer } from "../../core/index.ts";
import { checkAnswer } from "./check-answer.ts";

function check(answer: unknown, from: "hook" | "user" = "user"): Answer {
  return checkAnswer(answer, from);
}

test.each([
  { kind: "once" },
  { kind: "abort" },
  { kind: "deny" },
  { kind: "deny", reason: "no" },
  { kind: "deny-all" },
  { kind: "deny-all", reason: "no" },
  { kind: "edit", input: undefined },
  { kind: "edit", input: { a: 1 } },
  ...["session", "local", "project", "user"].map((scope) => ({
    kind: "save",
    rule: "Edit",
    scope,
  })),
])("%j is an answer", (answer) => {
  expect(check(answer)).toBe(answer);
});

test.each([
  { answer: undefined, named: "undefined" },
  { answer: null, named: "object" },
  { answer: true, named: "boolean" },
  { answer: "once", named: "string" },
  { answer: {}, named: "kind undefined" },
  { answer: { kind: "yes" }, named: 'kind "yes"' },
  { answer: { kind: "deny", reason: 7 }, named: 'kind "deny"' },
  { answer: { kind: "deny-all", reason: 7 }, named: 'kind "deny-all"' },
  { answer: { kind: "edit" }, named: 'kind "edit"' },
  { answer: { kind: "save", scope: "user" }, named: 'kind "save"' },
  { answer: { kind: "save", rule: "Edit" }, named: 'kind "save"' },
  { answer: { kind: "save", rule: "Edit", scope: "world" }, named: 'kind "save"' },
])("$answer is not an answer, and so not a yes", ({ answer, named }) => {
  const message = `The answer to the question is invalid (${named}).`;

  expect(() => check(answer)).toThrow(
    expect.objectContaining({
      code: "APPROVAL_REQUIRED",
      message,
      hint: "Fix the program that asks; the call did not run.",
    }),
  );
  expect(() => check(answer, "hook")).toThrow(
    expect.objectContaining({
      message,
      hint: "Fix the permission hook; the call did not run.",
    }),
  );
});
