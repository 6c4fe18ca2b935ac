import { expect, test } from "vitest";
import { compileHostPattern, matchesHost } from "./host-pattern.ts";

test.each([
  { pattern: "*", host: "a.org", is: true },
  { pattern: "a.org", host: "A.ORG.", is: true },
  { pattern: "a.org", host: "x.a.org", is: false },
  { pattern: "a.org", host: "a.org.evil", is: false },
  { pattern: "*.a.org", host: "x.y.a.org", is: true },
  { pattern: "*.a.org", host: "a.org", is: false },
  { pattern: "*.a.org", host: "xa.org", is: false },
  { pattern: "*.a.org", host: "x.a.org.evil", is: false },
  { pattern: "*.a.*", host: "x.a.org", is: true },
  { pattern: "*.a.*", host: "x.y.a.org", is: true },
  { pattern: "*.a.*", host: "x.y.b.org", is: false },
  { pattern: "*.a.*", host: "x.a.b.org", is: false },
  { pattern: "*.a.*", host: "a.org", is: false },
  { pattern: "x*.a.*", host: "y.x.a.org", is: false },
  { pattern: "x*.a.*", host: "xy.a.org", is: true },
  { pattern: "a.*", host: "a.b.org", is: false },
  { pattern: "[::1]", host: "::1", is: true },
  { pattern: "[::1]:3000", host: "[::1]", is: true },
  { pattern: "[::1]", host: "::2", is: false },
])("$pattern matches $host: $is", ({ pattern, host, is }) => {
  const compiled = compileHostPattern(pattern);
  if (typeof compiled === "string") throw new TypeError(compiled);

  expect(matchesHost(compiled, host)).toBe(is);
});

test.each([
  ["*", false],
  ["*.*", false],
  ["a.*", false],
  ["*.org", true],
  ["a.org", true],
  ["*.1*", true],
])("%s names its domain: %s", (pattern, isNamed) => {
  expect(compileHostPattern(pattern)).toMatchObject({ isNamed, isAny: pattern === "*" });
});
