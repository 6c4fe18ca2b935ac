import { expect, test } from "vitest";
import { nearestReading } from "./nearest-reading.ts";
import { readingsOf } from "../normalize/candidates.ts";

const undone = "This is nearest without HTML entities. ";

test.for([
  {
    because: "more lines are the same then",
    text: "a & x\nb1\nc1\n",
    old: "a &amp; x\nb1\nzz",
    isUndone: true,
  },
  {
    because: "as many lines are the same as it was written",
    text: "c & x\nb1\nc1\n",
    old: "a &amp; x\nb1\nzz",
    isUndone: false,
  },
  {
    because: "more lines are the same as it was written",
    text: "&amp; x\nb1\nc1\n",
    old: "&amp; x\nb1\nzz",
    isUndone: false,
  },
  {
    because: "a line is only similar then, and none as it was written",
    text: '""<x>\n',
    old: "&quot;&quot;&lt;&gt;",
    isUndone: true,
  },
])("told as undone or not, because $because", ({ text, old, isUndone }) => {
  const block = nearestReading(text, old, readingsOf({ oldText: old, newText: "x" }));

  expect(block?.difference.startsWith(undone)).toBe(isUndone);
  expect(block?.difference.startsWith("This is nearest")).toBe(isUndone);
});

test("of many readings the first twelve are looked at", () => {
  const pair = { oldText: '\n```\n1 |  &amp;\\"b\\"\n```\n', newText: "" };
  const readings = readingsOf(pair);
  const told = readings.map(({ oldText, labels }) => {
    const difference = nearestReading(oldText, pair.oldText, readings)?.difference ?? "";
    return difference.startsWith(`This is nearest ${labels.join("; ")}. `);
  });

  expect(told.slice(0, 13)).toEqual([false, ...Array.from({ length: 11 }, () => true), false]);
});
