import { describe, expect, test } from "vitest";
import { compileWildcard, isEverything, matchesWildcard, mayMatchFrom } from "./wildcard.ts";

describe("text with stars", () => {
  test.each([
    { pattern: "a", text: "a", is: true },
    { pattern: "a", text: "ab", is: false },
    { pattern: "a*", text: "a", is: true },
    { pattern: "a*", text: "ba", is: false },
    { pattern: "*a", text: "ba", is: true },
    { pattern: "a*a", text: "a", is: false },
    { pattern: "a*a", text: "aa", is: true },
    { pattern: "a*b*c", text: "aXbYc", is: true },
    { pattern: "a*b*c", text: "aXcYb", is: false },
    { pattern: "a*bc*c", text: "abc", is: false },
    { pattern: "*ab*ab*", text: "xabab", is: true },
    { pattern: "*ab*ab*", text: "xab", is: false },
    { pattern: "**", text: "", is: true },
    { pattern: "", text: "", is: true },
    { pattern: "", text: "a", is: false },
  ])("$pattern on $text: $is", ({ pattern, text, is }) => {
    expect(matchesWildcard(compileWildcard(pattern), text)).toBe(is);
  });

  test.each([
    { pattern: "abc", start: "ab", may: true },
    { pattern: "abc", start: "abcd", may: false },
    { pattern: "abc", start: "x", may: false },
    { pattern: "a*", start: "abc", may: true },
    { pattern: "a*", start: "b", may: false },
  ])("$pattern may match from $start: $may", ({ pattern, start, may }) => {
    expect(mayMatchFrom(compileWildcard(pattern), start)).toBe(may);
  });

  test("stars alone are everything", () => {
    expect(["*", "**", "", "a*"].map((text) => isEverything(compileWildcard(text)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
