import { expect, test } from "vitest";
import { lineEndingAt, linesOnce, partsOf, splitLines } from "./lines.ts";

test.for([
  { text: "ab\r\ncd\r\n", parts: ["ab", "cd", ""], lines: ["ab", "cd"] },
  { text: "ab\ncd", parts: ["ab", "cd"], lines: ["ab", "cd"] },
  { text: "a\rb\n\n", parts: ["a\rb", "", ""], lines: ["a\rb", ""] },
  { text: "", parts: [""], lines: [] },
])("the lines of $text", ({ text, parts, lines }) => {
  expect(partsOf(text)).toEqual(parts);
  expect(splitLines(text)).toEqual(lines);
});

test.for([
  { text: "a\r\nb\nc", start: 0, ending: "\r\n", because: "the first one from there on counts" },
  { text: "a\r\nb\nc", start: 3, ending: "\n", because: "wherever it stands" },
  { text: "a\nb\r\nc", start: 5, ending: "\r\n", because: "then the last one before it" },
  { text: "ab", start: 0, ending: undefined, because: "there is none" },
  { text: "\nab", start: 1, ending: "\n", because: "the first line is empty" },
])("the line ending at a place: $because", ({ text, start, ending }) => {
  expect(lineEndingAt(text, start)).toBe(ending);
});

test("a line that stands there three times is none that stands there once", () => {
  expect([...linesOnce(["  a", "b", "a", " a", "", "c "])]).toEqual([
    ["b", "b"],
    ["c", "c "],
  ]);
});
