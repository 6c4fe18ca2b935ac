import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keptLines } from "./kept-lines.ts";

const lines = (text: string): string[] => text.split("");

test.for([
  { old: "abc", updated: "abc", edges: [0, 1, 2], all: [0, 1, 2], because: "all are the same" },
  { old: "abc", updated: "axc", edges: [0, undefined, 2], all: [0, undefined, 2], because: "one" },
  {
    old: "axbyc",
    updated: "aXbYc",
    edges: [0, undefined, undefined, undefined, 4],
    all: [0, undefined, 2, undefined, 4],
    because: "what stands between two changes is kept only where all are",
  },
  {
    old: "aa",
    updated: "aaa",
    edges: [undefined, 0, 1],
    all: [undefined, 0, 1],
    because: "the end goes first",
  },
  {
    old: "aab",
    updated: "ab",
    edges: [1, 2],
    all: [1, 2],
    because: "the end goes first when lines go",
  },
  { old: "", updated: "a", edges: [undefined], all: [undefined], because: "there was none" },
  {
    old: "xabcy",
    updated: "zcabw",
    edges: [undefined, undefined, undefined, undefined, undefined],
    all: [undefined, undefined, 1, 2, undefined],
    because: "the longer sequence wins",
  },
  {
    old: "xabcy",
    updated: "zbcaw",
    edges: [undefined, undefined, undefined, undefined, undefined],
    all: [undefined, 2, 3, undefined, undefined],
    because: "wherever it stands",
  },
])("$old to $updated: $because", ({ old, updated, edges, all }) => {
  expect(keptLines(lines(old), lines(updated), "edges")).toStrictEqual(edges);
  expect(keptLines(lines(old), lines(updated), "all")).toStrictEqual(all);
});

const texts = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => (index === 50 ? "same" : `${prefix}${index}`));

test("beyond a million comparisons only the edges are compared", () => {
  const within = keptLines(texts(100, "a"), texts(10_000, "b"), "all");
  const beyond = keptLines(texts(101, "a"), texts(9901, "b"), "all");

  expect(within[50]).toBe(50);
  expect(beyond[50]).toBeUndefined();
});

test("of two lines that change places the one that comes first now is kept", () => {
  expect(keptLines(["a", "b"], ["b", "a"], "all")).toStrictEqual([1, undefined]);
});

/** The most lines that two texts can have in common in the same order. */
function mostInCommon(old: readonly string[], updated: readonly string[]): number {
  const [first, ...others] = old;
  if (first === undefined || updated.length === 0) return 0;
  const at = updated.indexOf(first);
  const without = mostInCommon(others, updated);
  return at === -1 ? without : Math.max(without, 1 + mostInCommon(others, updated.slice(at + 1)));
}

const fewLines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 7 });

test("as many lines are kept as can be, in their order, and each is the same", () => {
  fc.assert(
    fc.property(fewLines, fewLines, (old, updated) => {
      const kept = keptLines(old, updated, "all");
      const from = kept.filter((each) => each !== undefined);

      expect(kept.every((each, at) => each === undefined || old[each] === updated[at])).toBe(true);
      expect(from).toStrictEqual([...new Set(from)].toSorted((one, other) => one - other));
      expect(from).toHaveLength(mostInCommon(old, updated));
    }),
    { numRuns: 500 },
  );
});
