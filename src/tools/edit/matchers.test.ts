import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../test/support/edit-case.ts";
import { planEdit } from "./plan-edit.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

test.for<EditCase>([
  {
    because: "blanks after a final line break are those of the next line",
    text: "a1\nb1\n  \nc\n",
    old: "a1 \nb1\n",
    new: "a1\nB\n",
    result: "a1\nB\n  \nc\n",
  },
  {
    because: "a match never begins between the characters of an ending",
    text: "a1\r\n\r\nb1\r\n",
    old: "\nb1",
    new: "\nx\nb1",
    result: "a1\r\n\r\nx\r\nb1\r\n",
  },
  {
    because: "a text that ends with blanks is none that a word follows",
    text: "one\ntwo three\n",
    old: "one  \ntwo  ",
    new: "one\n2",
    result: undefined,
  },
  {
    because: "blanks after a place within a line are the line's",
    text: "one\ntwo  three\n",
    old: "one  \ntwo",
    new: "one\n2",
    result: "one\n2  three\n",
  },
  {
    because: "an empty line that was sent empty tells nothing about blanks that were sent",
    text: "a1\n\nb1\n   \nc1\n",
    old: "a1\n  \nb1\n\nc1",
    new: "a1\n  \nb2\n  \nc2",
    result: "a1\n\nb2\n\nc2\n",
  },
  {
    because: "lines that stay keep their own ending in a mixed file",
    text: "a1\r\nb1\nc1\r\nd1\n",
    old: "a1\nb1\nc1\nd1",
    new: "a2\nb1\nc2\nd1",
    result: "a2\r\nb1\nc2\r\nd1\n",
  },
  {
    because: "strings may have endings that the file has not",
    text: "a1\nb1\n",
    old: "a1\r\nb1\r\n",
    new: "a1\r\nb2\r\n",
    result: "a1\nb2\n",
  },
  {
    because: "a last line without an ending gets none",
    text: "a1\r\nb1",
    old: "a1\nb1",
    new: "b1\na1",
    result: "b1\r\na1",
  },
  {
    because: "blanks behind the place are not left to the line that ends up there",
    text: "a1\nb1  \nc1\n",
    old: "a1\r\nb1",
    new: "a1\r\nb1\r\nb2",
    result: "a1\nb1  \nb2\nc1\n",
  },
  {
    because: "a carriage return alone is a character",
    text: "a1\rb1\nc1\n",
    old: "a1\nb1",
    new: "x",
    result: undefined,
  },
])("line endings: $because", check);

test.for<EditCase>([
  {
    because: "blanks of the file stay on lines that the edit leaves",
    text: "a1  \nb1\t\nc1  \n",
    old: "a1\nb1\nc1",
    new: "a1\nb2\nc1",
    result: "a1  \nb2\nc1  \n",
  },
  {
    because: "blanks that only the old text has are no reason to miss it",
    text: "a1\nb1\n",
    old: "a1 \nb1\t",
    new: "a1\nb2",
    result: "a1\nb2\n",
  },
  {
    because: "the blanks of a line go, and another one was sent with some that the file has not",
    text: "a1\nb1  \nc1 \nd1\n",
    old: "a1 \nb1  \nc1\t\nd1",
    new: "a1\nb1\nc1\nd2",
    result: undefined,
  },
  {
    because: "blanks that go from the only line that has them were meant",
    text: "a1\nb1  \nc1\n",
    old: "a1\nb1  \r\nc1",
    new: "a1\nb1\nc1",
    result: "a1\nb1\nc1\n",
  },
  {
    because: "blanks behind a last line that goes go with it",
    text: "a1  \nb1  \nc1\n",
    old: "a1\nb1",
    new: "a1\nb2",
    result: "a1  \nb2\nc1\n",
  },
  {
    because: "a line added behind leaves the break where it is",
    text: "a1 \nb1  \nc1\n",
    old: "```\na1 \nb1\n```",
    new: "```\na1 \nb1\nx1\n```",
    result: "a1 \nb1  \nx1\nc1\n",
  },
  {
    because: "blank lines that carry an indentation only in the edit are empty",
    text: "a1\n\nb1\n",
    old: "a1\n    \nb1",
    new: "a1\n    \nx1\n    \nb1",
    result: "a1\n\nx1\n\nb1\n",
  },
  {
    because: "blanks at the end of the old text stand for a line's end",
    text: "name_of\n",
    old: "name ",
    new: "x",
    result: undefined,
  },
  {
    because: "two places remain two places",
    text: "a1 \nb1\na1\nb1\t\n",
    old: "a1  \nb1",
    new: "x",
    result: undefined,
  },
  {
    because: "a stricter reading of one place beats two of a looser one",
    text: "a1\nb1\na1 \nb1\n",
    old: "a1\nb1",
    new: "x",
    result: "x\na1 \nb1\n",
  },
  {
    because: "those inside of the new text are not clear where old lines carried the same",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "x1 \nb1",
    result: undefined,
  },
  {
    because: "others than two spaces are not clear at all",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "x1\t\nb1",
    result: undefined,
  },
  {
    because: "two spaces are not clear where they were sent for nothing",
    text: "a1\nb1\n",
    old: "a1  \nb1",
    new: "x1  \nb1",
    result: undefined,
  },
])("blanks at line ends: $because", check);

