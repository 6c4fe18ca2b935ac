import { expect, test } from "vitest";
import { candidatesOf } from "./interpret.ts";
import { nearestBlock, type NearestBlock } from "./nearest-block.ts";

function nearest(text: string, wanted: string): NearestBlock | undefined {
  return nearestBlock(text, [{ oldText: wanted, labels: [] }]);
}

test.for([
  {
    because: "most of its lines are there",
    text: "a\nfirst line\nsecond line\nthird line\n",
    wanted: "first line\nnew line\nthird line",
    first: 2,
    count: 3,
  },
  {
    because: "of two places the first one counts",
    text: "same line\nx\nsame line\ny\n",
    wanted: "same line\nz",
    first: 1,
    count: 2,
  },
  {
    because: "a longer equal line weighs more",
    text: "ab\nx\nx\na rather long line\n",
    wanted: "ab\na rather long line",
    first: 3,
    count: 2,
  },
  {
    because: "a line of more than 80 characters weighs no more than two of 40, which come first",
    text: `z\n${"a".repeat(40)}\n${"b".repeat(40)}\nq\n${"c".repeat(81)}\n`,
    wanted: `${"c".repeat(81)}\n${"a".repeat(40)}\n${"b".repeat(40)}`,
    first: 1,
    count: 3,
  },
  {
    because: "a short equal line does not count against a long one for coming first",
    text: "b\nx\na rather long line\n",
    wanted: "a rather long line\nb",
    first: 3,
    count: 1,
  },
  {
    because: "a line counts wherever it stands, though a thousand others have a piece of it",
    text: `${"a c\n".repeat(1200)}a b\n`,
    wanted: "a b\nz",
    first: 1201,
    count: 1,
  },
  {
    because: "indentation and blanks do not count",
    text: "x\n\tcall( a,\t b );\n",
    wanted: "call( a, b );",
    first: 2,
    count: 1,
  },
  {
    because: "nor do look-alikes",
    text: "x\nit\u2019s here\n",
    wanted: "it's here\nz",
    first: 2,
    count: 1,
  },
  {
    because: "a block that would start before the file starts with it",
    text: "second line\nthird line\n",
    wanted: "first line\nsecond line\nthird line",
    first: 1,
    count: 2,
  },
  {
    because: "no line is equal, and one is similar",
    text: "nothing\nconst total = one + two;\nconst totals = one + two + three;\n",
    wanted: "const total = one - two;",
    first: 2,
    count: 1,
  },
  {
    because: "the similar line need not be the first one wanted",
    text: "nothing\nconst total = one + two;\n",
    wanted: "\nconst total = one - two;",
    first: 1,
    count: 2,
  },
  {
    because: "the more similar of two lines counts",
    text: "return first(a, b, c);\nreturn first(a);\n",
    wanted: "return first(b);",
    first: 2,
    count: 1,
  },
  {
    because: "a line that stands everywhere tells nothing",
    text: `${"}\n".repeat(201)}const x = 1;\n`,
    wanted: "}\nconst y = 1;",
    first: 201,
    count: 2,
  },
  {
    because: "up to two hundred places tell something",
    text: "}\n".repeat(200),
    wanted: "}\nzzz",
    first: 1,
    count: 2,
  },
  {
    because: "half of it is too little",
    text: "abcd\n",
    wanted: "abxy",
    first: undefined,
    count: undefined,
  },
  { because: "more than half is enough", text: "abcde\n", wanted: "abcxy", first: 1, count: 1 },
  { because: "nothing is wanted", text: "a\n", wanted: " \n ", first: undefined, count: undefined },
  {
    because: "similarity is looked for in the first lines only",
    text: `${"x\n".repeat(5000)}const total = one + two;\n`,
    wanted: "const total = one - two;",
    first: undefined,
    count: undefined,
  },
  {
    because: "the last of those is one of them",
    text: `${"x\n".repeat(4999)}const total = one + two;\n`,
    wanted: "const total = one - two;",
    first: 5000,
    count: 1,
  },
])("the nearest block: $because", ({ text, wanted, first, count }) => {
  const block = nearest(text, wanted);

  expect([block?.firstLine, block?.lines.length]).toEqual([first, count]);
});

