import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";

interface Case {
  readonly because: string;
  readonly text: string;
  readonly old: string;
  readonly new: string;
  /** The text afterwards; undefined where the edit is refused. */
  readonly result: string | undefined;
}

function check({ text, old, new: newText, result }: Case): void {
  const plan = planEdit(text, [{ oldText: old, newText }]);

  expect(plan.kind === "plan" ? plan.text : undefined).toBe(result);
}

const two = "\tone();\n\ttwo();\n\tthree();\n";

test.for<Case>([
  {
    because: "numbers as Read shows them are taken off both",
    text: two,
    old: "     1\t\tone();\n     2\t\ttwo();",
    new: "     1\t\tone();\n     2\t\t2();",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "numbers in the old text alone leave the new text as it is",
    text: two,
    old: "1: \tone();\n2: \ttwo();",
    new: "\tone();\n\t2();",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "an empty line may have lost the blank after its separator",
    text: "a1\n\nb1\nc1\n",
    old: "7 | a1\n8 |\n9 | b1",
    new: "7 | a1\n8 |\n9 | b2",
    result: "a1\n\nb2\nc1\n",
  },
  {
    because: "new lines may be numbered on",
    text: two,
    old: "2\u2192\ttwo();",
    new: "2\u2192\ttwo();\n3\u2192\tmore();",
    result: "\tone();\n\ttwo();\n\tmore();\n\tthree();\n",
  },
  {
    because: "the new text may begin with the number after the last one",
    text: two,
    old: "2\u2192\ttwo();",
    new: "3\u2192\tmore();",
    result: "\tone();\n\tmore();\n\tthree();\n",
  },
  {
    because: "a shorter separator would leave a blank that the file has not",
    text: "  one\n  two\n",
    old: "1:   one",
    new: "1:   1",
    result: "  1\n  two\n",
  },
  {
    because: "a shorter separator is right where the file has the blank",
    text: "/**\n * note\n */\n",
    old: "2: * note",
    new: "2: * remark",
    result: "/**\n * remark\n */\n",
  },
  {
    because: "an unnumbered line break at the end is no line",
    text: two,
    old: "1\t\tone();\n",
    new: "1\t\tfirst();\n",
    result: "\tfirst();\n\ttwo();\n\tthree();\n",
  },
  {
    because: "numbers must follow each other",
    text: two,
    old: "1\t\tone();\n3\t\ttwo();",
    new: "x",
    result: undefined,
  },
  {
    because: "numbers stand at the start of lines, so their text does too",
    text: "call one\n",
    old: "1\tone",
    new: "1\ttwo",
    result: undefined,
  },
  {
    because: "only some lines of the new text are numbered",
    text: two,
    old: "1\t\tone();\n2\t\ttwo();",
    new: "1\t\tone();\n\tmore();\n2\t\t2();",
    result: undefined,
  },
  {
    because: "numbers that go on nowhere are no line numbers, and yet may be some",
    text: two,
    old: "1\t\tone();",
    new: "1\t\tone();\n1\t\tone();",
    result: undefined,
  },
  {
    because: "new text that begins with numbers of its own keeps those that lines it shares have",
    text: "1\ta\n2\tb\n3\tc\n",
    old: "     1\t1\ta\n     2\t2\tb",
    new: "1\ta\n2\tx",
    result: "1\ta\n2\tx\n3\tc\n",
  },
  {
    because: "nothing tells whether a number of the new text is its own",
    text: "1\ta\n2\tb\n",
    old: "     1\t1\ta",
    new: "1\tx",
    result: undefined,
  },
  {
    because: "numbers far from those of the old text belong to the new one",
    text: "codes = {\n};\n",
    old: "1: codes = {",
    new: "codes = {\n  404: 'x',",
    result: "codes = {\n  404: 'x',\n};\n",
  },
])("line numbers: $because", check);

