import { expect, test } from "vitest";
import { runs, tried } from "./law-runs.ts";

test.each([
  { all: 2000, isFull: false, drawn: 200 },
  { all: 150, isFull: false, drawn: 20 },
  { all: 15, isFull: false, drawn: 15 },
  { all: 2000, isFull: true, drawn: 2000 },
  { all: 30, isFull: true, drawn: 30 },
])("a law of $all cases draws $drawn, in full: $isFull", ({ all, isFull, drawn }) => {
  expect(runs(all, isFull)).toBe(drawn);
});

test("each fourth case of a list is tried, or all of them", () => {
  expect(tried([0, 1, 2, 3, 4, 5], 4)).toEqual([0, 4]);
  expect(tried([0, 1, 2], 1)).toEqual([0, 1, 2]);
});
