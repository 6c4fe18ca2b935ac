import { expect, test } from "vitest";
import { chooseNewText } from "./candidate.ts";

test.for([
  {
    because: "a line of the old text is there only as it was written",
    written: "one\nTWO",
    undone: "ONE\nTWO",
    chosen: "one\nTWO",
  },
  {
    because: "each form has a line of the old text that the other lacks",
    written: "one\nTWO",
    undone: "ONE\ntwo",
    chosen: undefined,
  },
  {
    because: "a line of the old text is there only undone",
    written: "TWO",
    undone: "two",
    chosen: "two",
  },
  { because: "no line tells", written: "new", undone: "NEW", chosen: "NEW" },
])("new text is chosen where $because", ({ written, undone, chosen }) => {
  expect(chooseNewText({ oldText: "one\ntwo", written, undone, isThroughout: true })).toBe(chosen);
});

test.for([
  { because: "no line tells", written: "new", undone: "NEW", chosen: undefined },
  { because: "a line tells", written: "one", undone: "ONE", chosen: "one" },
])("new text with the artifact in part is as written or neither: $because", (each) => {
  const { written, undone, chosen } = each;

  expect(chooseNewText({ oldText: "one\ntwo", written, undone, isThroughout: false })).toBe(chosen);
});
