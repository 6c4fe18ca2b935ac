import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../test/support/edit-case.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

test.for<EditCase>([
  {
    because: "a return before blanks that stand in the line is no line ending",
    text: "one(a);\n",
    old: "one(\r a);\r \n",
    new: "one(b);\n",
    result: undefined,
  },
  {
    because: "one of two fences has a blank behind its mark",
    text: "one(a);\ntwo(b);\n",
    old: "```ts  \none(a);\n``` ",
    new: "```ts\none(x);\n```",
    result: "one(x);\ntwo(b);\n",
  },
  {
    because: "a fence of another kind is none of the edit's",
    text: "one(a);\ntwo(b);\n",
    old: "```ts \none(a);\n```",
    new: "```js\none(x);\n```",
    result: undefined,
  },
  {
    because: "the blank of a line number is one that does not break",
    text: "one(a);\ntwo(b);\n",
    old: "1 |\u00A0one(a);\n2 | two(b);",
    new: "one(x);\ntwo(b);",
    result: "one(x);\ntwo(b);\n",
  },
  {
    because: "escaped quotes were made typographic",
    text: "say(\"one\", 'two');\nx\n",
    old: "say(\\\u201Cone\\\u201D, \\\u2018two\\\u2019);",
    new: "say(\\\"one\\\", \\'three\\');",
    result: "say(\"one\", 'three');\nx\n",
  },
  {
    because: "line breaks and quotes were escaped, and the quotes made typographic",
    text: 'say("one");\n\tx();\n',
    old: "say(\\\u201Cone\\\u201D);\\n\\tx();",
    new: 'say(\\"two\\");\\n\\tx();',
    result: 'say("two");\n\tx();\n',
  },
  {
    because: "blanks were put before an escaped text, and the first new line is a longer one",
    text: "  if (a) {\n}\n",
    old: "    if (a) {\\n}",
    new: "    // z\\n  if (a) {\\n}",
    result: undefined,
  },
  {
    because: "blanks were put before an escaped line, and the new lines are of other levels",
    text: "    a();\n",
    old: "      a();\\n",
    new: "      a();\\n\\n  b();\\n",
    result: undefined,
  },
  {
    because: "blanks were before an escaped line, and before all new lines",
    text: "  a();\n",
    old: "    a();\\n",
    new: "    a();\\n\\n      b();\\n",
    result: "  a();\n\n    b();\n",
  },
  {
    because: "blanks were before lines that were not escaped, and new ones are of other levels",
    text: "    a();\n",
    old: "      a(); \n",
    new: "      a();\n\n  b();\n",
    result: "    a();\n\nb();\n",
  },
  {
    because: "a tab ends the new line, and stands behind the same text in the old one, too",
    text: "FLAGS=\t-x\n",
    old: "FLAGS=\t-x\t",
    new: "FLAGS=\t",
    result: undefined,
  },
  {
    because: "the first new line is not indented as the first old one",
    text: "  a();\n  b();\n",
    old: "    a();\n  b();",
    new: "  c();\n  b();",
    result: undefined,
  },
  {
    because: "a new line is indented as only the first old one",
    text: "  a();\n  b();\n",
    old: "    a();\n  b();",
    new: "    a();\n    c();\n  b();",
    result: undefined,
  },
  {
    because: "a line that stays is indented otherwise",
    text: "  a();\n  b();\n",
    old: "    a();\n  b();",
    new: "    c();\n    b();",
    result: undefined,
  },
  {
    because: "the second line stays, deeper than it is",
    text: "  a();\n  b();\n",
    old: "    a();\n  b();",
    new: "    c();\n      b();",
    result: undefined,
  },
  {
    because:
      "numbers were put before lines that were then moved, which shows in the new text alone",
    text: "x:\n    a();\n    b();\n",
    old: "      2\t    a();\n      3\t    b();",
    new: "        a();\n        b();\n    finally();",
    result: undefined,
  },
  {
    because: "a numbered line that was moved goes with all of its indentation",
    text: "a();\nb();\n",
    old: "      1 | a();",
    new: "    call();",
    result: undefined,
  },
  {
    because: "a new line has no indentation in a text that begins as deep as the numbered line",
    text: "x:\n    a();\n",
    old: "      2\t    a();",
    new: "    call(`\nz\n    `);",
    result: "x:\n    call(`\nz\n    `);\n",
  },
  {
    because: "the last of two indented and numbered lines goes",
    text: "  a1\n  b1\n",
    old: "2\t  b1",
    new: "",
    result: "  a1\n\n",
  },
  {
    because: "a line that moved stands first, and another one where the file has it by chance",
    text: "x:\n    a();\n    if (b):\n        c();\n",
    old: "      2\t    a();\n      3\t    if (b):\n      4\t        c();",
    new: "        a();\n        c();",
    result: undefined,
  },
  {
    because: "blanks at the end of a new line are others than those that the old line carries",
    text: "FLAGS=\t-D\nx\n",
    old: "FLAGS=\t-D  ",
    new: "FLAGS=\t",
    result: undefined,
  },
  {
    because: "a tab stands for as many spaces as a comment in the file shows",
    text: "class A:\n  x\n    /**\n     * Sets it.\n     */\n",
    old: "\t * Sets it.\n\t */",
    new: "\t * Sets it.\n\t\t * At once.\n\t */",
    result: undefined,
  },
])("two mistakes, in any order: $because", check);
