import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";

interface Case {
  readonly because: string;
  readonly text: string;
  readonly old: string;
  readonly new: string;
  /** Expected text, or part of the reason why the edit is refused. */
  readonly result?: string;
  readonly refused?: string;
}

const joins = "would join two lines";
const indents = "the file has the indentation already";

// Old texts with a trailing blank, or with another kind of quote, differ from the file.
test.for<Case>([
  {
    because: "the line break before it is missing in the new text",
    text: "a1\nb1\nc1\n",
    old: "\nb1 \nc1",
    new: "b2\nc1",
    refused: joins,
  },
  {
    because: "the line break before it is there in the new text",
    text: "a1\nb1\nc1\n",
    old: "\nb1 \nc1",
    new: "\nb2\nc1",
    result: "a1\nb2\nc1\n",
  },
  {
    because: "the line break behind blanks is there in the new text",
    text: "a1\n  \nb1\nc1\n",
    old: "\nb1 \nc1",
    new: "\nb2\nc1",
    result: "a1\n  \nb2\nc1\n",
  },
  {
    because: "it is that of an empty line, which goes",
    text: "a1\n\nb1\nc1\n",
    old: "\nb1 \nc1",
    new: "b2\nc1",
    result: "a1\nb2\nc1\n",
  },
  {
    because: "all of a line goes with the line break before it",
    text: "a1\nb1\nc1\n",
    old: "\nb1 ",
    new: "",
    result: "a1\nc1\n",
  },
  {
    because: "all goes up to the end of the file",
    text: "a1\nb1\n",
    old: "\nb1 \n",
    new: "",
    result: "a1",
  },
  {
    because: "both line breaks go with the line",
    text: "a1\nb1\nc1\n",
    old: "\nb1 \n",
    new: "",
    refused: joins,
  },
  {
    because: "both line breaks go, and the next line is empty",
    text: "a1\nb1\n\nc1\n",
    old: "\nb1 \n",
    new: "",
    result: "a1\nc1\n",
  },
  {
    because: "the line break after it is missing in the new text",
    text: "a1\r\nb1\r\nc1\r\n",
    old: "a1 \nb1\n",
    new: "a1\nb2",
    refused: joins,
  },
  {
    because: "the line break after it is missing, and the next line is empty",
    text: "a1\nb1\n\nc1\n",
    old: "a1 \nb1\n",
    new: "a1\nb2",
    result: "a1\nb2\nc1\n",
  },
  {
    because: "the line break after it is the last one of the file",
    text: "a1\nb1\n",
    old: "a1 \nb1\n",
    new: "a1\nb2",
    result: "a1\nb2",
  },
  {
    because: "whole lines go",
    text: "a1\nb1\nc1\n",
    old: "a1 \nb1\n",
    new: "",
    result: "c1\n",
  },
  {
    because: "the end of a line goes with its line break",
    text: "a1 say('b');\nc1\n",
    old: "say(\u2018b\u2019);\n",
    new: "",
    refused: joins,
  },
  {
    because: "the new text begins with an indentation that the old text has not",
    text: "  a1('x');\n  b1\n",
    old: "a1(\u2018x\u2019);\n  b1",
    new: "  a2('x');\n  b1",
    refused: indents,
  },
  {
    because: "the new text begins with a line break behind an indentation",
    text: "  a1('x');\n  b1\n",
    old: "a1(\u2018x\u2019);\n  b1",
    new: "\n  a2('x');\n  b1",
    refused: indents,
  },
  {
    because: "both begin behind an indentation",
    text: "  a1('x');\n  b1\n",
    old: "a1(\u2018x\u2019);\n  b1",
    new: "a2('x');\n  b1",
    result: "  a2('x');\n  b1\n",
  },
  {
    because: "both have the last blank of the indentation",
    text: "z = [a('x'),\n  b1\n",
    old: " [a(\u2018x\u2019),",
    new: " [c('x'),",
    result: "z = [c('x'),\n  b1\n",
  },
  {
    because: "a blank behind other text is no indentation",
    text: "z =a('x');\n",
    old: "a(\u2018x\u2019);",
    new: " a('x');",
    result: "z = a('x');\n",
  },
  {
    because: "a blank behind other text is no indentation to lose",
    text: "z = [a('x'),\n  b1\n",
    old: " [a(\u2018x\u2019),\n  b1",
    new: "[c('x'),\n  b1",
    result: "z =[c('x'),\n  b1\n",
  },
  {
    because: "one of the lines is not indented either",
    text: "  a1\nb1\nc1\n",
    old: "  a1 \nb1",
    new: "a2\nb1",
    result: "a2\nb1\nc1\n",
  },
  {
    because: "all lines are indented, and nothing is left of them",
    text: "  a1\n  b1\nc1\n",
    old: "  a1 \n  b1\n",
    new: "\n",
    result: "\nc1\n",
  },
  {
    because: "as many line breaks are at the end",
    text: "a1\n\n\nb1\n",
    old: "a1 \n\n",
    new: "a2\nc1\n\n",
    result: "a2\nc1\n\n\nb1\n",
  },
  {
    because: "the line break goes with a line that does, and the next one is empty",
    text: "say(one);\nb1\n\nc1\n",
    old: "say(one); \nb1\n",
    new: "say(two);",
    result: "say(two);\nc1\n",
  },
  {
    because: "the empty line after it goes and nothing else",
    text: "a1\nsay(one);\n\n\nc1\n",
    old: "a1 \nsay(one);\n\n\n",
    new: "a1\nsay(one);\n\n",
    result: "a1\nsay(one);\n\nc1\n",
  },
  {
    because: "an empty line comes at the start of the file",
    text: "say(one);\nb1\n",
    old: "say(one); \nb1",
    new: "\nsay(two);\nb1",
    result: "\nsay(two);\nb1\n",
  },
  {
    because: "an empty line comes before another line than the one that has one before it",
    text: "a1\n\nsay(one);\nb1\n",
    old: "say(one); \nb1",
    new: "\nc1\nsay(one);\nb1",
    result: "a1\n\n\nc1\nsay(one);\nb1\n",
  },
  {
    because: "as many empty lines come before one that has one before it",
    text: "a1\n\n\nsay(one);\nb1\n",
    old: "\nsay(one); \nb1",
    new: "\nsay(two);\nb1",
    result: "a1\n\n\nsay(two);\nb1\n",
  },
  {
    because: "the first line of the numbered ones moves out, and most others stay",
    text: "    a1\n    b1\n    c1\n    d1\n",
    old: "1|    a1\n2|    b1\n3|    c1\n4|    d1",
    new: "  a1\n    b1\n    c1\n    d2",
    result: "  a1\n    b1\n    c1\n    d2\n",
  },
  {
    because: "the first line of the numbered ones moves out to the edge of the file alone",
    text: "    a1\n    b1\n    c1\n    d1\n",
    old: "1|      a1\n2|      b1\n3|      c1\n4|      d1",
    new: "  a1\n      b1\n      c1\n      d2",
    refused: "not clear which indentation",
  },
  {
    because: "the first line of the numbered ones moves out to the edge of what was sent",
    text: "      a1\n      b1\n    c1\n      d1\n",
    old: "1|   a1\n2|   b1\n3| c1\n4|   d1",
    new: "1| a1\n2|   b1\n3| c1\n4|   d2",
    result: "    a1\n      b1\n    c1\n      d2\n",
  },
  {
    because: "the first line of the numbered ones moves out to the edge",
    text: "    a1\n    b1\n    c1\n    d1\n",
    old: "1|    a1\n2|    b1\n3|    c1\n4|    d1",
    new: "a1\n    b1\n    c1\n    d2",
    refused: "indented otherwise",
  },
  {
    because: "the first line of the numbered ones moves in",
    text: "  a1\n  b1\n  c1\n  d1\n",
    old: "1|  a1\n2|  b1\n3|  c1\n4|  d1",
    new: "    a1\n  b1\n  c1\n  d2",
    refused: "indented otherwise",
  },
  {
    because: "the first line of the numbered ones moves out, and only half of all stay",
    text: "    a1\n    b1\n    c1\n    d1\n",
    old: "1|    a1\n2|    b1\n3|    c1\n4|    d1",
    new: "  a1\n    b1\n    d2",
    refused: "indented otherwise",
  },
  {
    because: "only the line endings are other ones, and it joins lines",
    text: "a1\r\nb1\r\n",
    old: "a1\n",
    new: "a1, ",
    refused: joins,
  },
  {
    because: "only the line endings are other ones, and the indentation is there already",
    text: "  a1\r\n  b1\r\n",
    old: "a1\n  b1\n",
    new: "  a2\n  b1\n",
    refused: indents,
  },
  {
    because: "only the line endings are other ones, and the first line moves out",
    text: "  a1\r\n  b1\r\n",
    old: "  a1\n  b1\n",
    new: "a1\n  b1\n",
    result: "a1\r\n  b1\r\n",
  },
  {
    because: "a text as the file has it may lose a line break",
    text: "say(one);\n\nb1\n",
    old: "say(one);\n\n",
    new: "say(two);\n",
    result: "say(two);\nb1\n",
  },
  {
    because: "a text as the file has it may join lines",
    text: "a1\nb1\n",
    old: "a1\n",
    new: "a1, ",
    result: "a1, b1\n",
  },
  {
    because: "a text as the file has it may be indented more",
    text: "  a1\n",
    old: "a1",
    new: "  a1",
    result: "    a1\n",
  },
])("$because", ({ text, old, new: newText, result, refused }) => {
  const plan = planEdit(text, [{ oldText: old, newText }]);

  expect(plan.kind === "plan" ? plan.text : undefined).toBe(result);
  expect(plan.kind === "plan" ? "" : plan.message).toContain(refused ?? "");
});
