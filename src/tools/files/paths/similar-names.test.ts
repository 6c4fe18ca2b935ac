import { expect, test } from "vitest";
import { looksAlike, similarNames } from "./similar-names.ts";

test.for([
  { one: "it's.txt", other: "it\u2019s.txt", because: "a curly apostrophe" },
  { one: "it's.txt", other: "it\u00B4s.txt", because: "an acute accent for an apostrophe" },
  { one: "caf\u00E9", other: "cafe\u0301", because: "a decomposed letter" },
  { one: "a b", other: "a\u202Fb", because: "a narrow no-break space" },
  { one: "a b", other: "a\u3000b", because: "a wide space" },
  { one: "ab", other: "a\u200Bb", because: "a space of no width" },
  { one: "a-b", other: "a\u2013b", because: "a dash" },
  { one: "a1", other: "\uFF41\uFF11", because: "full-width letters" },
])("names that look the same are known to: $because", ({ one, other }) => {
  expect(looksAlike(one, other)).toBe(true);
  expect(similarNames(one, ["zzz", other])[0]).toBe(other);
});

test("names that look different do not, and a name is not like itself", () => {
  expect(looksAlike("a b", "ab")).toBe(false);
  expect(looksAlike("a", "A")).toBe(false);
  expect(looksAlike("a", "a")).toBe(false);
});
