import * as fc from "fast-check";
import { expect, test } from "vitest";
import { signSearch } from "./prefix-search.ts";
import { runs } from "../../test/support/law-runs.ts";

const signs = ["abc", "bca", "aab", "://", "-----END ", "cabbage", "ab-"];
const search = signSearch(signs);

test("it finds what a look at every place finds first", () => {
  const text = fc
    .array(fc.constantFrom(...signs, "a", "b", "c", ":", "/", "-", "\u00E9", "\u{1F600}", " "))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.nat(20), (whole, from) => {
      const places = Array.from({ length: whole.length }, (_, at) => at).slice(from);
      const first = places.find((at) => signs.some((sign) => whole.startsWith(sign, at)));
      const found = search(whole, from);

      expect(found?.at).toBe(first);
      expect(found === undefined || whole.startsWith(found.sign, found.at)).toBe(true);
    }),
    { numRuns: runs(2000) },
  );
});

test("in bytes it finds the same", () => {
  const text = fc
    .array(fc.constantFrom(...signs, "a", "b", "c", ":", "/", "-", " "))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (whole) => {
      expect(search.inBytes(new TextEncoder().encode(whole))).toBe(search(whole, 0)?.at);
    }),
    { numRuns: runs(2000) },
  );
});

test("a sign at the very beginning and at the very end is found, and one begun before is not", () => {
  expect(search("abc", 0)).toEqual({ at: 0, sign: "abc" });
  expect(search("xx://", 0)).toEqual({ at: 2, sign: "://" });
  expect(search("abcx", 1)).toBeUndefined();
  expect(search("ab", 0)).toBeUndefined();
});

const around = (at: number): readonly number[] => Array.from({ length: 8 }, (_, n) => at - 4 + n);

test("a sign is found anywhere in a long text, also where only a part is searched at once", () => {
  for (const at of [512, 16_384, 16_896, 32_768].flatMap(around)) {
    for (const sign of ["://", "cabbage"]) {
      const text = `${"x".repeat(at)}${sign}${"x".repeat(40)}`;
      for (const from of [0, 1, at]) expect(search(text, from)).toEqual({ at, sign });
      expect(search(text, at + 1)).toBeUndefined();
    }
  }
});

test("whatever follows the third character of a sign that has no more, it is found", () => {
  for (const next of ["\0", "x", "\u007F", "\u0080", "\u00E9", "\u0161", "\u{1F600}"]) {
    for (const sign of ["abc", "aab"]) expect(search(sign + next, 0)).toEqual({ at: 0, sign });
  }
});

test("characters that end in the same eight bits as those of a sign are none of it", () => {
  const text = "\u0161bc a\u0162c ab\u0163 \u{1F63A}//";
  expect(search(text, 0)).toBeUndefined();
  expect(search(`${text}abc`, 0)).toEqual({ at: text.length, sign: "abc" });
});

test.each(["ab", "", "ab\u00E9"])("%j is not a sign", (sign) => {
  expect(() => signSearch(["abc", sign])).toThrow(TypeError);
});