test.for<Case>([
  {
    because: "a fence around both is taken off",
    text: two,
    old: "```ts\n\ttwo();\n```",
    new: "```ts\n\t2();\n```",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "a fence around the old text alone is taken off",
    text: two,
    old: "~~~\n\ttwo();\n~~~",
    new: "\t2();",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "blocks inside the new text stay",
    text: "# One\n\n# Two\n",
    old: "```md\n# Two\n```",
    new: "```md\n```sh\nls\n```\n\n# Two\n```",
    result: "# One\n\n```sh\nls\n```\n\n# Two\n",
  },
  {
    because: "one half of a fence is taken off where the file has none",
    text: two,
    old: "\ttwo();\n```",
    new: "\t2();\n```",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "the other half is, too",
    text: two,
    old: "```ts\n\ttwo();",
    new: "```ts\n\t2();",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "a stray closing fence of the new text may be its own",
    text: two,
    old: "```ts\n\ttwo();\n```",
    new: "\t2();\n```",
    result: undefined,
  },
  {
    because: "a new text that opens otherwise may have a block of its own",
    text: two,
    old: "```\n\ttwo();\n```",
    new: "```sh\n\t2();\n```",
    result: undefined,
  },
  {
    because: "a fence that is left alone inside shows that the outer ones are no pair",
    text: two,
    old: "```\n\ttwo();\n```",
    new: "```\n\t2();\n```\ntext\n```",
    result: undefined,
  },
  {
    because: "half a fence may be the file's own that has changed",
    text: "```js\nrun()\n```\n",
    old: "```ts\nrun()",
    new: "```ts\nstop()",
    result: undefined,
  },
  {
    because: "so may a whole fence beside one of the file",
    text: "```js\nrun()\n```\n",
    old: "```ts\nrun()\n```",
    new: "```ts\nstop()\n```",
    result: undefined,
  },
  {
    because: "so may it where only the end is beside one",
    text: "text\nrun()\n~~~\n",
    old: "```ts\nrun()\n```",
    new: "```ts\nstop()\n```",
    result: undefined,
  },
  {
    because: "an empty block is a place nowhere",
    text: two,
    old: "```\n```",
    new: "```\nx\n```",
    result: undefined,
  },
])("code fences: $because", check);

test.for<Case>([
  {
    because: "line breaks and tabs that were escaped are undone",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: "\\tone();\\n\\t2();",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "what was escaped whole is unescaped whole",
    text: 'say("\\n");\nbye();\n',
    old: 'say(\\"\\\\n\\");\\nbye();',
    new: 'say(\\"\\\\t\\");\\nbye();',
    result: 'say("\\t");\nbye();\n',
  },
  {
    because: "quotes alone are undone",
    text: 'a = "x";\nb = 1;\n',
    old: 'a = \\"x\\";\nb = 1;',
    new: 'a = \\"y\\";\nb = 2;',
    result: 'a = "y";\nb = 2;\n',
  },
  {
    because: "a backslash of the file's own stays before its quote",
    text: 'a = "\\"x";\nb = 1;\n',
    old: 'a = \\"\\\\"x\\";\nb = 1;',
    new: 'a = \\"\\\\"y\\";\nb = 1;',
    result: 'a = "\\"y";\nb = 1;\n',
  },
  {
    because: "escapes of a template are undone",
    text: "a = `$" + "{b}`;\n",
    old: "a = \\`\\$" + "{b}\\`;",
    new: "a = \\`\\$" + "{c}\\`;",
    result: "a = `$" + "{c}`;\n",
  },
  {
    because: "carriage returns are escaped with the line breaks",
    text: "a1\r\nb1\r\n",
    old: "a1\\r\\nb1",
    new: "a1\\r\\nb2",
    result: "a1\r\nb2\r\n",
  },
  {
    because: "the new text is plain",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: "\tone();\n\t2();",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "an escape in quotes of a new text with line breaks is its own",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: '\tone();\n\tsay("\\n");',
    result: '\tone();\n\tsay("\\n");\n\tthree();\n',
  },
  {
    because: "an escape outside of quotes beside real line breaks may be either",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: "\tone();\n\t2();\\n\t3();",
    result: undefined,
  },
  {
    because: "some quotes of the new text are escaped and some are not",
    text: 'a = "x";\nb = 1;\n',
    old: 'a = \\"x\\";\nb = 1;',
    new: 'a = "y" + \\"z\\";\nb = 1;',
    result: undefined,
  },
  {
    because: "a line the new text shares shows that its escapes are its own",
    text: 'a = "\\"x\\"";\nb = "";\n',
    old: 'a = \\"\\\\"x\\\\"\\";\nb = \\"\\";',
    new: 'a = "\\"x\\"";\nb = "y";',
    result: 'a = "\\"x\\"";\nb = "y";\n',
  },
  {
    because: "unescaping would tear a string of the new text apart",
    text: two,
    old: "\tone();\\n\ttwo();",
    new: '\tone();\\n\tsay("a\\n");',
    result: undefined,
  },
  {
    because: "the file really has the escape",
    text: 'a = "x\\ny";\nb\n',
    old: 'a = "x\\ny";',
    new: 'a = "x\\tz";',
    result: 'a = "x\\tz";\nb\n',
  },
])("escapes: $because", check);

