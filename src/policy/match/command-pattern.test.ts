import { expect, test } from "vitest";
import type { ExecuteEffect, Word } from "../../core/index.ts";
import { forbidsCommand, readCommandPattern } from "./command-pattern.ts";

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
  ["git push", execute("git", { dynamic: "$verb" }), "maybe"],
  ["git push", execute("npm", { dynamic: "$verb" }), "no"],
])("a rule on %s and the command %j: %s", (spec, effect, answer) => {
  const reading = readCommandPattern(spec);
  if (!("pattern" in reading)) throw new TypeError("The pattern was not read.");
  expect(forbidsCommand(reading.pattern, effect)).toBe(answer);
});
