import { expect, test } from "vitest";
import { indentText, indentUnit, isUniform, parseIndent, proveIndentMap } from "./indent-maps.ts";

const t = "\t";
const s = (count: number): string => " ".repeat(count);

interface Case {
  readonly because: string;
  /** Indentations of the old text and the file, in pairs. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Further indentations of the new text, and the results; undefined if none is proved. */
  readonly wanted: readonly string[];
  readonly becomes: readonly (string | undefined)[];
  readonly text?: string;
}

const inFours = `a\n${s(4)}b\n${s(8)}c\n`;
const inTwos = `a\n${s(2)}b\n${s(4)}c\n`;
const inTabs = `a\n${t}b\n${t}${t}c\n`;

test.for<Case>([
  { because: "seen ones need no proof", pairs: [["", s(3)]], wanted: [""], becomes: [s(3)] },
  {
    because: "an indentation of the file that cannot be measured proves no level",
    pairs: [[s(4), " \t"]],
    wanted: [s(8)],
    becomes: [undefined],
  },
  {
    because: "a shift and a change of the unit that agree on one indentation only prove none",
    pairs: [[s(2), s(4)]],
    wanted: [s(4), s(3)],
    becomes: [undefined, undefined],
    text: "x\n",
  },
  {
    because: "a shift may leave the levels of the file where one of its lines does",
    pairs: [
      ["", s(2)],
      [s(2), s(4)],
    ],
    wanted: [s(4)],
    becomes: [s(6)],
    text: inFours,
  },
  {
    because: "nor does one that was sent",
    pairs: [[" \t", s(4)]],
    wanted: [s(8)],
    becomes: [undefined],
  },
  {
    because: "lines of two spaces in a file of tabs are levels of two",
    pairs: [[t, s(2)]],
    wanted: [t + t],
    becomes: [s(4)],
    text: inTabs,
  },
  {
    because: "lines of four spaces in a file of tabs are levels of four",
    pairs: [[t, s(4)]],
    wanted: [t + t],
    becomes: [s(8)],
    text: inTabs,
  },
  {
    because: "two spaces after a tab are not indentation where no line has them",
    pairs: [["", t]],
    wanted: [s(2)],
    becomes: [t + t],
  },
  {
    because: "fewer spaces after a tab than it stands for are taken over",
    pairs: [[t, s(4)]],
    wanted: [t + s(3)],
    becomes: [s(7)],
    text: inFours,
  },
  {
    because:
      "as many spaces after a tab as it stands for are taken over only where a line shows them",
    pairs: [[t, s(4)]],
    wanted: [t + s(4)],
    becomes: [undefined],
    text: inFours,
  },
  {
    because: "spaces after a tab are not taken over where no line shows what it stands for",
    pairs: [
      ["", ""],
      [s(1), s(2)],
    ],
    wanted: [t + s(2)],
    becomes: [undefined],
    text: inFours,
  },
  {
    because: "spaces after a tab are not taken over where each line is on another level",
    pairs: [[t, s(8)]],
    wanted: [t + s(3)],
    becomes: [undefined],
    text: inFours,
  },
  {
    because: "four spaces for two are a shift or another width where the file does not tell",
    pairs: [[s(4), s(2)]],
    wanted: [s(8)],
    becomes: [undefined],
    text: "a\n",
  },
  {
    because: "nor does a file of tabs",
    pairs: [[s(4), s(2)]],
    wanted: [s(8)],
    becomes: [undefined],
    text: inTabs,
  },
  {
    because:
      "on other levels the step between the lines sent is a level, and no share of the file's",
    pairs: [[s(12), t.repeat(5)]],
    wanted: [s(16)],
    becomes: [t.repeat(6)],
    text: inTabs,
  },
  {
    because: "one space for a tab is not a level",
    pairs: [
      [t, " "],
      [t + t, s(2)],
    ],
    wanted: [t + t + t],
    becomes: [undefined],
    text: inFours,
  },
  {
    because: "one space more is not a step",
    pairs: [
      ["", t],
      [s(2), t + t],
    ],
    wanted: [s(3), s(4)],
    becomes: [`${t}${t} `, t + t + t],
    text: inTabs,
  },
  { because: "blanks are added", pairs: [["", t]], wanted: [t], becomes: [t + t] },
  { because: "blanks are taken", pairs: [[t + t, t]], wanted: [t + t + t], becomes: [t + t] },
  {
    because: "what is not there cannot be taken",
    pairs: [[t + t, t]],
    wanted: [""],
    becomes: [undefined],
  },
  {
    because: "levels between those seen follow from them",
    pairs: [
      ["", s(4)],
      [s(4), s(12)],
    ],
    wanted: [s(2)],
    becomes: [s(8)],
    text: inFours,
  },
  {
    because: "spaces become tabs by the width that the lines show",
    pairs: [
      [s(4), t],
      [s(8), t + t],
    ],
    wanted: [s(12), s(5)],
    becomes: [t + t + t, `${t} `],
    text: inTabs,
  },
  {
    because: "one line is enough for that",
    pairs: [[s(4), t]],
    wanted: [s(8)],
    becomes: [t + t],
    text: inTabs,
  },
  {
    because: "a remainder of several spaces is a mixture",
    pairs: [[s(4), t]],
    wanted: [s(6)],
    becomes: [undefined],
    text: inTabs,
  },
  {
    because: "unless the file has the same",
    pairs: [
      [s(4), t],
      [s(6), `${t}  `],
    ],
    wanted: [s(10)],
    becomes: [`${t}${t}  `],
    text: inTabs,
  },
  {
    because: "tabs become spaces of the file's width",
    pairs: [[t, s(2)]],
    wanted: [t + t, ""],
    becomes: [s(4), ""],
    text: inTwos,
  },
  {
    because: "spaces of two widths are told apart by the step of the lines sent",
    pairs: [
      [s(2), s(4)],
      [s(4), s(8)],
    ],
    wanted: [s(6)],
    becomes: [s(12)],
    text: inFours,
  },
  {
    because: "a shift that leaves the levels of the file does not count",
    pairs: [[s(2), s(4)]],
    wanted: [s(4)],
    becomes: [s(8)],
    text: inFours,
  },
  {
    because: "a shift by whole levels is taken before a change of width",
    pairs: [[s(4), s(8)]],
    wanted: [s(8)],
    becomes: [s(12)],
    text: inFours,
  },
  {
    because: "a shift and a change of width that both fit leave it open",
    pairs: [[s(4), s(2)]],
    wanted: [s(8)],
    becomes: [undefined],
    text: inTwos,
  },
  {
    because: "an alignment that is not a level may stay one",
    pairs: [[s(8), s(4)]],
    wanted: [s(13)],
    becomes: [s(9)],
    text: inFours,
  },
  {
    because: "spaces become tabs and levels are added, by the step of the lines sent",
    pairs: [["", t + t]],
    wanted: [s(4), s(8)],
    becomes: [t + t + t, t + t + t + t],
    text: inTabs,
  },
  {
    because: "without a step no level is known",
    pairs: [[s(8), t]],
    wanted: [s(9)],
    becomes: [`${t} `],
    text: inTabs,
  },
  {
    because: "levels below the first one do not exist",
    pairs: [
      [s(8), t],
      [s(12), t + t],
    ],
    wanted: [s(0)],
    becomes: [undefined],
    text: inTabs,
  },
  {
    because: "the level just at the first one does",
    pairs: [
      [s(8), t],
      [s(12), t + t],
    ],
    wanted: [s(4)],
    becomes: [""],
    text: inTabs,
  },
  {
    because: "a wanted mixture has no width",
    pairs: [["", t]],
    wanted: [` ${t}`],
    becomes: [undefined],
    text: inTabs,
  },
  {
    because: "two widths of spaces and a shift need two levels",
    pairs: [
      ["", s(4)],
      [s(2), s(8)],
    ],
    wanted: [s(4)],
    becomes: [s(12)],
    text: inFours,
  },
  {
    because: "one level is not enough",
    pairs: [[s(2), s(8)]],
    wanted: [""],
    becomes: [undefined],
    text: inFours,
  },
])("$because", ({ pairs, wanted, becomes, text = "" }) => {
  const evidence = pairs.map(([sent, file]) => ({ sent, file }));
  const map = proveIndentMap({
    pairs: evidence,
    sent: [...evidence.map(({ sent }) => sent), ...wanted],
    wanted,
    text,
  });

  expect(wanted.map((indent) => map?.(indent))).toEqual(becomes);
});

