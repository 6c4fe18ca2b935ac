import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  cutsRun,
  endsLine,
  isWhole,
  lineEndingAt,
  lineIndexAt,
  linesOnce,
  lineStarts,
  nearestPlace,
  occurrences,
  partsOf,
  splitLines,
  startOfLine,
  startsAfterIndentation,
  startsLine,
  withoutOverlap,
} from "./text.ts";

test("occurrences overlap, and can be thinned out from the left", () => {
  const places = occurrences("aaaa", "aa");

  expect(places.map(({ start }) => start)).toEqual([0, 1, 2]);
  expect(withoutOverlap(places).map(({ start }) => start)).toEqual([0, 2]);
  expect(occurrences("a", "")).toEqual([]);
});

test("texts that repeat themselves occur where a search character by character finds them", () => {
  const unit = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 });
  const repeated = fc
    .array(fc.tuple(unit, fc.nat(9)), { maxLength: 4 })
    .map((parts) => parts.map(([each, times]) => each.repeat(times)).join(""));
  const wanted = fc.tuple(unit, fc.integer({ min: 1, max: 5 }), unit);
  fc.assert(
    fc.property(repeated, wanted, (text, [each, times, end]) => {
      for (const sought of [each.repeat(times), each.repeat(times) + end]) {
        const starts = Array.from({ length: text.length }, (_, at) => at).filter((at) =>
          text.startsWith(sought, at),
        );

        expect(occurrences(text, sought).map(({ start }) => start)).toEqual(starts);
      }
    }),
  );
});

test.for([
  { text: "one two", start: 0, end: 3, whole: true, because: "words at the edge of the text" },
  { text: "one two", start: 4, end: 7, whole: true, because: "and at its end" },
  { text: "one two", start: 1, end: 3, whole: false, because: "the start is in a word" },
  { text: "one two", start: 0, end: 2, whole: false, because: "the end is in a word" },
  { text: "a_b", start: 0, end: 1, whole: false, because: "an underscore belongs to a word" },
  { text: "a-b", start: 0, end: 1, whole: true, because: "a hyphen does not" },
  { text: "(a)", start: 1, end: 2, whole: true, because: "brackets do not" },
  { text: "\u{20000}\u{20001}", start: 2, end: 4, whole: false, because: "letters of two units" },
  { text: "\u{1F600}a", start: 2, end: 3, whole: true, because: "an emoji is not a letter" },
  { text: "x\n\t\ta", start: 3, end: 5, whole: false, because: "the start is in the indentation" },
  { text: "\t\ta", start: 1, end: 3, whole: false, because: "the same on the first line" },
  { text: "x\n\t\ta", start: 2, end: 5, whole: true, because: "the indentation is whole" },
  {
    text: "x  a",
    start: 2,
    end: 4,
    whole: true,
    because: "blanks inside a line are not indentation",
  },
])("a place is whole: $whole, $because", ({ text, start, end, whole }) => {
  expect(isWhole(text, { start, end })).toBe(whole);
});

test.for([
  { text: "\ta", at: 1, after: true },
  { text: "a", at: 0, after: false },
  { text: "x\na", at: 2, after: false },
  { text: "x\n  a", at: 4, after: true },
  { text: "x\n a", at: 3, after: true },
  { text: "x a", at: 2, after: false },
])("$at in $text follows an indentation: $after", ({ text, at, after }) => {
  expect(startsAfterIndentation(text, at)).toBe(after);
});

test("a line starts at the start, after a line break and after a byte order mark", () => {
  expect([0, 1, 2, 3].map((at) => startsLine("ab\nc", at))).toEqual([true, false, false, true]);
  expect(startsLine("\uFEFFa", 1)).toBe(true);
  expect(startsLine("a\uFEFFb", 2)).toBe(false);
});

test("a line ends at its break, whatever blanks precede it", () => {
  const text = "a \r\nb\rc";

  expect([0, 1, 2, 5, 6, 7].map((at) => endsLine(text, at))).toEqual([
    false,
    true,
    true,
    false,
    false,
    true,
  ]);
});

test("the line of an offset starts behind the last break before it", () => {
  expect([0, 1, 2, 3, 4].map((at) => startOfLine("a\n\nb", at))).toEqual([0, 0, 2, 3, 3]);
  expect([0, 1].map((at) => startOfLine("\na", at))).toEqual([0, 1]);
});

test("the nearest of several places is the one with the least distance in lines", () => {
  const text = "x\n\nx\n\n\nx\n";
  const places = occurrences(text, "x");

  expect([0, 1, 2, 3, 4, 5, 9].map((line) => nearestPlace(text, places, line)?.start)).toEqual([
    0,
    0,
    undefined,
    3,
    3,
    7,
    7,
  ]);
  expect(nearestPlace("x x", occurrences("x x", "x"), 1)).toBeUndefined();
});

test.for([
  {
    text: "--",
    start: 1,
    end: 2,
    sent: "\u2014",
    cuts: true,
    because: "the second of two hyphens",
  },
  { text: "--", start: 0, end: 1, sent: "\u2014", cuts: true, because: "the first of two hyphens" },
  { text: "-", start: 0, end: 1, sent: "\u2014", cuts: false, because: "one hyphen is all of it" },
  { text: "~~a", start: 1, end: 3, sent: "~a", cuts: false, because: "a tilde was sent as itself" },
  { text: "a~~", start: 0, end: 2, sent: "a~", cuts: false, because: "at the end, too" },
])("a place cuts a run: $cuts, $because", ({ text, start, end, sent, cuts }) => {
  expect(cutsRun(text, { start, end }, sent)).toBe(cuts);
});

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

test("a line that occurs three times is not one that occurs once", () => {
  expect([...linesOnce(["  a", "b", "a", " a", "", "c "])]).toEqual([
    ["b", "b"],
    ["c", "c "],
  ]);
});

test("every offset is in the line that starts last before it", () => {
  const text = "ab\n\nc\n";
  const starts = lineStarts(text);

  expect(starts).toEqual([0, 3, 4, 6]);
  expect(Array.from({ length: 7 }, (_, at) => lineIndexAt(starts, at))).toEqual([
    0, 0, 0, 1, 2, 2, 3,
  ]);
});
