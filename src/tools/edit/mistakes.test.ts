import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../test/support/edit-case.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

test.for<EditCase>([
  {
    because: "new lines with numbers and another separator are numbered",
    text: "# one\nA = 1\n\n# two\nB = 2\n",
    old: "7:    # one\n8:    A = 1\n9:\n10:    # two\n11:    B = 2",
    new: "7:# two\n8:B = 2",
    result: undefined,
  },
  {
    because:
      "new text that is deeper than all of the old one may have been shifted with its numbers",
    text: "  a(\n    b,\n  );\n",
    old: "      1\t  a(\n      2\t    b,\n      3\t  );",
    new: "      a(\n        b,\n        c,\n      );",
    result: undefined,
  },
  {
    because: "new text around it is deeper only inside",
    text: "a();\nb();\n",
    old: "1: a();\n2: b();",
    new: "if (x) {\n  a();\n  b();\n}",
    result: "if (x) {\n  a();\n  b();\n}\n",
  },
  {
    because: "the blank behind a separator is none of the text where there is no shorter one",
    text: "\tconst key = random();\n\tgo();\n",
    old: "27\t   const key = random();",
    new: "    const key = other();",
    result: undefined,
  },
  {
    because: "one blank of an indentation that is taken for a separator is missed in every line",
    text: "  a1\n",
    old: "1|  a1",
    new: "  a1\n  b1",
    result: "  a1\n  b1\n",
  },
  {
    because: "a blank behind the separator that the new text has not is none of the text",
    text: "a1\n",
    old: "4\u2192 a1",
    new: "4\u2192z1",
    result: "z1\n",
  },
  {
    because:
      "a new line is indented as the file is, and not as the blank behind the separator says",
    text: "  a1\n",
    old: "5\u2192   a1",
    new: "  b1",
    result: "  b1\n",
  },
  {
    because: "a line goes, which leaves none that could be shifted",
    text: "a1\nb1\n",
    old: "2\tb1",
    new: "",
    result: "a1\n\n",
  },
])("line numbers: $because", check);

test.for<EditCase>([
  {
    because: "an escaped return alone is two characters",
    text: "lines = value.split()\nreturn lines\n",
    old: "lines = value.split()\\nreturn lines",
    new: "# It splits at \\r, too.\\nlines = splitter(value)\\nreturn lines",
    result: undefined,
  },
  {
    because: "backslashes as the file has them were not doubled, though the old ones were",
    text: "if (x.some((y) => /^(?:\\\\t| )/u.test(y))) return;\nb\n",
    old: "\nif (x.some((y) => /^(?:\\\\\\\\t| )/u.test(y))) return; \n\n",
    new: "\nif (z.some((y) => /^(?:\\\\t| )/u.test(y))) return;\n\n",
    result: undefined,
  },
  {
    because: "new text with plain quotes was not escaped, where the old ones were",
    text: 'a = text.split("\\n");\nreturn a;\n',
    old: 'a = text.split(\\"\\\\n\\");\\nreturn a;',
    new: 'b = text.split("\\n");',
    result: undefined,
  },
  {
    because: "an escape as the file has it was not doubled, though the old one was",
    text: "say(a\\n)\n",
    old: "say(a\\\\n)",
    new: "say(b\\n)",
    result: undefined,
  },
])("escapes: $because", check);

test.for<EditCase>([
  {
    because: "a line that stays was sent with other blanks than the file has, and now has none",
    text: "a1  \nb1  \n",
    old: "a1\nb1 ",
    new: "a1\nx1\nb1",
    result: undefined,
  },
  {
    because: "the blanks of a line go, and another one was sent without those of the file",
    text: "a1\nb1  \nc1  \nd1\n",
    old: "a1\nb1  \nc1\nd1",
    new: "a2\nb1\nc1\nd1",
    result: undefined,
  },
  {
    because: "a form feed is no blank",
    text: "a \u2013 b\n\f\nc1\n\nc1\n",
    old: "a - b\n\nc1",
    new: "a - b\n\nc2",
    result: undefined,
  },
  {
    because: "other blanks alone on a line than those that were sent for nothing may be meant",
    text: "a1\n\nb1\n",
    old: "a1\n\t\nb1",
    new: "a2\n\t\t\n\nb1",
    result: undefined,
  },
])("blanks: $because", check);

test.for<EditCase>([
  {
    because: "a dash does not stand for the second one of two hyphens",
    text: "-- one two\n",
    old: "\u2014 one two",
    new: "-- one three",
    result: undefined,
  },
  {
    because: "nor for the first one",
    text: "one two --\n",
    old: "one two \u2014",
    new: "one three --",
    result: undefined,
  },
  {
    because: "a line as the file has it shows that new text was typed in its characters",
    text: "x('ls')\ny()\nit\u2019s\n",
    old: "x(\u2018ls\u2019)\ny()",
    new: "x('ls')\nit\u2019s so\ny()",
    result: "x('ls')\nit\u2019s so\ny()\nit\u2019s\n",
  },
  {
    because: "a line that stays was sent with another character that stands for two in the file",
    text: "a b\u00A0c  \nd e\nf1\n",
    old: "a\u00A0b\u00A0c\nd\u00A0e\nf1",
    new: "a b\u00A0c\nd e\nf2",
    result: undefined,
  },
  {
    because: "plain quotes that are of both kinds in the file, before a blank that it has not",
    text: '\u201Ca\u201D "b"\n',
    old: '"a" "b" ',
    new: '"c" "b" ',
    result: undefined,
  },
])("characters: $because", check);

