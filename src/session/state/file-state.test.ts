import { expect, test } from "vitest";
import { memoryFileState, memoryFileStates } from "./file-state.ts";

test("views of the same content add up, in order and joined where they touch", () => {
  const state = memoryFileState();
  state.saw("/a", { hash: "h", ranges: [[10, 20]] });
  state.saw("/a", { hash: "h", ranges: [[1, 3]] });
  state.saw("/a", { hash: "h", ranges: [[21, 25]] });
  state.saw("/a", { hash: "h", ranges: [[2, 4]] });
  state.saw("/a", { hash: "h", ranges: [[12, 13]] });

  expect(state.view("/a")).toEqual({
    hash: "h",
    ranges: [
      [1, 4],
      [10, 25],
    ],
  });
});

test("lines with a gap between them stay apart", () => {
  const state = memoryFileState();
  state.saw("/a", {
    hash: "h",
    ranges: [
      [1, 2],
      [4, 5],
    ],
  });
  state.saw("/a", { hash: "h", ranges: [[7, 8]] });

  expect(state.view("/a")?.ranges).toEqual([
    [1, 2],
    [4, 5],
    [7, 8],
  ]);
});

test("the whole file stays seen when a part is shown again", () => {
  const state = memoryFileState();
  state.saw("/a", { hash: "h" });
  state.saw("/a", { hash: "h", ranges: [[1, 3]] });

  expect(state.view("/a")).toEqual({ hash: "h" });
});

test("another content starts over", () => {
  const state = memoryFileState();
  state.saw("/a", { hash: "old" });
  state.saw("/a", { hash: "new", ranges: [[5, 6]] });

  expect(state.view("/a")).toEqual({ hash: "new", ranges: [[5, 6]] });
});

test("what was forgotten was never seen", () => {
  const state = memoryFileState();
  state.saw("/a", { hash: "h" });
  state.forget("/a");

  expect(state.view("/a")).toBeUndefined();
});

test("past ten thousand files the longest unseen is forgotten", () => {
  const state = memoryFileState();
  for (let index = 0; index < 10_000; index += 1) state.saw(`/${index}`, { hash: "h" });
  state.saw("/0", { hash: "h" });
  state.saw("/more", { hash: "h" });

  expect(state.view("/0")).toBeDefined();
  expect(state.view("/1")).toBeUndefined();
  expect(state.view("/2")).toBeDefined();
});

test("each session sees with its own eyes until it ends", () => {
  const states = memoryFileStates();
  states.of("a").saw("/f", { hash: "h" });

  expect(states.of("a").view("/f")).toEqual({ hash: "h" });
  expect(states.of("b").view("/f")).toBeUndefined();
  expect(states.of(undefined).view("/f")).toBeUndefined();

  states.end("a");
  expect(states.of("a").view("/f")).toBeUndefined();
});

test("what was seen in one encoding was not seen in another, and one that was named stays named", () => {
  const state = memoryFileState();
  const named = { name: "gbk" };
  state.saw("/a", { hash: "h", ranges: [[1, 2]] });
  state.saw("/a", { hash: "h", ranges: [[3, 4]], encoding: { name: "gbk", isConcluded: true } });
  expect(state.view("/a")?.ranges).toEqual([[3, 4]]);

  state.saw("/a", { hash: "h", ranges: [[3, 3]], encoding: named });
  expect(state.view("/a")).toEqual({ hash: "h", ranges: [[3, 4]], encoding: named });
  state.saw("/a", { hash: "h", ranges: [[7, 8]], encoding: { name: "gbk", isConcluded: true } });
  expect(state.view("/a")).toMatchObject({ encoding: named });
  state.saw("/a", { hash: "h", encoding: { name: "gbk", isConcluded: true } });
  expect(state.view("/a")).toEqual({ hash: "h", encoding: named });
  state.saw("/a", { hash: "h", ranges: [[1, 1]] });
  expect(state.view("/a")).toEqual({ hash: "h", ranges: [[1, 1]] });
});
