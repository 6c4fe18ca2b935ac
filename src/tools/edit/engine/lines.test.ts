import { expect, test } from "vitest";
import { lineEndingAt, partsOf, splitLines } from "./lines.ts";

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
  { text: "a\r\nb\nc", start: 0, end: 6, ending: "\r\n", because: "the first one inside counts" },
  { text: "a\r\nb\nc", start: 3, end: 4, ending: "\n", because: "then the one after it" },
  { text: "a\r\nb", start: 3, end: 4, ending: "\r\n", because: "then the one before it" },
  { text: "ab", start: 0, end: 1, ending: undefined, because: "there is none" },
  { text: "\nab", start: 1, end: 2, ending: "\n", because: "the first line is empty" },
])("the line ending at a place: $because", ({ text, start, end, ending }) => {
  expect(lineEndingAt(text, start, end)).toBe(ending);
});
