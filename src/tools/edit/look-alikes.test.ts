import { expect, test } from "vitest";
import { applyCharacters, foldLookAlikes, learnCharacters, unfoldedOffset } from "./look-alikes.ts";

const learned = (from: string[], to: string[]): Record<string, string[]> | undefined => {
  const map = learnCharacters(from, to);
  return map === undefined
    ? undefined
    : Object.fromEntries(Array.from(map, ([key, values]) => [key, [...values]]));
};

test.for([
  { from: ["\u2018a\u2019"], to: ["'a'"], map: { "\u2018": ["'"], "\u2019": ["'"] } },
  { from: ["a \u2013 b \u2013 c"], to: ["a - b \u2013 c"], map: { "\u2013": ["-", "\u2013"] } },
  { from: ["a"], to: ["a"], map: {} },
  { from: ["\u00E9"], to: ["\u00E9"], map: { "\u00E9": ["\u00E9"] } },
  { from: ["\u00E9"], to: ["e\u0301"], map: { "\u00E9": ["e\u0301"] } },
  { from: ["x\u2026"], to: ["x..."], map: { "\u2026": ["..."] } },
  { from: ["x..."], to: ["x\u2026"], map: {} },
  { from: ["a\u200Bb"], to: ["ab"], map: { "\u200B": [""] } },
  { from: ["ab"], to: ["a\u200Bb\u200B"], map: {} },
  { from: ["\u2019a  "], to: ["'a"], map: { "\u2019": ["'"] } },
  { from: ["  \u2019a"], to: ["\t'a"], map: { "\u2019": ["'"] } },
  { from: ["\u2019a"], to: ["'b"], map: undefined },
  { from: ["\u2019a"], to: ["'ab"], map: undefined },
  { from: ["\u2019ab"], to: ["'a"], map: undefined },
  { from: ["\u2019", "\u2019"], to: ["'"], map: undefined },
])("$from next to $to teaches $map", ({ from, to, map }) => {
  expect(learned(from, to)).toEqual(map);
});

const map = (entries: Record<string, string[]>) =>
  new Map(Object.entries(entries).map(([key, values]) => [key, new Set(values)]));

const quote = { "\u2019": ["'"] };
const dash = { "\u2013": ["-"] };
const anyDash = { "\u2013": ["-", "\u2013"] };
const wide = { "\uFF1A": [":"] };

test.for<readonly [Record<string, string[]>, line: string, result: string | undefined, string]>([
  [quote, "it\u2019s", "it's", "one for one"],
  [{}, "it\u2019s", "it\u2019s", "nothing is known of it"],
  [anyDash, "a", "a", "it does not occur"],
  [anyDash, "\u2013", undefined, "two for one"],
  [dash, "\u2013 -", undefined, "it has both"],
  [dash, "\u2019", "\u2019", "another kind"],
  [quote, "\u201C", '"', "quotes go together"],
  [quote, '\u201C"', undefined, "it has both quotes"],
  [quote, "\u2013", "\u2013", "a dash is not a quote"],
  [dash, "\u2014", undefined, "a longer dash may be two"],
  [{ "\u2013": ["\u2014"] }, "\u2010", "\u2010", "dashes were meant"],
  [wide, "\uFF08a\uFF09", "(a)", "so do wide forms"],
  [wide, "\uFF01", "!", "the first wide form"],
  [wide, "\uFF5E\uFF5F", "~\uFF5F", "the last wide form"],
  [{ "\uFF1A": ["\uFF1A"] }, "\uFF01", "\uFF01", "wide as in the file"],
  [quote, "\uFF01", "\uFF01", "a wide form is not a quote"],
  [{ "\u2019": ["\u2019"] }, "\u201C", "\u201C", "quotes are kept"],
  [{ "\u00A0": [" "] }, "a\u00A0b c", "a b c", "blanks may be mixed"],
  [{ "\u200B": [""] }, "a\u200Bb", "ab", "what is not seen goes"],
])("with %j new text %j is %j: %s", ([known, line, result]) => {
  expect(applyCharacters(map(known), [line])?.[0]).toBe(result);
});

test("folding composes and flattens", () => {
  expect(foldLookAlikes("e\u0301\u2014\u00A0x\u{1F600}")).toBe("\u00E9- x\u{1F600}");
});

test.each([
  { line: "a\u200Bb", edge: "end", offset: 1 },
  { line: "a\u200Bb", edge: "start", offset: 2 },
  { line: "\u2019\u200Bb", edge: "end", offset: 1 },
] as const)("a text that ends at a character that is not seen leaves it: $edge", (given) => {
  expect(unfoldedOffset(given.line, 1, given.edge)).toBe(given.offset);
});
