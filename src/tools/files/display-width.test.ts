import { expect, test } from "vitest";
import { displayWidth, fitted, padded } from "./display-width.ts";

test.each([
  { text: "abc", width: 3, because: "a letter takes one column" },
  { text: "\u65E5\u672C", width: 4, because: "East Asian characters take two" },
  { text: "\uFF21", width: 2, because: "full-width letters take two" },
  { text: "e\u0301", width: 1, because: "an accent takes no width next to its letter" },
  { text: "\u{1F600}", width: 2, because: "emoji take two" },
  { text: "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}", width: 2, because: "a family is one picture" },
  { text: "\u{1F1E9}\u{1F1EA}", width: 2, because: "a flag is one picture" },
  { text: "\u00E9", width: 1, because: "Latin letters take one" },
  { text: "", width: 0, because: "nothing takes nothing" },
])("$text takes $width: $because", ({ text, width }) => {
  expect(displayWidth(text)).toBe(width);
});

test("a text is cut before the character that does not fit, and filled by columns", () => {
  expect(fitted("\u65E5\u672C\u8A9E", 5)).toBe("\u65E5\u672C…");
  expect(fitted("\u65E5\u672C\u8A9E", 4)).toBe("\u65E5…");
  expect(fitted("\u65E5\u672C\u8A9E", 6)).toBe("\u65E5\u672C\u8A9E");
  expect(padded("\u65E5", 4)).toBe("\u65E5  ");
});
