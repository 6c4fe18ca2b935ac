import * as fc from "fast-check";
import { applyPatch, formatPatch, structuredPatch } from "diff";
import { expect, test } from "vitest";
import { byteSize, counted, displayPath, grouped } from "./paths/display-path.ts";
import { firstUnseen, mergeRanges, rangesAfter } from "./seen/seen-lines.ts";
import { checkText } from "./encodings/text-format.ts";
import { lineCount, unifiedDiff } from "./unified-diff.ts";
import { runs } from "../../../test/support/law-runs.ts";

test("a diff applied to the text before gives the text after", () => {
  const line = fc.constantFrom("a", "b", "c", "", "  x");
  const text = fc
    .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
    .map(([lines, isEnded]) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { text: diff } = unifiedDiff({ path: "a", before, after });

      expect(diff === "" ? before : applyPatch(before, diff)).toBe(after);
    }),
  );
});

test("lines that stand nowhere else are shown as a search in both texts shows them", () => {
  const lines = fc.uniqueArray(fc.stringMatching(/^[a-z}\r]{0,3}$/u), { maxLength: 24 });
  const cuts = fc.array(fc.nat({ max: 24 }), { minLength: 3, maxLength: 3 });
  const ends = fc.tuple(fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(lines, cuts, ends, (all, places, [isEnded, staysEnded]) => {
      const [first = 0, second = 0, third = 0] = places.toSorted((one, other) => one - other);
      const textOf = (from: number, to: number, end: boolean): string =>
        [...all.slice(0, first), ...all.slice(from, to), ...all.slice(third)].join("\n") +
        (end ? "\n" : "");
      const before = textOf(first, second, isEnded);
      const after = textOf(second, third, staysEnded);
      const found = structuredPatch("a", "a", before, after, undefined, undefined, { context: 4 });
      const headers = { includeIndex: false, includeUnderline: false, includeFileHeaders: true };
      const expected = before === after ? "" : formatPatch(found, headers);

      expect(unifiedDiff({ path: "a", before, after }).text).toBe(expected);
    }),
    { numRuns: runs(300) },
  );
});

test.for([
  { name: "src/a b.ts", is: "src/a b.ts" },
  { name: "!#[]^`~.ts", is: "!#[]^`~.ts" },
  { name: "a\u0007\b\t\n\v\f\r", is: String.raw`"a\a\b\t\n\v\f\r"` },
  { name: String.raw`say"\x`, is: String.raw`"say\"\\x"` },
  { name: "\u00e9\u007f\u0001", is: String.raw`"\303\251\177\001"` },
])("the heading of a diff has $name as $is", ({ name, is }) => {
  expect(unifiedDiff({ path: name, before: "", after: "a\n" })).toEqual({
    text: `--- ${is}\n+++ ${is}\n@@ -0,0 +1,1 @@\n+a\n`,
    added: 1,
    removed: 0,
    hunks: [{ first: 1, last: 0, lines: 1 }],
  });
});

function numbered(mark: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${mark} ${index}\n`).join("");
}

test("a diff that shows every change has its hunks; one that is cut or too different has none", () => {
  const before = numbered("line", 3000);
  const hunksTo = (after: string) => unifiedDiff({ path: "a", before, after }).hunks;

  expect(hunksTo(`head\n${before}end\n`)).toEqual([
    { first: 1, last: 4, lines: 5 },
    { first: 2997, last: 3000, lines: 5 },
  ]);
  expect(hunksTo(before.replace("line 9\n", "x".repeat(60_000)))).toBeUndefined();
  expect(hunksTo(numbered("other", 3000))).toBeUndefined();
});

test("a diff of a long text costs its change, and keeps four lines around it", () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}`);
  const before = lines.join("\n");
  const after = before.replace("line 40000\n", "changed\n");

  const diff = unifiedDiff({ path: "a.txt", before, after });

  expect(diff).toMatchObject({ added: 1, removed: 1 });
  expect(diff.text.split("\n").slice(0, 4)).toEqual([
    "--- a.txt",
    "+++ a.txt",
    "@@ -39997,9 +39997,9 @@",
    " line 39996",
  ]);
});

