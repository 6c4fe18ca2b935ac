import { expect, test } from "vitest";
import {
  applyCharacters,
  foldLookAlikes,
  learnCharacters,
  replaceCharacters,
} from "./look-alikes.ts";

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
])("$from beside $to teaches $map", ({ from, to, map }) => {
  expect(learned(from, to)).toEqual(map);
});

const map = (entries: Record<string, string[]>) =>
  new Map(Object.entries(entries).map(([key, values]) => [key, new Set(values)]));

test.for([
  { known: { "\u2019": ["'"] }, line: "it\u2019s", result: "it's", because: "one for one" },
  { known: {}, line: "it\u2019s", result: "it\u2019s", because: "nothing is known of it" },
  { known: { "\u2013": ["-", "\u2013"] }, line: "a", result: "a", because: "it does not occur" },
  {
    known: { "\u2013": ["-", "\u2013"] },
    line: "\u2013",
    result: undefined,
    because: "two for one",
  },
  { known: { "\u2013": ["-"] }, line: "\u2013 -", result: undefined, because: "it has both" },
  { known: { "\u2013": ["-"] }, line: "\u2019", result: "\u2019", because: "another kind" },
  { known: { "\u2019": ["'"] }, line: "\u201C", result: '"', because: "quotes go together" },
  { known: { "\u2019": ["'"] }, line: '\u201C"', result: undefined, because: "it has both quotes" },
  { known: { "\u2019": ["'"] }, line: "\u2013", result: "\u2013", because: "a dash is no quote" },
  {
    known: { "\u2013": ["-"] },
    line: "\u2014",
    result: undefined,
    because: "a longer dash may be two",
  },
  {
    known: { "\u2013": ["\u2014"] },
    line: "\u2010",
    result: "\u2010",
    because: "dashes were meant",
  },
  { known: { "\uFF1A": [":"] }, line: "\uFF08a\uFF09", result: "(a)", because: "so do wide forms" },
  {
    known: { "\uFF1A": ["\uFF1A"] },
    line: "\uFF01",
    result: "\uFF01",
    because: "wide as in the file",
  },
  {
    known: { "\uFF1A": [":"] },
    line: "\uFF5E\uFF5F",
    result: "~\uFF5F",
    because: "the last wide form",
  },
  {
    known: { "\u2019": ["'"] },
    line: "\uFF01",
    result: "\uFF01",
    because: "a wide form is no quote",
  },
  { known: { "\u2019": ["\u2019"] }, line: "\u201C", result: "\u201C", because: "quotes are kept" },
  {
    known: { "\u00A0": [" "] },
    line: "a\u00A0b c",
    result: "a b c",
    because: "blanks may be mixed",
  },
  { known: { "\u200B": [""] }, line: "a\u200Bb", result: "ab", because: "what is not seen goes" },
])("new text follows the file: $because", ({ known, line, result }) => {
  expect(applyCharacters(map(known), [line])?.[0]).toBe(result);
});

test("characters that stand for one other are replaced, others stay", () => {
  const known = map({ "\u2019": ["'"], "\u2013": ["-", "\u2013"] });

  expect(replaceCharacters(known, "it\u2019s \u2013 \u201C")).toBe("it's \u2013 \u201C");
});

test("folding composes and flattens", () => {
  expect(foldLookAlikes("e\u0301\u2014\u00A0x\u{1F600}")).toBe("\u00E9- x\u{1F600}");
});