test.for([
  { text: "a  b\n", wanted: "a b\nc", says: "1 of the 2 lines are there" },
  { text: "first();\nx\n", wanted: "first();\nsecond();", says: "first at line 2" },
  { text: "a b\n", wanted: "a  b", says: "It differs in white space only, first at line 1" },
  {
    text: "say( \u2018x\u2019 )\n",
    wanted: "say('x')",
    says: "only in characters that look alike",
  },
  { text: "Const x;\n", wanted: "const x;", says: "It differs in letter case" },
  { text: 'say( "x" )\n', wanted: 'say(\\"x\\")', says: "It differs in escapes" },
  { text: "first one\n", wanted: "first two", says: "It differs, first at line 1" },
  { text: "one line\n", wanted: "one line\nmore", says: "The file ends before line 2 of it." },
  { text: "one line\nx\n", wanted: "one line", says: "Its lines are the same" },
  { text: "a\u00A0b c\n", wanted: "a b  c", says: String.raw`the file has "a\u00a0b c"` },
  { text: "a\u200Bb c\n", wanted: "ab  c", says: String.raw`the file has "a\u200bb c"` },
  { text: `${"long".repeat(30)}\n`, wanted: `${"long".repeat(29)}lang`, says: 'long".' },
  { text: "first one\r\nx\r\n", wanted: "first two\ny", says: 'the file has "first one".' },
  {
    text: `${"long ".repeat(30)}\n`,
    wanted: `${"long ".repeat(29)}lang`,
    says: `old_string has "…ong ${"long ".repeat(7)}lang", the file has "…ong ${"long ".repeat(7)}long ".`,
  },
  {
    text: `${"a".repeat(100)}b${"c".repeat(50)}\n`,
    wanted: `${"a".repeat(100)}d${"c".repeat(50)}`,
    says: `the file has "${"a".repeat(100)}b${"c".repeat(19)}…".`,
  },
  {
    text: `${"a".repeat(101)}b${"c".repeat(150)}\n`,
    wanted: `${"a".repeat(101)}d${"c".repeat(150)}`,
    says: `the file has "…${"a".repeat(40)}b${"c".repeat(79)}…".`,
  },
  {
    text: `b${"c".repeat(119)}\n`,
    wanted: `d${"c".repeat(119)}`,
    says: `the file has "b${"c".repeat(119)}".`,
  },
  { text: "p\u0430rent x\n", wanted: "parent x", says: String.raw`the file has "p\u0430rent x"` },
  { text: "na\u00EFve x\n", wanted: "na\u00EFve y", says: 'the file has "na\u00EFve x"' },
  {
    text: "say hello \u{1F600}\n",
    wanted: "say hello you",
    says: String.raw`the file has "say hello \ud83d\ude00"`,
  },
  {
    text: "say \u{1F600} here\n",
    wanted: "say \u{1F601} here",
    says: String.raw`the file has "say \ud83d\ude00 here"`,
  },
  {
    text: "say \u{1F600} a\n",
    wanted: "say \u{1F600} b",
    says: 'the file has "say \u{1F600} a"',
  },
  { text: "say \t1\n", wanted: 'say "1', says: String.raw`old_string has "say \"1"` },
])("the difference is named: $says", ({ text, wanted, says }) => {
  expect(nearest(text, wanted)?.difference).toContain(says);
});

test("where no line is there it is not said how many are", () => {
  expect(nearest("first one\nsecond one\n", "first two\nsecond two")?.difference).toBe(
    'It differs, first at line 1: old_string has "first two", the file has "first one".',
  );
});

test("equal blank lines are not a nearest block", () => {
  expect(nearest("a\n\nb\n", "none\n\nat all")).toBeUndefined();
  expect(nearest("a\nb\n", "\n \n")).toBeUndefined();
});

const undone = "This is nearest without HTML entities. ";

test.for([
  {
    because: "more lines are the same then",
    text: "a & x\nb1\nc1\n",
    old: "a &amp; x\nb1\nzz",
    isUndone: true,
  },
  {
    because: "as many lines are the same as it was written",
    text: "c & x\nb1\nc1\n",
    old: "a &amp; x\nb1\nzz",
    isUndone: false,
  },
  {
    because: "more lines are the same as it was written",
    text: "&amp; x\nb1\nc1\n",
    old: "&amp; x\nb1\nzz",
    isUndone: false,
  },
  {
    because: "a line is only similar then, and none as it was written",
    text: '""<x>\n',
    old: "&quot;&quot;&lt;&gt;",
    isUndone: true,
  },
])("told as undone or not, because $because", ({ text, old, isUndone }) => {
  const block = nearestBlock(text, candidatesOf({ oldText: old, newText: "x" }));

  expect(block?.difference.startsWith(undone)).toBe(isUndone);
  expect(block?.difference.startsWith("This is nearest")).toBe(isUndone);
});

test("of many candidates the first twelve are looked at", () => {
  const pair = { oldText: '\n```\n1 |  &amp;\\"b\\"\n```\n', newText: "" };
  const candidates = candidatesOf(pair);
  const told = candidates.map(({ oldText, labels }) => {
    const difference = nearestBlock(oldText, candidates)?.difference ?? "";
    return difference.startsWith(`This is nearest ${labels.join("; ")}. `);
  });

  expect(told.slice(0, 13)).toEqual([false, ...Array.from({ length: 11 }, () => true), false]);
});
