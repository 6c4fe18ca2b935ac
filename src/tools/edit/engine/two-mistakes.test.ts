import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../../test/support/edit-case.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

test.for<EditCase>([
  {
    because: "blanks were added between a return and its line break",
    text: "one(a);\ntwo(b);\nthree(c);\n",
    old: "one(a);\r \ntwo(b);\r\t\nthree(c);",
    new: "one(a);\r\ntwo(x);\r\nthree(c);",
    result: "one(a);\ntwo(x);\nthree(c);\n",
  },
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
    because: "blanks were put before an escaped text, and so before its first line alone",
    text: "if (a) {\n  b();\n}\n",
    old: "    if (a) {\\n  b();\\n}",
    new: "    if (a) {\\n  c();\\n}",
    result: "if (a) {\n  c();\n}\n",
  },
  {
    because: "a line was put before the one whose indentation is another",
    text: "  a();\n  b();\n",
    old: "\ta();\n  b();",
    new: "\tz();\n  a();\n  b();",
    result: "  z();\n  a();\n  b();\n",
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
    because: "a blank line between has blanks that the file has not",
    text: "  a();\n\n  b();\n",
    old: "    a();\n \n  b();",
    new: "    c();\n\n  b();",
    result: "  c();\n\n  b();\n",
  },
  {
    because: "the lines are cut down to nothing",
    text: "  a();\n  b();\nc\n",
    old: "    a();\n  b();\n",
    new: "",
    result: "c\n",
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