test.for<Case>([
  {
    because: "entities in both are undone",
    text: "if (a < b && c) {\n",
    old: "if (a &lt; b &amp;&amp; c) {",
    new: "if (a &gt; b &amp;&amp; c) {",
    result: "if (a > b && c) {\n",
  },
  {
    because: "entities are undone once",
    text: "a &lt; b && c\n",
    old: "a &amp;lt; b &amp;&amp; c",
    new: "a &amp;gt; b &amp;&amp; c",
    result: "a &gt; b && c\n",
  },
  {
    because: "quotes have entities of several spellings",
    text: `f("a", 'b', 'c', 'd')\n`,
    old: "f(&quot;a&quot;, &#39;b&#39;, &apos;c&apos;, &#x27;d&#x27;)",
    new: "f(&#34;z&#34;)",
    result: 'f("z")\n',
  },
  {
    because: "the new text is plain",
    text: "a && b\n",
    old: "a &amp;&amp; b",
    new: "a && c",
    result: "a && c\n",
  },
  {
    because: "the new text has a character both ways",
    text: "a && b\n",
    old: "a &amp;&amp; b",
    new: "a && '&amp;'",
    result: undefined,
  },
  {
    because: "the new text has plain what the old one has as an entity",
    text: "a && b\n",
    old: "a &amp;&amp; b",
    new: "a && '&lt;'",
    result: undefined,
  },
  {
    because: "the file really has the entity",
    text: "<p>a &amp; b</p>\n",
    old: "a &amp; b",
    new: "a &amp; c",
    result: "<p>a &amp; c</p>\n",
  },
])("HTML entities: $because", check);

test.for<Case>([
  {
    because: "blank lines around both leave those of the file",
    text: "a1\n\nb1\nc1\n",
    old: "\n\n\nb1\nc1\n\n\n",
    new: "\n\n\nb2\nc1\n\n\n",
    result: "a1\n\nb2\nc1\n",
  },
  {
    because: "what the new text has more is its own",
    text: "a1\nb1\nc1\n",
    old: "\nb1\n\n",
    new: "\n\nb2\n\n\n",
    result: "a1\n\nb2\n\nc1\n",
  },
  {
    because: "blanks on them do not count",
    text: "a1\nb1\nc1\n",
    old: "  \nb1\n\t\n",
    new: "  \nb2\n\t\n",
    result: "a1\nb2\nc1\n",
  },
  {
    because: "a last line without a line break keeps that",
    text: "a1\nb1",
    old: "b1\n",
    new: "b2\n",
    result: "a1\nb2",
  },
  {
    because: "the new text has fewer, which may be wanted",
    text: "a1\nb1\nc1\n",
    old: "\nb1\n\n",
    new: "\nb2\n",
    result: undefined,
  },
  {
    because: "a text between blank lines is a whole line",
    text: "subname\n",
    old: "\nname\n",
    new: "\nother\n",
    result: undefined,
  },
  {
    because: "and at its end, too",
    text: "name_of\n",
    old: "name\n\n",
    new: "other\n\n",
    result: undefined,
  },
  {
    because: "nothing would be left",
    text: "a1\nb1\nc1\n",
    old: "b1\n\n",
    new: "\n\n",
    result: undefined,
  },
])("blank lines around: $because", check);

test.for<Case>([
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
])("two at once: $because", check);