test.for([
  {
    pairs: [
      ["", t],
      ["", t],
    ],
    uniform: true,
  },
  {
    pairs: [
      ["", t],
      ["", t + t],
    ],
    uniform: false,
  },
  {
    pairs: [
      ["", t],
      [t, t],
    ],
    uniform: false,
  },
  { pairs: [[` ${t}`, t]], uniform: false },
])("$pairs are uniform: $uniform", ({ pairs, uniform }) => {
  expect(isUniform(pairs.map(([sent = "", file = ""]) => ({ sent, file })))).toBe(uniform);
});

test.for([
  { text: inTwos, unit: 2 },
  { text: inFours, unit: 4 },
  { text: inTabs, unit: "tab" },
  { text: "a\nb\n", unit: undefined },
  { text: "/**\n * a\n */\n", unit: undefined },
  { text: `a\n${s(3)}b`, unit: 3 },
  { text: `a\n${s(2)}b\na\n${s(4)}c\na\n${s(4)}d\n`, unit: 4 },
  { text: `a\n${s(4)}b\na\n${s(2)}c\n`, unit: 4 },
  { text: `a\n${t}b\na\n${s(2)}c\n`, unit: 2 },
  { text: `a\n${t}b\n${t}b\na\n${s(2)}c\n`, unit: "tab" },
  { text: `a\r\n${s(6)}\r\n${s(2)}c\r\n`, unit: 2 },
  { text: `a\n${s(2)}b\n${s(4)}c${`\n\n${s(4)}d`.repeat(3)}\n`, unit: 2 },
  { text: `${"a\n b\n".repeat(3)}a\n${s(2)}c\n`, unit: 2 },
  { text: `${s(8)}a\n${s(4)}b`, unit: 8 },
  { text: `${"a\n".repeat(2000)}${s(2)}b\n`, unit: undefined },
  { text: `${"a\n".repeat(1999)}${s(2)}b\n`, unit: 2 },
])("the unit of a file is what its steps mostly are: $unit", ({ text, unit }) => {
  expect(indentUnit(text)).toBe(unit);
});

test("an indentation is its tabs and then its spaces", () => {
  expect(parseIndent(`${t}${t}  `)).toEqual({ tabs: 2, spaces: 2 });
  expect(parseIndent(` ${t}`)).toBeUndefined();
  expect(indentText("\t\u00A0 x ")).toBe("\t  ");
});

test("one space is not a level that a tab could represent", () => {
  const pairs = [{ sent: " ", file: "\t" }];
  const evidence = { pairs, sent: [" ", "   "], wanted: ["   "], text: "a\n\tb\n" };

  expect(proveIndentMap(evidence)?.("   ")).toBeUndefined();
});
