import { expect, test } from "vitest";
import { seedOf } from "./same-seed.ts";

test("HAFT_SEED names the seed of a run, and without it the seed is always the same", () => {
  expect(seedOf("7")).toBe(7);
  expect(seedOf(undefined)).toBe(seedOf(""));
});

test("a seed that is not a whole number is refused rather than drawn from", () => {
  expect(() => seedOf("random")).toThrow("HAFT_SEED is not a whole number: random");
});
