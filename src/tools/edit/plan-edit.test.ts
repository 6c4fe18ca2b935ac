import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";
import type { TextEdit } from "./plan-edit.ts";

const only = (oldText: string, newText: string, more: Partial<TextEdit> = {}): TextEdit[] => [
  { oldText, newText, ...more },
];

test.for([
  { text: "a b a", edits: only("b", "c"), result: "a c a", because: "one exact place" },
  {
    text: "a\r\nb\r\n",
    edits: only("a", "a\nx"),
    result: "a\r\nx\r\nb\r\n",
    because: "new lines end as those of the place",
  },
  {
    text: "a\nb\r\nc\n",
    edits: only("b", "b\nx"),
    result: "a\nb\r\nx\r\nc\n",
    because: "in a mixed file the place decides, not the file",
  },
  {
    text: "a\nb",
    edits: only("b", "b\r\nc"),
    result: "a\nb\nc",
    because: "carriage returns of new text give way to the place's ending",
  },
  {
    text: "a\r\nb",
    edits: only("a\r\nb", "a\nb"),
    result: "a\nb",
    because: "an edit that speaks about carriage returns means them",
  },
  {
    text: "one",
    edits: only("one", "1\r\n2"),
    result: "1\r\n2",
    because: "a text of one line has no ending to follow",
  },
  {
    text: "a\nb\na  \nb\n",
    edits: only("a\nb", "x"),
    result: "x\na  \nb\n",
    because: "an exact hit wins over a looser one elsewhere",
  },
  {
    text: "aaa",
    edits: only("aa", "b", { replaceAll: true }),
    result: "ba",
    because: "all places are taken from left to right",
  },
  {
    text: "x\ny\nx\nz\nx\n",
    edits: only("x", "w", { nearLine: 4 }),
    result: undefined,
    because: "two places are equally near to line 4",
  },
  {
    text: "x\ny\nx\nz\nq\nx\n",
    edits: only("x", "w", { nearLine: 0 }),
    result: "w\ny\nx\nz\nq\nx\n",
    because: "line 0 is line 1",
  },
  {
    text: "a b c",
    edits: [...only("c", "3"), ...only("a", "1")],
    result: "1 b 3",
    because: "the order of edits does not matter",
  },
  {
    text: "a b c",
    edits: [...only("a", "b"), ...only("b", "c")],
    result: "b c c",
    because: "edits see the original, not each other",
  },
])("$because", ({ text, edits, result }) => {
  const plan = planEdit(text, edits);

  expect(plan.kind === "plan" ? plan.text : undefined).toBe(result);
});

test.for([
  { text: "aaa", edits: only("aa", "b"), code: "AMBIGUOUS_MATCH", because: "overlaps count" },
  { text: "a", edits: only("b", "c"), code: "NO_MATCH", because: "it is not there" },
  { text: "A", edits: only("a", "c"), code: "NO_MATCH", because: "case counts" },
  { text: "a b", edits: only("a  b", "c"), code: "NO_MATCH", because: "white space counts" },
  { text: "a", edits: only("", "c"), code: "INVALID_INPUT", because: "nothing is everywhere" },
  { text: "a", edits: only("a", "a"), code: "NO_CHANGE", because: "both are the same" },
  {
    text: "a\r\nb",
    edits: only("a\nb", "a\r\nb"),
    code: "NO_CHANGE",
    because: "the result would be the same",
  },
  {
    text: "a\r\nb\r\na\r\nb",
    edits: only("a\nb", "x"),
    code: "AMBIGUOUS_MATCH",
    because: "a looser reading must be unique too",
  },
  {
    text: "abc",
    edits: [...only("ab", "x"), ...only("bc", "y")],
    code: "INVALID_INPUT",
    because: "edits overlap",
  },
  {
    text: "abc",
    edits: [...only("abc", "x"), ...only("b", "y")],
    code: "INVALID_INPUT",
    because: "one edit lies inside another",
  },
])("$code where $because", ({ text, edits, code }) => {
  expect(planEdit(text, edits)).toMatchObject({
    kind: "refusal",
    code,
    message: expect.stringMatching(/\.|:/u),
    hint: expect.stringMatching(/\w/u),
  });
});

