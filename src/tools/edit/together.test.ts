import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../test/support/edit-case.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

const two = "\tone();\n\ttwo();\n\tthree();\n";

test.for<EditCase>([
  {
    because: "half a fence, escapes, another indentation and other quotes are too many at once",
    text: "\tone(\u2018a\u2019);\n\t\ttwo();\n",
    old: "```js\\none('a');\\n\\ttwo();",
    new: "```js\\none('a');\\n\\t2();",
    result: undefined,
  },
  {
    because: "a fence around numbered lines",
    text: two,
    old: "```\n1\t\tone();\n2\t\ttwo();\n```",
    new: "```\n1\t\tone();\n2\t\t2();\n```",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "escapes in entities",
    text: "if (a && b) {\n\tgo();\n}\n",
    old: "if (a &amp;&amp; b) {\\n\\tgo();",
    new: "if (a &amp;&amp; c) {\\n\\tgo();",
    result: "if (a && c) {\n\tgo();\n}\n",
  },
  {
    because: "numbers and another indentation",
    text: "\t\tone();\n\t\ttwo();\n",
    old: "1: one();\n2: two();",
    new: "1: one();\n2: if (x) {\n3: \ttwo();\n4: }",
    result: "\t\tone();\n\t\tif (x) {\n\t\t\ttwo();\n\t\t}\n",
  },
  {
    because: "carriage returns in a fence",
    text: two,
    old: "```\r\n\tone();\r\n\ttwo();\r\n```",
    new: "```\r\n\tone();\r\n\t2();\r\n```",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "blank lines around a fence around typographic quotes",
    text: "say('a');\nsay('b');\n",
    old: "\n```\nsay(\u2018a\u2019);\nsay(\u2018b\u2019);\n```\n",
    new: "\n```\nsay(\u2018a\u2019);\nsay(\u2018c\u2019);\n```\n",
    result: "say('a');\nsay('c');\n",
  },
  {
    because: "escaped text in which the lines have numbers",
    text: two,
    old: "1: \\tone();\\n2: \\ttwo();",
    new: "1: \\tone();\\n2: \\t2();",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "entities and escaped quotes in a fence",
    text: 'say("a<b");\n',
    old: '```\nsay(\\"a&lt;b\\");\n```',
    new: '```\nsay(\\"c&lt;d\\");\n```',
    result: 'say("c<d");\n',
  },
  {
    because: "the same with line numbers, which is one too many",
    text: 'say("a<b");\n',
    old: '```\n1: say(\\"a&lt;b\\");\n```',
    new: '```\n1: say(\\"c&lt;d\\");\n```',
    result: undefined,
  },
])("several at once: $because", check);
