import { expect, test } from "vitest";
import { relaxationsOf } from "../candidate.ts";
import { undoLineNumbers } from "./line-numbers.ts";

test.for([
  { text: "1: a\n2: b\n", undone: "a\nb\n", because: "the text ends with a line break" },
  { text: "\n1: a\n2: b", undone: "\na\nb", because: "the text begins with a line break" },
  { text: "1: a\n\n2: b", undone: undefined, because: "a line between has no number" },
])("line numbers where $because", ({ text, undone }) => {
  const results = undoLineNumbers(text, "x").filter(
    ({ relaxations }) => relaxations === relaxationsOf("lineNumbers"),
  );

  expect(results.map(({ oldText }) => oldText)).toEqual(undone === undefined ? [] : [undone]);
});