test("texts too different to compare are counted, and a long diff is cut at a line", () => {
  const before = Array.from({ length: 5000 }, (_, index) => `old ${index}\n`).join("");
  const after = Array.from({ length: 6000 }, (_, index) => `new ${index}\n`).join("");

  expect(unifiedDiff({ path: "a", before, after })).toMatchObject({ added: 6000, removed: 5000 });
  const created = unifiedDiff({ path: "a", before: "", after: `${"x".repeat(99)}\n`.repeat(1900) });
  expect(created.added).toBe(1900);
  expect(created.text.length).toBeLessThan(60_100);
  expect(created.text).toMatch(/\n\(diff cut here, \d+ more lines\)\n$/u);
});

test.for([
  { text: "", lines: 0 },
  { text: "a", lines: 1 },
  { text: "a\n", lines: 1 },
  { text: "a\n\n", lines: 2 },
])("$lines lines in $text", ({ text, lines }) => {
  expect(lineCount(text)).toBe(lines);
});

test("ranges join where they touch", () => {
  expect(
    mergeRanges([
      [5, 6],
      [1, 2],
      [3, 3],
      [9, 8],
    ]),
  ).toEqual([
    [1, 3],
    [5, 6],
  ]);
});

test.for([
  { ranges: undefined, wanted: [1, 9], unseen: undefined },
  { ranges: [[1, 9]], wanted: [1, 9], unseen: undefined },
  { ranges: [[2, 9]], wanted: [1, 9], unseen: [1, 1] },
  { ranges: [[1, 3]], wanted: [2, 9], unseen: [4, 9] },
  {
    ranges: [
      [1, 3],
      [6, 9],
    ],
    wanted: [1, 9],
    unseen: [4, 5],
  },
  { ranges: [[1, 3]], wanted: [5, 6], unseen: [5, 6] },
  { ranges: [[7, 9]], wanted: [2, 3], unseen: [2, 3] },
])("of lines $wanted, $unseen were not among $ranges", ({ ranges, wanted, unseen }) => {
  const view = { hash: "h", ...(ranges === undefined ? {} : { ranges: ranges as never }) };

  expect(firstUnseen(view, wanted as never)).toEqual(unseen);
});

test.for([
  { because: "a line became two", change: { first: 3, last: 3, lines: 2 }, after: [[2, 6]] },
  { because: "a line went", change: { first: 3, last: 3, lines: 0 }, after: [[2, 4]] },
  { because: "it lies before", change: { first: 1, last: 1, lines: 3 }, after: [[1, 7]] },
  { because: "it lies behind", change: { first: 9, last: 9, lines: 0 }, after: [[2, 5]] },
])("ranges move with a change: $because", ({ change, after }) => {
  expect(rangesAfter({ hash: "h", ranges: [[2, 5]] }, [change])).toEqual(after);
});

test("a whole view stays whole", () => {
  expect(rangesAfter({ hash: "h" }, [{ first: 1, last: 1, lines: 5 }])).toBeUndefined();
});

test.for([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1 kB"],
  [4096, "4.1 kB"],
  [999_999, "1 MB"],
  [1_500_000_000, "1.5 GB"],
] as const)("%i bytes are %s", ([bytes, text]) => {
  expect(byteSize(bytes)).toBe(text);
});

test.for([
  [1, "line", "1 line"],
  [2, "entry", "2 entries"],
  [1234, "match", "1,234 matches"],
  [0, "file", "0 files"],
] as const)("%i %s", ([count, noun, text]) => {
  expect(counted(count, noun)).toBe(text);
});

test("thousands are grouped, and paths shown from the working directory", () => {
  expect([grouped(7), grouped(1_234_567)]).toEqual(["7", "1,234,567"]);
  expect(displayPath("/p/a/b", "/p")).toBe("a/b");
  expect(displayPath("/p", "/p")).toBe(".");
  expect(displayPath("/pa/b", "/p")).toBe("/pa/b");
});

test("any text in UTF-8 without a NUL is text, wherever the head is cut", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 700 }), (text) => {
      fc.pre(!text.includes("\0") && !/^(?:GIF8|%PDF-|PK)/u.test(text));
      const bytes = Buffer.from(text);

      expect(checkText(bytes, true).kind).toBe("text");
      expect(checkText(bytes.subarray(0, 512), bytes.length <= 512).kind).toBe("text");
    }),
  );
});
