import { expect, test } from "vitest";
import { runs } from "./law-runs.ts";

test.each([
  { all: 2000, isFull: false, drawn: 200 },
  { all: 150, isFull: false, drawn: 20 },
  { all: 15, isFull: false, drawn: 15 },
  { all: 2000, isFull: true, drawn: 2000 },
  { all: 30, isFull: true, drawn: 30 },
])("a law of $all cases draws $drawn, in full: $isFull", ({ all, isFull, drawn }) => {
  expect(runs(all, isFull)).toBe(drawn);
});
