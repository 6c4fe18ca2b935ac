import { expect, test } from "vitest";
import { LineIndexes } from "./line-index.ts";

test("the starts of lines are kept for the sixteen files that were read last", () => {
  const indexes = new LineIndexes();
  const startOf = (file: number): number => indexes.of(`/log-${file}`, "1").before(1500).offset;
  for (let file = 0; file < 16; file++) indexes.of(`/log-${file}`, "1").add(1001, 7000 + file);

  expect(startOf(0)).toBe(7000);
  indexes.of("/log-16", "1").add(1001, 7016);

  // The first file was read since, so the second one was evicted.
  expect([0, 2, 15, 16].map(startOf)).toEqual([7000, 7002, 7015, 7016]);
  expect(startOf(1)).toBe(0);
});

test("of another version nothing is known", () => {
  const indexes = new LineIndexes();
  indexes.of("/log", "1").add(1001, 7000);

  expect(indexes.of("/log", "2").before(1500)).toEqual({ line: 1, offset: 0 });
});

test("a start is known from its line on, and only without a gap before it", () => {
  const index = new LineIndexes().of("/log", "1");
  index.add(1001, 7000);
  index.add(3001, 21_000);

  expect(index.before(1000)).toEqual({ line: 1, offset: 0 });
  expect(index.before(1001)).toEqual({ line: 1001, offset: 7000 });
  expect(index.before(5000)).toEqual({ line: 1001, offset: 7000 });
});
