import { expect, test } from "vitest";
import { undoCodeFence, undoEdgeLines } from "./wrapping.ts";

test("an emptied code block is empty without its fence", () => {
  expect(undoCodeFence("```\na();\n```", "```\n\n```")).toMatchObject([
    { oldText: "a();", newText: "" },
  ]);
});

test("a new text of blank lines alone is not taken for an empty one", () => {
  expect(undoEdgeLines("\na();\n", "\n\n")).toMatchObject([
    { oldText: "a();", newText: undefined },
  ]);
});
