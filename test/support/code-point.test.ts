import * as fc from "fast-check";
import { expect, test } from "vitest";
import { codePoint } from "./code-point.ts";

const options = { numRuns: 500, seed: 7 };

test("the same seed draws the same strings as fast-check's own unit", () => {
  const drawn = fc.sample(fc.string({ unit: codePoint }), options);

  expect(drawn).toEqual(fc.sample(fc.string({ unit: "binary" }), options));
});

test("half of a surrogate pair, no character and two are not drawn", () => {
  for (const value of ["\ud800", "\udfff", "", "ab", 1]) {
    expect(codePoint.canShrinkWithoutContext(value)).toBe(false);
  }
  for (const value of ["\0", " ", "~", "\x7f", "\ud7ff", "\ue000", "\u{10ffff}"]) {
    expect(codePoint.canShrinkWithoutContext(value)).toBe(true);
  }
});
