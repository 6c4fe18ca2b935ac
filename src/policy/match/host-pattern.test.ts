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

  expect(matchesHost(compiled, host, "allow")).toBe(is);
  expect(matchesHost(compiled, host, "deny")).toBe(is);
});

test.each([
  ["münchen.de", "xn--mnchen-3ya.de", true],
  ["xn--mnchen-3ya.de", "münchen.de", true],
  ["*.münchen.de", "x.xn--mnchen-3ya.de", true],
  ["MÜNCHEN.DE.", "xn--mnchen-3ya.de", true],
  ["example.com", "ｅxample。com", true],
  ["[2001:db8:0::1]", "2001:db8::1", true],
  ["[2001:db8::1]", "[2001:db8:0:0::1]", true],
  ["192.0.2.2", "3221225986", false],
  ["192.0.2.2", "0xc0000202", false],
  ["192.0.2.2", "0xC0.0.514", false],
  ["192.0.2.2", "0300.0.2.2", false],
  ["8.0.0.1", "010.0.0.1", false],
  ["10.0.0.1", "010.0.0.1", false],
  ["192.0.2.2", "[::ffff:192.0.2.2]", false],
  ["192.0.2.*", "[::ffff:c000:202]", false],
  ["192.0.2.2", "１９２.0.2。2", true],
  ["192.0.2.2", "0300.0.2.２", false],
  ["a.7.xn--mnchen-3ya.de", "a.7.münchen.de", true],
  ["7.münchen.de", "7.xn--mnchen-3ya.de", true],
  ["fass.de", "faß.de", false],
  ["faß.de", "faß.de", false],
  ["faß.de", "xn--fa-hia.de", true],
  ["*.example.com", "faß.example.com", true],
])("a rule for %s denies %s; in an allow list it covers it: %s", (pattern, host, isCovered) => {
  const compiled = compileHostPattern(pattern);
  if (typeof compiled === "string") throw new TypeError(compiled);

  expect(matchesHost(compiled, host, "deny")).toBe(true);
  expect(matchesHost(compiled, host, "ask")).toBe(true);
  expect(matchesHost(compiled, host, "allow")).toBe(isCovered);
});

test.each([
  ["192.0.2.2", "192.0.2.3"],
  ["192.0.2.2", "3221225987"],
  ["192.0.2.2", "[::ffff:192.0.2.3]"],
  ["10.0.0.1", "0x10.0.0.1"],
  ["example.com", "münchen.de"],
  ["a.org", "999.999.999.999"],
])("a rule for %s does not deny %s", (pattern, host) => {
  const compiled = compileHostPattern(pattern);
  if (typeof compiled === "string") throw new TypeError(compiled);

  expect(matchesHost(compiled, host, "deny")).toBe(false);
});

test.each(["2130706433", "0x7f.1", "127.1", "010.0.0.1"])(
  "a rule for %s is not readable",
  (text) => {
    expect(compileHostPattern(text)).toContain("four decimal numbers");
  },
);

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
