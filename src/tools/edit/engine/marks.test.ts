import { expect, test } from "vitest";
import { undoQuotation, undoUnicodeEscapes } from "./interpretations/line-marks.ts";
import { edited, type EditCase } from "../../../../test/support/edit-case.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

const text = "zero\none {\n  two\n}\nlast\n";
const changed = "zero\none {\n  other\n}\nlast\n";

test.for<Omit<EditCase, "text">>([
  {
    because: "the tab of a listing is shown as blanks",
    old: "     2  one {\n     3    two\n     4  }",
    new: "     2  one {\n     3    other\n     4  }",
    result: changed,
  },
  {
    because: "one blank stands behind the numbers",
    old: "2 one {\n3   two\n4 }",
    new: "one {\n  other\n}",
    result: changed,
  },
  {
    because: "the numbers are those of a list",
    old: "2. one {\n3.   two\n4. }",
    new: "2. one {\n3.   other\n4. }",
    result: changed,
  },
  {
    because: "a bracket closes behind the numbers",
    old: "2) one {\n3)   two",
    new: "2) one {\n3)   other",
    result: changed,
  },
  {
    because: "one line alone may begin with a number",
    old: "2 one {",
    new: "2 two {",
    result: undefined,
  },
  {
    because: "a search puts the path before the numbers",
    old: "src/a.ts:2:one {\nsrc/a.ts:3:  two",
    new: "src/a.ts:2:one {\nsrc/a.ts:3:  other",
    result: changed,
  },
  {
    because: "a search shows one line, and the new text is without its path",
    old: "src/a.ts:3:  two",
    new: "  other",
    result: changed,
  },
  {
    because: "the paths are those of two files",
    old: "src/a.ts:2:one {\nsrc/b.ts:3:  two",
    new: "one {\n  other",
    result: undefined,
  },
  {
    because: "all lines are quoted",
    old: "> one {\n>   two\n> }\n",
    new: "> one {\n>   other\n> }\n",
    result: changed,
  },
  {
    because: "only the old text is quoted, with a mark alone for an empty line",
    old: "> }\n> last\n>",
    new: "}\nend\n",
    result: "zero\none {\n  two\n}\nend\n",
  },
  {
    because: "only the old text is quoted",
    old: "> one {\n>   two",
    new: "one {\n  other",
    result: changed,
  },
  {
    because: "a part of the new text is quoted",
    old: "> one {\n>   two",
    new: "> one {\n  other",
    result: undefined,
  },
  {
    because: "one line of the old text is not quoted",
    old: "> one {\n  two",
    new: "one {\n  other",
    result: undefined,
  },
  {
    because: "an empty line between has no mark",
    old: "> zero\n\n> one {",
    new: "> zero\n\n> two {",
    result: undefined,
  },
  {
    because: "one quoted line alone may be a quotation that is none any more",
    old: "> last",
    new: "> end",
    result: undefined,
  },
  {
    because: "the first of the quoted lines stands behind others on its line",
    old: "> {\n>   two",
    new: "> (\n>   two",
    result: undefined,
  },
  {
    because: "the first line of a diff stands behind others on its line",
    old: " {\n-  two",
    new: " {\n+  other",
    result: undefined,
  },
  {
    because: "the last of the shown returns stands before others on its line",
    old: "one^M",
    new: "two",
    result: undefined,
  },
  {
    because: "the texts are the sides of a diff",
    old: " one {\n-  two\n }",
    new: " one {\n+  other\n }",
    result: changed,
  },
  {
    because: "nothing stays the same in the diff",
    old: "-  two",
    new: "+  other",
    result: changed,
  },
  {
    because: "a blank follows the marks of the diff",
    old: "- one {\n-   two",
    new: "+ one {\n+   other",
    result: changed,
  },
  {
    because: "lines are only added, and end with a line break",
    old: " one {\n   two\n",
    new: " one {\n+  first\n   two\n",
    result: "zero\none {\n  first\n  two\n}\nlast\n",
  },
  {
    because: "what stays the same is not the same on both sides",
    old: " one {\n-  two",
    new: " zero {\n+  other",
    result: undefined,
  },
  {
    because: "the new side has a line without a mark",
    old: "-one {\n-  two",
    new: "+one {\nother",
    result: undefined,
  },
  {
    because: "the old side has a line without a mark",
    old: "-one {\n  two\nx",
    new: "+one {\n  two",
    result: undefined,
  },
  {
    because: "returns are shown as ^M",
    old: "one {^M\n  two^M\n}",
    new: "one {^M\n  other^M\n}",
    result: changed,
  },
  {
    because: "returns are shown in the old text alone, at its end, too",
    old: "one {^M\n  two^M",
    new: "one {\n  other",
    result: changed,
  },
  {
    because: "a return is shown in the old text at one of its lines",
    old: "one {^M\n  two\n}",
    new: "one {\n  other\n}",
    result: undefined,
  },
  {
    because: "a return is shown in the new text at one of its lines",
    old: "one {^M\n  two^M\n}",
    new: "one {\n  other^M\n}",
    result: undefined,
  },
  {
    because: "a byte order mark was put before both texts",
    old: "\uFEFFone {\n  two",
    new: "\uFEFFone {\n  other",
    result: changed,
  },
  {
    because: "a byte order mark was put before a line break",
    old: "\uFEFF\none {\n  two",
    new: "\none {\n  other",
    result: changed,
  },
  {
    because: "a byte order mark was put before the old text",
    old: "\uFEFFone {\n  two",
    new: "one {\n  other",
    result: changed,
  },
])("marks around lines: $because", (each) => {
  expect(edited({ ...each, text })).toBe(each.result);
});

