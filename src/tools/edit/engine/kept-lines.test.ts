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
