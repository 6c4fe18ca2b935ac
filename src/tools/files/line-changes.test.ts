import { diffArrays } from "diff";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lineChanges, type LineRun } from "./line-changes.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "", "x"), { maxLength: 40 });

/** What a published search finds. */
function found(before: readonly string[], after: readonly string[]): readonly LineRun[] {
  const runs = diffArrays([...before], [...after]);
  return runs.map(({ added, removed, value }) => {
    const mark = added ? "+" : removed ? "-" : " ";
    return { mark, lines: value };
  });
}

function size(runs: readonly LineRun[]): number {
  return runs.reduce((sum, run) => sum + (run.mark === " " ? 0 : run.lines.length), 0);
}

test("what is found are the changes that a published search finds, and no fewer are enough", () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const expected = found(before, after);
      const most = size(expected);

      expect(lineChanges(before, after, most)).toEqual(expected);
      expect(lineChanges(before, after, 4000)).toEqual(expected);
      expect(most === 0 ? undefined : lineChanges(before, after, most - 1)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

test.for([
  { before: [], after: [], runs: [] },
  { before: ["a"], after: [], runs: [{ mark: "-", lines: ["a"] }] },
  { before: [], after: ["a"], runs: [{ mark: "+", lines: ["a"] }] },
  {
    before: ["a", "b"],
    after: ["a", "c"],
    runs: [
      { mark: " ", lines: ["a"] },
      { mark: "-", lines: ["b"] },
      { mark: "+", lines: ["c"] },
    ],
  },
])("$before and $after differ by $runs", ({ before, after, runs }) => {
  expect(lineChanges(before, after, 10)).toEqual(runs);
});

test("thousands of lines that only came cost no more than themselves", () => {
  const after = Array.from({ length: 200_000 }, () => "x");

  expect(lineChanges([], after, after.length)).toEqual([{ mark: "+", lines: after }]);
});