test.for<EditCase>([
  {
    because: "characters are given by their codes",
    text: 'say("café – 5 €");\n',
    old: 'say("caf\\u00e9 \\u2013 5 \\u20AC");',
    new: 'say("th\\u00e9 \\u2013 5 \\u20AC");',
    result: 'say("thé – 5 €");\n',
  },
  {
    because: "only the old text has codes",
    text: "say(é);\nx\n",
    old: "say(\\u00e9);\nx",
    new: "say(é);\ny",
    result: "say(é);\ny\n",
  },
  {
    because: "a new line has a code and a character",
    text: "say(é);\nx\n",
    old: "say(\\u00e9);",
    new: "shout(\\u00e9, à);",
    result: undefined,
  },
  {
    because: "the code of a plain character is meant as it stands",
    text: "say(A);\n",
    old: "say(\\u0041);",
    new: "say(B);",
    result: undefined,
  },
  {
    because: "characters are escaped for Markdown",
    text: "max_size = a * b  # `two`\n",
    old: "max\\_size = a \\* b  \\# \\`two\\`",
    new: "max\\_size = a \\* c  \\# \\`two\\`",
    result: "max_size = a * c  # `two`\n",
  },
  {
    because: "only the old text is escaped for Markdown",
    text: "max_size = 1\nmin_size = 1\n",
    old: "max\\_size = 1\nmin\\_size = 1",
    new: "max_size = 1\nmin_size = 2",
    result: "max_size = 1\nmin_size = 2\n",
  },
  {
    because: "an underscore is escaped for Markdown in the new text alone",
    text: "# one\nlast\n",
    old: "\\# one",
    new: "\\# my\\_one",
    result: "# my_one\nlast\n",
  },
  {
    because: "a hash that begins a line is escaped for Markdown in the new text alone",
    text: "my_one\nlast\n",
    old: "my\\_one",
    new: "  \\# z\nmy\\_one",
    result: "  # z\nmy_one\nlast\n",
  },
  {
    because: "a hash within a line may be escaped for the file",
    text: "my_one\nlast\n",
    old: "my\\_one",
    new: "my\\_one \\# z",
    result: undefined,
  },
  {
    because: "a star is escaped where the old text has two kinds escaped",
    text: "# my_one\nlast\n",
    old: "\\# my\\_one",
    new: "\\# my\\_one \\* 2",
    result: "# my_one * 2\nlast\n",
  },
  {
    because: "a star may be escaped for a pattern in quotes",
    text: "# my_one\nlast\n",
    old: "\\# my\\_one",
    new: "\\# my\\_one '\\*'",
    result: undefined,
  },
  {
    because: "a backslash before that of a star may be the text's own",
    text: "# my_one\nlast\n",
    old: "\\# my\\_one",
    new: "\\# my\\_one \\\\*",
    result: undefined,
  },
  {
    because: "an underscore is escaped in the new text, and another one is not",
    text: "# one\nlast\n",
    old: "\\# one",
    new: "\\# my\\_one of_it",
    result: undefined,
  },
  {
    because: "the file has such a backslash as the new text has",
    text: "# one\nthat\\_one\n",
    old: "\\# one",
    new: "\\# my\\_one",
    result: undefined,
  },
  {
    because: "the new text is escaped for Markdown in part",
    text: "max_size = 1\n",
    old: "max\\_size = 1",
    new: "max_size = other\\_size",
    result: undefined,
  },
  {
    because: "only backticks of the old text are escaped, and more of the new one",
    text: "say(`a`);\n",
    old: "say(\\`a\\`);",
    new: "say(\\`a\\`, max\\_size);",
    result: undefined,
  },
  {
    because: "line breaks are escaped with their returns, and a feed of the new text has none",
    text: "one();\ntwo();\n",
    old: "one();\\r\\ntwo();",
    new: 'one();\\r\\nsay("a\\nb");',
    result: undefined,
  },
  {
    because: "line breaks are escaped with their returns",
    text: "one();\ntwo();\n",
    old: "one();\\r\\ntwo();",
    new: "one();\\r\\nother();\\r\\ntwo();",
    result: "one();\nother();\ntwo();\n",
  },
  {
    because: "some of the escaped line breaks of both texts have no returns",
    text: "one();\ntwo();\nx\n",
    old: "one();\\r\\ntwo();\\nx",
    new: "one();\\r\\nother();\\nx",
    result: "one();\nother();\nx\n",
  },
  {
    because: "a diff has a blank more than the indentation of a block that has changed since",
    text: "  first_call(a);\n  last_call(c);\n}\n\tfirst_call(a);\n\tlast_call(b);\n",
    old: "-   first_call(a);\n-   last_call(b);",
    new: "+   first_call(a);\n+   last_call(d);",
    result: undefined,
  },
  {
    because:
      "two blanks of a listing may be those of an indentation of a block that has changed since",
    text: "  first_call(a);\n  last_call(c);\n}\n\tfirst_call(a);\n\tlast_call(b);\n",
    old: "     1      first_call(a);\n     2      last_call(b);",
    new: "     1      first_call(a);\n     2      last_call(d);",
    result: undefined,
  },
])("characters that are written otherwise: $because", check);

test("an empty line that is not marked is no part of a quotation, and neither is a mark without a line", () => {
  expect(undoQuotation("> a1\n\n> b1", "x")).toEqual([]);
  expect(undoQuotation("> a1\n>", "x")).toEqual([]);
  expect(undoQuotation("> a1\n>\n> b1\n", "> c1\n")).toMatchObject([
    { oldText: "a1\n\nb1\n", newText: "c1\n" },
  ]);
});

test.for([
  { code: "\\u0080", character: "\u0080" },
  { code: "\\u007f", character: undefined },
  { code: "\\u00Ff", character: "ÿ" },
  { code: "\\u00f", character: undefined },
])("$code stands for $character", ({ code, character }) => {
  const [undone] = undoUnicodeEscapes(code, "x");

  expect(undone?.oldText).toBe(character);
});
