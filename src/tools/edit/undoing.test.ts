import { expect, test } from "vitest";
import { proveIndentMap } from "./indent-maps.ts";
import { undoCodeFence } from "./undo/wrapping.ts";
import { undoLineNumbers } from "./undo/line-numbers.ts";
import { planEdit } from "./plan-edit.ts";
import { relaxationsOf } from "./candidate.ts";
import { isInQuotes } from "./undo/escapes.ts";

test.for([
  { text: "say('a');\nb\n", old: "say(\u2018a\u2019);\nb", how: ["characters that look alike"] },
  {
    text: "\tsay('a');\n\tb();\n",
    old: "say(\u2018a\u2019);\nb();",
    how: ["indentation taken", "characters that look alike"],
  },
  {
    text: "say('a'); \nb();\n",
    old: "say(\u2018a\u2019);\nb();",
    how: ["blanks at line ends", "characters that look alike"],
  },
  { text: "a(); \r\nb();\r\n", old: "a();\nb();", how: ["blanks at line ends"] },
  { text: "'a';\r\nb();\r\n", old: "\u2019a';\nb();", how: ["characters that look alike"] },
  { text: "a();\nb();\n", old: "a();\r\nb();", how: ["line endings"] },
])("all that was read differently is told: $how", ({ text, old, how }) => {
  const plan = planEdit(text, [{ oldText: old, newText: "say('c');\nb" }]);

  expect(plan).toMatchObject({
    kind: "plan",
    interpretations: how.map((each) => expect.stringContaining(each)),
  });
});

test.for([
  { because: "the texts are the same, and nowhere", text: "a\n", edits: [["x", "x"]] },
  {
    because: "one edit brings back what another takes away",
    text: "ab\n",
    edits: [
      ["a", ""],
      ["b", "ab"],
    ],
  },
])("nothing changes where $because", ({ text, edits }) => {
  const wanted = edits.map(([oldText = "", newText = ""]) => ({ oldText, newText }));

  expect(planEdit(text, wanted)).toMatchObject({ kind: "refusal", code: "NO_CHANGE" });
});

test("edits that keep the length and not the text change it", () => {
  const plan = planEdit("ab\n", [
    { oldText: "a", newText: "b" },
    { oldText: "b", newText: "a" },
  ]);

  expect(plan).toMatchObject({ kind: "plan", text: "ba\n" });
});

test("an emptied code block is empty without its fence", () => {
  expect(undoCodeFence("```\na();\n```", "```\n\n```")).toMatchObject([
    { oldText: "a();", newText: "" },
  ]);
});

test.for([
  { text: "1: a\n2: b\n", undone: "a\nb\n", because: "the text ends with a line break" },
  { text: "\n1: a\n2: b", undone: "\na\nb", because: "the text begins with a line break" },
  { text: "1: a\n\n2: b", undone: undefined, because: "a line between has no number" },
])("line numbers where $because", ({ text, undone }) => {
  const readings = undoLineNumbers(text, "x").filter(
    ({ relaxations }) => relaxations === relaxationsOf("lineNumbers"),
  );

  expect(readings.map(({ oldText }) => oldText)).toEqual(undone === undefined ? [] : [undone]);
});

test.for([
  { before: 'say("a", "', is: true },
  { before: 'say("a", "b", ', is: false },
  { before: 'say("', is: true },
  { before: "don't ", is: false },
])("a quote is open behind $before: $is", ({ before, is }) => {
  expect(isInQuotes(before)).toBe(is);
});

test("one space is no level that a tab could stand for", () => {
  const pairs = [{ sent: " ", file: "\t" }];
  const evidence = { pairs, sent: [" ", "   "], wanted: ["   "], text: "a\n\tb\n" };

  expect(proveIndentMap(evidence)?.("   ")).toBeUndefined();
});

test("an empty line above the longest one is a line of the place", () => {
  const plan = planEdit("\tx1\n\n\tlong1()\n", [
    { oldText: "x1\n\nlong1()", newText: "x1\n\nlong2()" },
  ]);

  expect(plan).toMatchObject({ kind: "plan", text: "\tx1\n\n\tlong2()\n" });
});
