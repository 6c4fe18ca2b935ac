import { expect, test } from "vitest";
import { chooseNewText } from "./candidate.ts";

test.for([
  {
    because: "a line of the old text is there only as it was written",
    raw: "one\nTWO",
    undone: "ONE\nTWO",
    chosen: "one\nTWO",
  },
  {
    because: "each form has a line of the old text that the other lacks",
    raw: "one\nTWO",
    undone: "ONE\ntwo",
    chosen: undefined,
  },
  {
    because: "a line of the old text is there only undone",
    raw: "TWO",
    undone: "two",
    chosen: "two",
  },
  { because: "no line tells", raw: "new", undone: "NEW", chosen: "NEW" },
])("new text is chosen where $because", ({ raw, undone, chosen }) => {
  expect(chooseNewText({ oldText: "one\ntwo", raw, undone, isThroughout: true })).toBe(chosen);
});

test.for([
  { because: "no line tells", raw: "new", undone: "NEW", chosen: undefined },
  { because: "a line tells", raw: "one", undone: "ONE", chosen: "one" },
])("new text with the artefact in part is as written or neither: $because", (each) => {
  const { raw, undone, chosen } = each;

  expect(chooseNewText({ oldText: "one\ntwo", raw, undone, isThroughout: false })).toBe(chosen);
});
