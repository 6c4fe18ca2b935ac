import { expect, test } from "vitest";
import { undoCodeFence } from "./wrapping.ts";

test("an emptied code block is empty without its fence", () => {
  expect(undoCodeFence("```\na();\n```", "```\n\n```")).toMatchObject([
    { oldText: "a();", newText: "" },
  ]);
});
