import { expect, test } from "vitest";
import { didYouMean, nearestWords } from "./nearest.ts";

const verbs = [
  "call",
  "tools",
  "explain",
  "run",
  "mcp",
  "history",
  "undo",
  "redo",
  "doctor",
  "demo",
];

test.each([
  ["cal", ["call"], "a letter is missing"],
  ["tolos", ["tools"], "two neighbours are swapped"],
  ["exlpain", ["explain"], "two neighbours are swapped"],
  ["RUN", ["run"], "letter case does not count as a mistake"],
  ["hist", ["history"], "the beginning of a word"],
  ["doctro", ["doctor"], "the end is swapped"],
  ["ndo", ["undo"], "one letter away beats two"],
  ["frobnicate", [], "nothing is near"],
  ["--", [], "nothing was typed"],
])("%s is near %j: %s", (word, expected) => {
  expect(nearestWords(word, verbs)).toEqual(expected);
});

test("a guess is a question, none is silence", () => {
  expect(didYouMean("cal", verbs)).toBe(" Did you mean call?");
  expect(didYouMean("xyzzy", verbs)).toBe("");
});
