import { expect, test } from "vitest";
import { candidatesOf } from "./interpret.ts";
import { nearestCandidate } from "./nearest-block.ts";

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
  const block = nearestCandidate(text, candidatesOf({ oldText: old, newText: "x" }));

  expect(block?.difference.startsWith(undone)).toBe(isUndone);
  expect(block?.difference.startsWith("This is nearest")).toBe(isUndone);
});

test("of many candidates the first twelve are looked at", () => {
  const pair = { oldText: '\n```\n1 |  &amp;\\"b\\"\n```\n', newText: "" };
  const candidates = candidatesOf(pair);
  const told = candidates.map(({ oldText, labels }) => {
    const difference = nearestCandidate(oldText, candidates)?.difference ?? "";
    return difference.startsWith(`This is nearest ${labels.join("; ")}. `);
  });

  expect(told.slice(0, 13)).toEqual([false, ...Array.from({ length: 11 }, () => true), false]);
});