test.for([
  {
    because: "the second is ambiguous",
    edits: [...only("a", "1"), ...only("b", "2")],
    message: `1 of 2 edits cannot be applied, so none was.
Edit 1: matches at line 1.
Edit 2: refused. old_string occurs 2 times. Places:
     2\tb
     3\tb`,
    refused: 1,
    data: {
      edits: [
        { status: "matches", lines: [1] },
        { status: "refused", code: "AMBIGUOUS_MATCH", lines: [2, 3] },
      ],
    },
  },
  {
    because: "both are missing",
    edits: [...only("x1", "1"), ...only("y1", "2")],
    message: `2 of 2 edits cannot be applied, so none was.
Edit 1: refused. old_string does not occur in the file, and no line of it does.
Edit 2: refused. old_string does not occur in the file, and no line of it does.`,
    refused: 0,
    data: {
      edits: [
        { status: "refused", code: "NO_MATCH" },
        { status: "refused", code: "NO_MATCH" },
      ],
    },
  },
])("of several edits each is reported where $because", ({ edits, message, refused, data }) => {
  expect(planEdit("a\nb\nb\n", edits)).toMatchObject({ edit: refused, message, data });
});

test("with partial the edits that can be made are, and the others are reported", () => {
  const edits = [...only("c", "3"), ...only("b", "2"), ...only("a", "1")];

  const plan = planEdit("a\nb\nb\nc\n", edits, { partial: true });

  expect(plan).toMatchObject({
    text: "1\nb\nb\n3\n",
    splices: [{ edit: 2 }, { edit: 0 }],
    statuses: [
      { kind: "applied", lines: [4] },
      { kind: "refused", refusal: { code: "AMBIGUOUS_MATCH", edit: 1 } },
      { kind: "applied", lines: [1] },
    ],
  });
});

test("with partial of two edits that overlap the first one counts", () => {
  const edits = [...only("bc", "1"), ...only("ab", "2"), ...only("d", "3")];

  expect(planEdit("abcd", edits, { partial: true })).toMatchObject({
    text: "a13",
    statuses: [
      { kind: "applied" },
      {
        kind: "refused",
        refusal: { message: "Edits 1 and 2 overlap at line 1.", hint: "Join them into one edit." },
      },
      { kind: "applied" },
    ],
  });
});

test("with partial and nothing that can be made the call is refused", () => {
  expect(planEdit("a", only("z", "y"), { partial: true })).toMatchObject({ code: "NO_MATCH" });
});

test("places that touch do not overlap", () => {
  expect(planEdit("abcd", [...only("cd", "2"), ...only("ab", "1")])).toMatchObject({ text: "12" });
});

test("a refusal names the edit it is about", () => {
  expect(planEdit("a", [...only("a", "b"), ...only("z", "y")])).toMatchObject({ edit: 1 });
});

test("splices know the lines they touch", () => {
  const plan = planEdit("one\ntwo\nthree\nfour\n", only("two\nthree\n", "2\n"));

  expect(plan).toMatchObject({ splices: [{ start: 4, end: 14, firstLine: 2, lastLine: 3 }] });
});

test.for([
  {
    because: "white space inside a line differs",
    text: "call(a, b)\n",
    oldText: "call(a,b)",
    message: "white space only, first at line 1",
  },
  {
    because: "a line before it differs, too",
    text: "let one = 1;\nlet two = 2;\nlet four = 4;\n",
    oldText: "let one = 1;\nlet two = 2;\nlet three = 3;",
    message: "2 of the 3 lines are there; the file may have changed since it was read.",
  },
  {
    because: "a part of it is escaped and more is wrong",
    text: 'say( "a" )\n',
    oldText: 'say(\\"a\\")',
    message: "It differs in escapes",
  },
  {
    because: "it looks alike only where blanks are left out",
    text: "say( \u2018a\u2019 )\n",
    oldText: "say('a')",
    message: "characters that look alike",
  },
  {
    because: "letters have another case",
    text: "const Value = 1;\n",
    oldText: "const value = 1;",
    message: "letter case",
  },
  {
    because: "the block runs past the end",
    text: "a long first line\n",
    oldText: "a long first line\nand more",
    message: "The file ends before line 2",
  },
  {
    because: "a word is wrong",
    text: "const total = first + second;\n",
    oldText: "const total = first - second;",
    message: 'It differs, first at line 1: old_string has "const total = first - second;"',
  },
  {
    because: "nothing is near",
    text: "abc\n",
    oldText: "1234567890",
    message: "no line of it does",
  },
])("a miss says so when $because", ({ text, oldText, message }) => {
  const plan = planEdit(text, only(oldText, "new"));

  expect(plan).toMatchObject({ code: "NO_MATCH", message: expect.stringContaining(message) });
});

