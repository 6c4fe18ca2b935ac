import { expect, test } from "vitest";
import { renderDescription } from "./description.ts";

test("a plain description is its own text, and its first sentence the summary", () => {
  const rendered = renderDescription("  Reads a file, e.g. this one. Returns lines.\nMore.  ");

  expect(rendered).toEqual({
    summary: "Reads a file, e.g. this one.",
    text: "Reads a file, e.g. this one. Returns lines.\nMore.",
  });
});

test.for([
  { text: "Counts. 3 at most.", summary: "Counts.", because: "a digit starts a sentence too" },
  { text: "Runs v1.2 of it. Then", summary: "Runs v1.2 of it.", because: "1.2 has no space" },
  { text: "Really? Yes", summary: "Really?", because: "a question ends too" },
  { text: "No stop\nSecond line", summary: "No stop", because: "a line ends it" },
  { text: "", summary: "", because: "nothing stays nothing" },
  {
    text: `${"word ".repeat(60)}end`,
    summary: `${"word ".repeat(38)}word…`,
    because: "cut at a word",
  },
  { text: "x".repeat(300), summary: `${"x".repeat(199)}…`, because: "a long word is cut" },
])("the summary is $summary: $because", ({ text, summary }) => {
  expect(renderDescription(text).summary).toBe(summary);
});

test("a layered description becomes one text in a fixed order", () => {
  const { text } = renderDescription({
    important: ["Never guess a path."],
    short: "Read a file.",
    examples: [
      { input: { path: "a.ts" } },
      { input: { path: "b.ts", limit: 2 }, note: "two lines" },
    ],
    usageNotes: ["Lines are numbered.", "Page with offset."],
    long: "Whole or in pages.",
  });

  expect(text).toMatchInlineSnapshot(`
    "Read a file.

    Whole or in pages.

    Notes:
    - Lines are numbered.
    - Page with offset.

    Examples:
    - {"path":"a.ts"}
    - two lines: {"path":"b.ts","limit":2}

    Important:
    - Never guess a path."
  `);
});

test("layers that are empty leave no heading behind", () => {
  expect(renderDescription({ short: "Read a file.", usageNotes: [], examples: [] })).toEqual({
    summary: "Read a file.",
    text: "Read a file.",
  });
});