test.for<EditCase>([
  {
    because: "one blank on both sides of both texts is no indentation",
    text: "set cpo&vim\n\nlet b = 1\n",
    old: "     set cpo&vim ",
    new: " set cpo&vim\nunlet s ",
    result: undefined,
  },
  {
    because: "lines of the place that all stand elsewhere are not in its indentation",
    text: "one: 1\ntwo:\n  three:\n    four: 4\n",
    old: " one: 1\n two:\n   three:\n     four: 4",
    new: "  one: 1\n  two:\n    three:",
    result: undefined,
  },
  {
    because: "a line that stands there twice does not tell",
    text: "f:\n  if a:\n    b\n  else:\n    if c:\n      d\n    else:\n      e\n",
    old: "   if a:\n     b\n   else:\n     if c:\n       d\n     else:\n       e",
    new: "    if a:\n      b2\n    else:\n      if c:\n        d\n      else:\n        e",
    result: undefined,
  },
  {
    because: "a blank first line does not tell in whose indentation new text begins",
    text: "class A:\n    def f():\n\n        one()\n        two()\n",
    old: "\r\n            one()\r\n            two()",
    new: "\r\n        with x:\r\n            one()\r\n            two()",
    result: undefined,
  },
  {
    because: "a bracket may be any other one of them",
    text: "f() {\n  a = 0;\n  for (x) {\n    a++;\n  }\n}\n",
    old: "    a = 0;\n    for (x) {\n      a++;\n    }",
    new: "    a++;\n    if (x) {\n      y();\n    }",
    result: undefined,
  },
  {
    because: "no indentation is proved for blanks alone on a line",
    text: "f:\n\ta1\n\tb1\n",
    old: "\t\ta1\n\t\tb1",
    new: "\t\ta1\n\t\t\n\t\tb2",
    result: undefined,
  },
  {
    because: "no-break spaces before a line of the file are not its indentation",
    text: "one\n\u00A0\u00A0two\nthree four\n",
    old: "    one\n    \u00A0\u00A0two\n    three\u00A0four",
    new: "    1\n    \u00A0\u00A0two\n    3",
    result: undefined,
  },
  {
    because: "what follows such a line is not written as in the file for that",
    text: "one\n\u00A0\u00A0\u00A0\u00A0two<br>\nthree\n",
    old: "    \u00A0\u00A0\u00A0\u00A0two<br>\n",
    new: "    \u00A0\u00A0\u00A0\u00A0two<br>2\n    added\n",
    result: undefined,
  },
  {
    because: "blanks before one line, which has one behind it, too, may not be meant",
    text: "a1\n",
    old: "  a1 ",
    new: "  b1 ",
    result: undefined,
  },
])("indentation: $because", check);

test.for<EditCase>([
  {
    because: "a place behind an indentation is none less than one within a line",
    text: 'if (x) {\n  if (w === "") return places;\n  return places;\n}\n',
    old: "return places;\r\n",
    new: "return places;\r\nif (y) {\r\n  z();\r\n}\r\n",
    result: undefined,
  },
  {
    because: "blanks that were sent behind the last line are not those before the next one",
    text: "f(a,\n    b,\n    c);\n",
    old: "f(a,\\n    b,\\n  ",
    new: "f(a,\\n    d,\\n",
    result: undefined,
  },
  {
    because: "blanks before the next line that new text ends with, too, stay there",
    text: "f(a,\n    b,\n    c);\n",
    old: "f(a,\\n    b,\\n    ",
    new: "f(a,\\n    d,\\n    ",
    result: "f(a,\n    d,\n    c);\n",
  },
  {
    because: "a line of blanks after one of two equal lines makes neither the one that is meant",
    text: "a1\r\n  \r\nb1\r\na1\r\n",
    old: "a1\n",
    new: "a2\n",
    result: undefined,
  },
  {
    because: "the same where line numbers were undone",
    text: "a1\nc1\n  \nb1\na1\nc1\n",
    old: "1\ta1\n2\tc1\n",
    new: "1\ta2\n2\tc1\n",
    result: undefined,
  },
  {
    because: "what stands twice but for its line endings does so also as a part of a word",
    text: "a1\r\nb1\r\na1\r\nb12\r\n",
    old: "a1\nb1",
    new: "a2\nb1",
    result: undefined,
  },
  {
    because: "a line of one character is not the beginning of another line",
    text: "a1\nx y\n",
    old: "x\n",
    new: "z\n",
    result: undefined,
  },
])("places: $because", check);