test.for<EditCase>([
  {
    because: "typographic quotes of the old text become plain in the new one",
    text: "say('a', \"b\");\n",
    old: "say(\u2018a\u2019, \u201Cb\u201D);",
    new: "say(\u2018c\u2019, \u201Cd\u201D);",
    result: "say('c', \"d\");\n",
  },
  {
    because: "those that the file has stay where the edit leaves the line",
    text: "\u201Ca\u201D\n\u201Cb\u201D\n",
    old: '"a"\n"b"',
    new: '"a"\n"c"',
    result: '\u201Ca\u201D\n"c"\n',
  },
  {
    because: "a kind of quote that the old text did not show goes with the other",
    text: "say('a');\n",
    old: "say(\u2018a\u2019);",
    new: "say(\u201Cb\u201D);",
    result: 'say("b");\n',
  },
  {
    because: "plain quotes beside typographic ones leave it open which are meant",
    text: "say('a');\n",
    old: "say(\u2018a\u2019);",
    new: "say(\u2018a\u2019 + 'b');",
    result: undefined,
  },
  {
    because: "plain quotes stand for both kinds, and would end a string in its middle",
    text: "x = 'it\u2019s'\n",
    old: "x = 'it's'",
    new: "x = 'it's ok'",
    result: undefined,
  },
  {
    because: "in a line that stays they do no harm",
    text: "x = 'it\u2019s'\ny = 'a'\n",
    old: "x = 'it's'\ny = 'a'",
    new: "x = 'it's'\ny = 'b'",
    result: "x = 'it\u2019s'\ny = 'b'\n",
  },
  {
    because: "a character stands for two, so it is not known what a new one is",
    text: "a - b \u2013 c\n",
    old: "a \u2013 b \u2013 c",
    new: "a \u2013 d",
    result: undefined,
  },
  {
    because: "no-break spaces become blanks, in new lines too",
    text: "if (a) {\n  b();\n}\n",
    old: "if\u00A0(a) {\n  b();",
    new: "if\u00A0(a) {\n\u00A0\u00A0c();\n  b();",
    result: "if (a) {\n  c();\n  b();\n}\n",
  },
  {
    because: "an ellipsis is three dots",
    text: "wait...\n",
    old: "wait\u2026",
    new: "wait\u2026 more\u2026",
    result: "wait... more...\n",
  },
  {
    because: "three dots are an ellipsis",
    text: "wait\u2026 here\nb\n",
    old: "wait... here\nb",
    new: "wait... here\nc",
    result: "wait\u2026 here\nc\n",
  },
  {
    because: "characters that are not seen do not count",
    text: "a\u200Bb c\nd\n",
    old: "ab c\nd",
    new: "ab c\ne",
    result: "a\u200Bb c\ne\n",
  },
  {
    because: "a decomposed letter is the composed one, and new text follows the file",
    text: "caf\u0065\u0301 one\nb\n",
    old: "caf\u00E9 one",
    new: "caf\u00E9 two",
    result: "caf\u0065\u0301 two\nb\n",
  },
  {
    because: "full-width forms are the plain ones",
    text: "f\uFF08a\uFF09\nb\n",
    old: "f(a)\nb",
    new: "f(a)\nc",
    result: "f\uFF08a\uFF09\nc\n",
  },
  {
    because: "a place may not cut a word",
    text: "xdon't\n",
    old: "don\u2019t",
    new: "do",
    result: undefined,
  },
  {
    because: "nor one with letters outside ASCII",
    text: "don't\u00E9\n",
    old: "don\u2019t",
    new: "do",
    result: undefined,
  },
  {
    because: "a mark on the last letter belongs to it",
    text: "it's e\u0301\n",
    old: "it\u2019s e",
    new: "x",
    result: undefined,
  },
  {
    because: "blanks and look-alikes at once",
    text: "a - b  \nc\n",
    old: "a \u2013 b\nc",
    new: "a \u2013 b\nd",
    result: "a - b  \nd\n",
  },
  {
    because: "blanks in a fence of the file are left out of account as anywhere",
    text: "```\na1\n```\n",
    old: "a1 ",
    new: "b1",
    result: "```\nb1\n```\n",
  },
  {
    because: "blanks that a shifted line of the file has go where the new text has none",
    text: "  a  \n  b\n",
    old: "a  \nb",
    new: "a\nc",
    result: "  a\n  c\n",
  },
  {
    because: "blanks of a last line that a line before it has, too, are not taken off that one",
    text: "a\nb\n",
    old: "a\nb  ",
    new: "b  \nx\nb  ",
    result: undefined,
  },
])("look-alikes: $because", check);

test("blanks in the middle of a line are not blanks at its end", () => {
  const edit = { oldText: "say(&quot;hi&quot;);", newText: "say(&quot;bye&quot;);" };

  const plan = planEdit('say("hi"); // greets\n', [edit]);

  expect(plan).toMatchObject({ kind: "plan", text: 'say("bye"); // greets\n' });
  expect(plan.kind === "plan" ? plan.interpretations : []).toHaveLength(1);
});
