import * as fc from "fast-check";
import { expect, test } from "vitest";
import { markedLine } from "./marked-line.ts";

test.for([
  { text: "a foo b", ranges: [[2, 5]], marked: "a >>foo<< b" },
  {
    text: "foo foo",
    ranges: [
      [0, 3],
      [4, 7],
    ],
    marked: ">>foo<< >>foo<<",
  },
  { text: "abc", ranges: [[1, 1]], marked: "a>><<bc" },
  { text: "abc", ranges: [], marked: "abc" },
])("$marked", ({ text, ranges, marked }) => {
  const spans = ranges.map(([start = 0, end = 0]) => ({ start, end }));

  expect(markedLine(text, spans, 500)).toBe(marked);
});

test("a long line is cut around its first match", () => {
  const text = `${"a".repeat(1000)}foo${"b".repeat(1000)}foo`;

  expect(
    markedLine(
      text,
      [
        { start: 1000, end: 1003 },
        { start: 2003, end: 2006 },
      ],
      500,
    ),
  ).toBe(
    `…${"a".repeat(150)}>>foo<<${"b".repeat(347)}… [line of 2006 characters cut, 1 more match]`,
  );
});

test("a match longer than a line is shown as far as there is room", () => {
  const marked = markedLine("x".repeat(2000), [{ start: 0, end: 2000 }], 500);

  expect(marked).toBe(`>>${"x".repeat(500)}<<… [line of 2000 characters cut]`);
});

test("without its marks a short line is the line, and no pair is ever torn", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", " ", "\u{1F600}"), maxLength: 900 }),
      fc.nat(900),
      fc.nat(20),
      (text, start, length) => {
        const from = Math.min(start, text.length);
        const range = { start: from, end: Math.min(from + length, text.length) };
        const isWhole = (at: number) => !/^[\uDC00-\uDFFF]/u.test(text.slice(at, at + 1));
        fc.pre(isWhole(range.start) && isWhole(range.end));

        const marked = markedLine(text, [range], 500);

        expect(marked.isWellFormed()).toBe(true);
        const isShort = text.length <= 500;
        expect(marked.replaceAll(/>>|<</gu, "") === text).toBe(isShort);
      },
    ),
  );
});
