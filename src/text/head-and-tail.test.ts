import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromNextLine, headAndTail } from "./head-and-tail.ts";
import { codePoint } from "../../test/support/code-point.ts";

test.each(["\u{10000}", "\u{1F3FF}", "\u{10FFFF}"])(
  "a cut inside %j leaves it out whole",
  (pair) => {
    const text = pair.repeat(300);

    const { text: shown, cutChars } = headAndTail(text, { limit: 102, tailShare: 0.5 });

    expect(shown.isWellFormed()).toBe(true);
    expect(cutChars).toBe(500);
  },
);

test("both ends are those of the text, and what is missing is counted", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: codePoint, minLength: 300, maxLength: 900 }),
      fc.integer({ min: 20, max: 200 }),
      fc.constantFrom(0.2, 0.5, 0.8),
      (text, limit, tailShare) => {
        const { text: shown, cutChars } = headAndTail(text, { limit, tailShare });
        const mark = `\n[… ${cutChars} characters left out …]\n`;
        const at = shown.indexOf(mark);
        const head = shown.slice(0, at);
        const tail = shown.slice(at + mark.length);

        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(head.length + tail.length + cutChars).toBe(text.length);
        expect(head.length + tail.length).toBeLessThanOrEqual(limit);
        expect(shown.isWellFormed()).toBe(true);
      },
    ),
  );
});

function cut(text: string) {
  return headAndTail(text, { limit: 600, tailShare: 0.5 });
}

describe("where a text is cut", () => {
  test("a text within the limit is not", () => {
    expect(cut("a".repeat(600))).toEqual({ text: "a".repeat(600), cutChars: 0 });
    expect(cut("a".repeat(601)).cutChars).toBe(1);
  });

  test("is at the end of a line that is near", () => {
    const text = `${"a".repeat(250)}\n${"b".repeat(500)}\n${"c".repeat(250)}`;

    expect(cut(text)).toEqual({
      text: `${"a".repeat(250)}\n[… 502 characters left out …]\n${"c".repeat(250)}`,
      cutChars: 502,
    });
  });

  test("is within a line whose end is far", () => {
    const text = `${"a".repeat(50)}\n${"b".repeat(1000)}\n${"c".repeat(50)}`;
    const { text: shown, cutChars } = cut(text);

    expect(shown).toBe(
      `${text.slice(0, 300)}\n[… ${cutChars} characters left out …]\n${text.slice(-300)}`,
    );
  });

  test("is not at a line end that would leave nothing", () => {
    const first = `\n${"a".repeat(150)}`;
    const last = `${"b".repeat(299)}\n`;

    expect(headAndTail(`${first}${"x".repeat(999)}`, { limit: 100, tailShare: 0 }).text).toMatch(
      /^\na{99}\n/u,
    );
    expect(cut(`${"x".repeat(999)}${last}`).text).toMatch(/\nb{299}\n$/u);
  });

  test("takes no half of a pair of units with it, on either side", () => {
    const text = "\u{1F600}".repeat(400);
    const { text: shown } = headAndTail(text, { limit: 302, tailShare: 0.5 });

    expect(shown.isWellFormed()).toBe(true);
    expect(headAndTail("\uE000".repeat(400), { limit: 302, tailShare: 0.5 }).cutChars).toBe(98);
  });
});

test.each([
  { text: "half\nnext", is: "next", because: "the next line is whole" },
  { text: "half word\nnext", is: "next", because: "a line goes before a word" },
  { text: "half word", is: "word", because: "the next word is whole" },
  { text: "half\tword", is: "word", because: "a tab parts words as well" },
  { text: "a".repeat(250), is: "a".repeat(50), because: "no more than so much is looked at" },
  { text: `${"a".repeat(250)}\nb`, is: `${"a".repeat(50)}\nb`, because: "also for a line end" },
])("of $text the beginning is left out: $because", ({ text, is }) => {
  expect(fromNextLine(text)).toBe(is);
});
