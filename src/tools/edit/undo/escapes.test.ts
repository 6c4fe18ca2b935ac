import { expect, test } from "vitest";
import { isInQuotes } from "./escapes.ts";

test.for([
  { before: 'say("a", "', is: true },
  { before: 'say("a", "b", ', is: false },
  { before: 'say("', is: true },
  { before: "don't ", is: false },
])("a quote is open behind $before: $is", ({ before, is }) => {
  expect(isInQuotes(before)).toBe(is);
});
