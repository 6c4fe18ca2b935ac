import { expect, test } from "vitest";
import { planEdit } from "../plan-edit.ts";

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
    because: "a backslash that escapes nothing shows that nothing was escaped",
    text: "\tx\\q\nb\n",
    old: "x\\q",
    new: "Q",
    result: "\tQ\nb\n",
  },
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
    text: "a = `$(b)`;\n",
    old: "a = \\`\\$(b)\\`;",
    new: "a = \\`\\$(c)\\`;",
    result: "a = `$(c)`;\n",
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
    because: "escaped quotes alone do not show that backslashes were doubled",
    text: 'say("a");\nend();\n',
    old: 'say(\\"a\\");\\nend();',
    new: 'say(\\"b\\n\\");\\nend();',
    result: undefined,
  },
  {
    because: "a template that begins and ends on lines of its own may have been one line",
    text: two,
    old: "\tone();\\n\ttwo();",
    new: "\tone();\\n\tsay(`a\\n`);",
    result: undefined,
  },
  {
    because: "a doubled backslash of the old text shows that single ones are line breaks",
    text: "say(`x`, /\\d/);\nend();\n",
    old: "say(`x`, /\\\\d/);\\nend();",
    new: "say(`x\\ny`, /\\\\d/);\\nend();",
    result: "say(`x\ny`, /\\d/);\nend();\n",
  },
  {
    because: "a tab inside of quotes may be the escape of a string",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: '\\tone();\\n\\tsay("a\\tb");',
    result: undefined,
  },
  {
    because: "a tab before quotes is layout",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: '\\tone();\\n\\tsay("b");',
    result: '\tone();\n\tsay("b");\n\tthree();\n',
  },
  {
    because: "a carriage return inside of quotes may be the escape of a string",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: "\\tone();\\n\\tsay('\\r');",
    result: undefined,
  },
  {
    because: "a backslash that escapes nothing shows that only line breaks were escaped",
    text: two,
    old: "\tone();\\n\ttwo();",
    new: "\tone();\\n\tmatch(/\\d/);",
    result: "\tone();\n\tmatch(/\\d/);\n\tthree();\n",
  },
  {
    because: "the file really has the escape",
    text: 'a = "x\\ny";\nb\n',
    old: 'a = "x\\ny";',
    new: 'a = "x\\tz";',
    result: 'a = "x\\tz";\nb\n',
  },
  {
    because: "a string that begins after others on its line would be torn apart, too",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: '\\tone();\\n\\tsay("a", "b\\nc");',
    result: undefined,
  },
  {
    because: "the two ways to unescape give different texts in the same place",
    text: 'say("a");\n',
    old: 'say(\\"a\\");',
    new: 'say(\\"b\\\\n\\");',
    result: undefined,
  },
  {
    because: "a path on a drive has no line break in it",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: "\\tone();\\n\\t// see C:\\new",
    result: undefined,
  },
  {
    because: "a key of one letter is no drive",
    text: "a:\n  b: 1\n",
    old: "a:\\n  b: 1",
    new: "a:\\n  b: 2",
    result: "a:\n  b: 2\n",
  },
  {
    because: "a longer word before a colon is no drive",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: "\\tone();\\nnext:\\nmore();",
    result: "\tone();\nnext:\nmore();\n\tthree();\n",
  },
  {
    because: "a drive's backslash is doubled where all are",
    text: "say(`x`, /\\d/);\nend();\n",
    old: "say(`x`, /\\\\d/);\\nend();",
    new: "see(C:\\new, /\\\\d/);\\nend();",
    result: "see(C:\new, /\\d/);\nend();\n",
  },
  {
    because: "a backslash before an escaped line break may be the text's own",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: "\\tone(); \\\\\\n\\t2();",
    result: undefined,
  },
  {
    because: "two backslashes may be two where only line breaks were escaped",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: "\\tone();\\n\\tmatch(/\\\\d/);",
    result: undefined,
  },
  {
    because: "lines of a new text with line breaks have the quotes of the old one escaped",
    text: "say('a');\nend();\n",
    old: "say(\\'a\\');\\nend();",
    new: "say(\\'a\\');\nmore();\nend();",
    result: undefined,
  },
  {
    because: "a line of a new text with line breaks has an escaped quote as the file has it",
    text: "say('\\'');\nend();\n",
    old: "say('\\\\'');\\nend();",
    new: "say('\\'');\nmore();\nend();",
    result: "say('\\'');\nmore();\nend();\n",
  },
  {
    because: "a string with two line breaks would be torn apart, too",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: '\\tone();\\n\\tsay("a\\nb\\nc");',
    result: undefined,
  },
  {
    because: "where only quotes were escaped the line breaks of a string are its own",
    text: 'say("a");\nend();\n',
    old: 'say(\\"a\\");\nend();',
    new: 'say(\\"b\\", `x\ny`);\nend();',
    result: 'say("b", `x\ny`);\nend();\n',
  },
  {
    because: "a text in three quotes may have line breaks",
    text: two,
    old: "\\tone();\\n\\ttwo();",
    new: '\\t"""Doc.\\n\\tmore."""',
    result: '\t"""Doc.\n\tmore."""\n\tthree();\n',
  },
  {
    because: "new text that has quotes escaped beside line breaks of its own was escaped in part",
    text: 'a\nb "x\\d"\n',
    old: 'a\\nb "x\\d"',
    new: 'a\nb \\"x\\d\\"',
    result: undefined,
  },
  {
    because: "new text without any escape is taken as it is, whatever its quotes",
    text: "a();\n\tb();\n",
    old: "a();\n\\tb();",
    new: "a();\nx = `p\nq`;",
    result: "a();\nx = `p\nq`;\n",
  },
  {
    because: "backticks may be escaped in a text of several lines",
    text: "a = `x`;\nb();\n",
    old: "a = \\`x\\`;\nb();",
    new: "a = \\`y\\`;\nb();",
    result: "a = `y`;\nb();\n",
  },
  {
    because: "a string of several lines that stays as it is has its line breaks",
    text: "s = `a\nb`;\nc();\n",
    old: "s = `a\\nb`;\\nc();",
    new: "s = `a\\nb`;\\nd();",
    result: "s = `a\nb`;\nd();\n",
  },
  {
    because: "one stray quote tears nothing apart",
    text: "a();\nb();\n",
    old: "a();\\nb();",
    new: "a();\\n// 'tis\\nb();",
    result: "a();\n// 'tis\nb();\n",
  },
  {
    because: "the new text alone may be as it is meant, with a pattern that the old line has, too",
    text: "test(/[ \\t]\\r?$/);\n",
    old: "test(/[ \\\\t]\\\\r?$/);",
    new: "check(/[ \\t]\\r?$/);",
    result: undefined,
  },
  {
    because: "where it doubles a backslash as well it was escaped",
    text: "test(/[ \\t]$/);\n",
    old: "test(/[ \\\\t]$/);",
    new: "check(/[ \\\\t]$/);\\n\\tmore();",
    result: "check(/[ \\t]$/);\n\tmore();\n",
  },
  {
    because: "what the old line does not have is no pattern of it",
    text: "test(/\\d\\t/);\n",
    old: "test(/\\\\d\\\\t/);",
    new: "test();\\nmore();",
    result: "test();\nmore();\n",
  },
  {
    because: "of several old lines a break in the new text is one as between them",
    text: 'say("\\n");\nend();\n',
    old: 'say("\\\\n");\\nend();',
    new: "say();\\nstop();",
    result: "say();\nstop();\n",
  },
])("escapes: $because", check);
