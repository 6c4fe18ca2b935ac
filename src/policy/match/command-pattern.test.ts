import { expect, test } from "vitest";
import type { ExecuteEffect, Word } from "../../core/index.ts";
import { forbidsCommand } from "./command-pattern.ts";
import { readCommandPattern } from "./read-command-pattern.ts";

function execute(...argv: readonly Word[]): ExecuteEffect {
  return {
    kind: "execute",
    argv,
    assigns: [],
    via: [],
    consequences: "open",
    span: { start: 0, end: 1 },
  };
}

test.each<[string, ExecuteEffect, "yes" | "maybe" | "no"]>([
  ["lsof", execute("lsof"), "yes"],
  // Nothing in it is left to expand, so that it begins like the rule means nothing.
  ["lsof", execute("lso2"), "no"],
  ["git pushx", execute("git", "push"), "no"],
  // A backslash keeps the next character in its word, except in single quotes, where only a star needs one.
  ["cat a\\ b", execute("cat", "a b"), "yes"],
  ["cat 'a\\b'", execute("cat", "a\\b"), "yes"],
  ["cat 'a\\*'", execute("cat", "a*"), "yes"],
  ["cat 'a\\*'", execute("cat", "a\\b"), "no"],
  ["git push", execute("git", { dynamic: "$verb" }), "maybe"],
  ["git push", execute("npm", { dynamic: "$verb" }), "no"],
])("a rule on %s and the command %j: %s", (spec, effect, answer) => {
  const reading = readCommandPattern(spec);
  if (!("pattern" in reading)) throw new TypeError("The pattern was not read.");
  expect(forbidsCommand(reading.pattern, effect)).toBe(answer);
});
