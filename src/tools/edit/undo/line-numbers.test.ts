import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../../test/support/edit-case.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

const two = "\tone();\n\ttwo();\n\tthree();\n";

const plain = "one();\ntwo();\nthree();\n";

test.for<EditCase>([
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
    because: "a number in one new line may be that of a listing, however far from the others",
    text: "codes = {\n};\n",
    old: "1: codes = {",
    new: "codes = {\n  404: 'x',",
    result: undefined,
  },
  {
    because: "lines that are added have no number, and the others have one",
    text: two,
    old: "1\t\tone();\n2\t\ttwo();",
    new: "1\t\tone();\n\tmore();\n2\t\ttwo();",
    result: undefined,
  },
  {
    because: "lines that were sent in another order may be numbered otherwise",
    text: two,
    old: "1\t\tone();\n2\t\ttwo();",
    new: "2\t\ttwo();\n1\t\tone();",
    result: undefined,
  },
  {
    because: "numbers that the lines of the file have as well may be those of the text",
    text: "1\ta\n2\tb\n",
    old: "1\t1\ta\n2\t2\tb",
    new: "1\t1\ta\nmore",
    result: undefined,
  },
  {
    because: "new text that begins two behind the last number leaves a line out",
    text: plain,
    old: "     1\tone();\n     2\ttwo();",
    new: "     4\tone();\n     5\tmore();",
    result: undefined,
  },
  {
    because: "the last line of the new text may have the number that follows all of them",
    text: plain,
    old: "     1\tone();",
    new: "     1\tone();\n     3\tmore();",
    result: undefined,
  },
  {
    because: "one numbered line with a line break after it",
    text: plain,
    old: "     2\ttwo();\n",
    new: "     2\tmore();\n",
    result: "one();\nmore();\nthree();\n",
  },
  {
    because: "one with a line break before it, which ends the line above",
    text: plain,
    old: "\n     2\ttwo();",
    new: "\n     2\tmore();",
    result: "one();\nmore();\nthree();\n",
  },
  {
    because: "or ends it in two characters",
    text: plain.replaceAll("\n", "\r\n"),
    old: "\n     2\ttwo();",
    new: "\n     2\tmore();",
    result: "one();\r\nmore();\r\nthree();\r\n",
  },
  {
    because: "without it the new text would go on in the line above",
    text: plain,
    old: "\n     2\ttwo();",
    new: "     2\tmore();",
    result: undefined,
  },
])("line numbers: $because", check);