test("where one reading fits one match and another two, those two are reported", () => {
  const text = "s('a') \nb1\ns(\u2018a\u2019)\nb1\ns(\u2018a\u2019)\nb1\n";

  expect(planEdit(text, only("s('a')\nb1", "x"))).toMatchObject({
    code: "AMBIGUOUS_MATCH",
    message: expect.stringContaining("occurs 2 times"),
  });
});

test.for([
  { old: "b", lines: [2, 2] },
  { old: "a\nb", lines: [1, 2] },
  { old: "a\nb\n", lines: [1, 2] },
])("the lines that $old touches are $lines", ({ old, lines }) => {
  const plan = planEdit("a\nb\nc\n", only(old, "x"));
  const splices = plan.kind === "plan" ? plan.splices : [];

  expect(splices.map(({ firstLine, lastLine }) => [firstLine, lastLine])).toEqual([lines]);
});

test("places that are followed by a line of blanks are among those to choose from, and to replace", () => {
  const text = "a1\r\n  \r\nb1\r\na1\r\n";
  const edit = { oldText: "a1\n", newText: "a2\n" };

  expect(planEdit(text, [{ ...edit, nearLine: 1 }])).toMatchObject({
    text: "a2\r\n  \r\nb1\r\na1\r\n",
  });
  expect(planEdit(text, [{ ...edit, replaceAll: true }])).toMatchObject({
    text: "a2\r\n  \r\nb1\r\na2\r\n",
  });
});

test.for([
  { text: "say('a');\nb\n", old: "say(\u2018a\u2019);\nb", how: ["characters that look alike"] },
  {
    text: "\tsay('a');\n\tb();\n",
    old: "say(\u2018a\u2019);\nb();",
    how: ["indentation taken", "characters that look alike"],
  },
  {
    text: "say('a'); \nb();\n",
    old: "say(\u2018a\u2019);\nb();",
    how: ["blanks at line ends", "characters that look alike"],
  },
  { text: "a(); \r\nb();\r\n", old: "a();\nb();", how: ["blanks at line ends"] },
  { text: "'a';\r\nb();\r\n", old: "\u2019a';\nb();", how: ["characters that look alike"] },
  { text: "a();\nb();\n", old: "a();\r\nb();", how: ["line endings"] },
])("all that was read differently is reported: $how", ({ text, old, how }) => {
  const plan = planEdit(text, [{ oldText: old, newText: "say('c');\nb" }]);

  expect(plan).toMatchObject({
    kind: "plan",
    interpretations: how.map((each) => expect.stringContaining(each)),
  });
});

test.for([
  { because: "the texts are the same, and nowhere", text: "a\n", edits: [["x", "x"]] },
  {
    because: "one edit restores what another removes",
    text: "ab\n",
    edits: [
      ["a", ""],
      ["b", "ab"],
    ],
  },
])("nothing changes where $because", ({ text, edits }) => {
  const wanted = edits.map(([oldText = "", newText = ""]) => ({ oldText, newText }));

  expect(planEdit(text, wanted)).toMatchObject({ kind: "refusal", code: "NO_CHANGE" });
});

test("edits that keep the length and not the text change it", () => {
  const plan = planEdit("ab\n", [
    { oldText: "a", newText: "b" },
    { oldText: "b", newText: "a" },
  ]);

  expect(plan).toMatchObject({ kind: "plan", text: "ba\n" });
});

test("an empty line above the longest one is a line of the place", () => {
  const plan = planEdit("\tx1\n\n\tlong1()\n", [
    { oldText: "x1\n\nlong1()", newText: "x1\n\nlong2()" },
  ]);

  expect(plan).toMatchObject({ kind: "plan", text: "\tx1\n\n\tlong2()\n" });
});
