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

const nested = "class A {\n\tone() {\n\t\ttwo();\n\t}\n}\n";

test.for<Case>([
  {
    because: "lines sent in tabs stand for those of the file in spaces, as many for each",
    text: "        c1\nz\n      foo();\n",
    old: "\t\t\t\tc1\nz\n",
    new: "\t\tq\nz\n",
    result: "    q\nz\n      foo();\n",
  },
  {
    because: "an indentation that the match shows needs no rule",
    text: "   x\n      y\n    z\n",
    old: "\tx\n\t\t\ty\n\t\tz",
    new: "\tx\n\t\t\tw\n\t\tz",
    result: "   x\n      w\n    z\n",
  },
  {
    because: "a line break before the first line is part of the place",
    text: "one\n    two\n      three\n",
    old: "\ntwo\n  three",
    new: "\ntwo\n  3",
    result: "one\n    two\n      3\n",
  },
  {
    because: "a text that ends with a line break is found by its longest line",
    text: "    one;\n      two;\nend\n",
    old: "one;\n  two;\n",
    new: "one;\n  2;\n",
    result: "    one;\n      2;\nend\n",
  },
  {
    because: "the line after a final line break says nothing of the indentation",
    text: "  a\n  b\n\nc\n",
    old: "a\nb\n",
    new: "a\nx\n  b\n",
    result: undefined,
  },
  {
    because: "what was sent without the common indentation gets it",
    text: nested,
    old: "one() {\n\ttwo();\n}",
    new: "one() {\n\tif (x) {\n\t\ttwo();\n\t}\n}",
    result: "class A {\n\tone() {\n\t\tif (x) {\n\t\t\ttwo();\n\t\t}\n\t}\n}\n",
  },
  {
    because: "what was sent with a level too many loses it",
    text: nested,
    old: "\t\tone() {\n\t\t\ttwo();",
    new: "\t\tone() {\n\t\t\t2();",
    result: "class A {\n\tone() {\n\t\t2();\n\t}\n}\n",
  },
  {
    because: "spaces become tabs",
    text: nested,
    old: "    one() {\n        two();\n    }",
    new: "    one() {\n        if (x) {\n            two();\n        }\n    }",
    result: "class A {\n\tone() {\n\t\tif (x) {\n\t\t\ttwo();\n\t\t}\n\t}\n}\n",
  },
  {
    because: "tabs become spaces of the file's width",
    text: "a:\n  b:\n    c: 1\n  d: 2\n",
    old: "\tb:\n\t\tc: 1",
    new: "\tb:\n\t\tc:\n\t\t\t- 1",
    result: "a:\n  b:\n    c:\n      - 1\n  d: 2\n",
  },
  {
    because: "spaces of one width become those of another",
    text: "a {\n    b {\n        c\n    }\n}\n",
    old: "  b {\n    c\n  }",
    new: "  b {\n    d {\n      c\n    }\n  }",
    result: "a {\n    b {\n        d {\n            c\n        }\n    }\n}\n",
  },
  {
    because: "spaces become tabs and a level is added",
    text: nested,
    old: "one() {\n  two();\n}",
    new: "one() {\n  if (x) {\n    two();\n  }\n}",
    result: "class A {\n\tone() {\n\t\tif (x) {\n\t\t\ttwo();\n\t\t}\n\t}\n}\n",
  },
  {
    because: "new text in the file's own indentation stays",
    text: nested,
    old: "one() {\n\ttwo();\n}",
    new: "\tone() {\n\t\t2();\n\t}",
    result: "class A {\n\tone() {\n\t\t2();\n\t}\n}\n",
  },
  {
    because: "a text that occurs literally is taken as it stands",
    text: nested,
    old: "two();",
    new: "if (x) {\n\t2();\n}",
    result: "class A {\n\tone() {\n\t\tif (x) {\n\t2();\n}\n\t}\n}\n",
  },
  {
    because: "several lines in the place of one get its indentation",
    text: nested,
    old: "two(); ",
    new: "if (x) {\n\t2();\n}",
    result: "class A {\n\tone() {\n\t\tif (x) {\n\t\t\t2();\n\t\t}\n\t}\n}\n",
  },
  {
    because: "the comment's stars keep the blank before them",
    text: "\t/**\n\t * a b\n\t */\n\tx();\n",
    old: "/**\n * a b\n */",
    new: "/**\n * a b\n * c d\n */",
    result: "\t/**\n\t * a b\n\t * c d\n\t */\n\tx();\n",
  },
  {
    because: "blank lines are the same whatever they carry",
    text: "{\n    a();\n\n    b();\n}\n",
    old: "a();\n  \nb();",
    new: "a();\n  \nc();\n  \nb();",
    result: "{\n    a();\n\n    c();\n\n    b();\n}\n",
  },
  {
    because: "a line break at the start or the end stands for itself",
    text: nested,
    old: "\none() {\n\ttwo();\n",
    new: "\none() {\n\t2();\n",
    result: "class A {\n\tone() {\n\t\t2();\n\t}\n}\n",
  },
  {
    because: "line endings are those of the file",
    text: "a {\r\n\tb();\r\n\tc();\r\n}\r\n",
    old: "b();\nc();",
    new: "b();\nd();",
    result: "a {\r\n\tb();\r\n\td();\r\n}\r\n",
  },
  {
    because: "look-alikes and indentation at once",
    text: "{\n\tsay('a');\n\tb();\n}\n",
    old: "say(\u2018a\u2019);\nb();",
    new: "say(\u2018c\u2019);\nb();",
    result: "{\n\tsay('c');\n\tb();\n}\n",
  },
  {
    because: "no-break spaces indent like blanks",
    text: "a:\n  b1\n  c1\n",
    old: "\u00A0\u00A0b1\n\u00A0\u00A0c1",
    new: "\u00A0\u00A0b1\n\u00A0\u00A0\u00A0\u00A0d1\n\u00A0\u00A0c1",
    result: "a:\n  b1\n    d1\n  c1\n",
  },
  {
    because: "two places are two places",
    text: "\ta();\n\t\ta();\n",
    old: "   a();  ",
    new: "b();",
    result: undefined,
  },
  {
    because: "lines of one indentation have two in the file",
    text: "a1\n\tb1\n\t\tc1\n",
    old: "  b1\n  c1",
    new: "  x",
    result: undefined,
  },
  {
    because: "a tab after a space has no width",
    text: "\ta1();\n\tb1();\n",
    old: " \ta1();\n \tb1();",
    new: " \tc1();",
    result: undefined,
  },
  {
    because: "nothing proves the indentation of a new line",
    text: "a {\n\tb\n}\n",
    old: "   b",
    new: "   b\n     c",
    result: undefined,
  },
  {
    because: "nothing tells whose indentation the new text has",
    text: nested,
    old: "\t\tone() {\n\t\t\ttwo();",
    new: "\t\t2();",
    result: undefined,
  },
  {
    because: "shared lines speak for both",
    text: nested,
    old: "one() {\n\ttwo();\n}",
    new: "x();\n\ttwo();\n\t\ttwo();\ny();",
    result: undefined,
  },
  {
    because:
      "a deeper new line looks like an old one, and the least indentation is that of the file",
    text: "  a1\n  b1\n",
    old: "    a1\n    b1",
    new: "  try {\n    a1\n  } end {\n    b2\n  }",
    result: undefined,
  },
  {
    because: "an edge is the same as in the file and the least indentation is that of the old text",
    text: "  a1\n",
    old: "a1 ",
    new: "b1\n  a1",
    result: undefined,
  },
  {
    because: "lines are the same that only look different",
    text: '  say("a");\n  say("b");\n',
    old: "    say(\u201Ca\u201D);\n    say(\u201Cb\u201D);",
    new: '  begin {\n    say("a");\n  end {\n    say("b");\n  }',
    result: undefined,
  },
  {
    because: "an edge is the same that only looks different",
    text: '  say("a");\n  say("b");\n',
    old: "    say(\u201Ca\u201D);\n    say(\u201Cb\u201D);",
    new: '    say("a");\n  begin {\n    say("b");',
    result: '  say("a");\nbegin {\n  say("b");\n',
  },
  {
    because: "only the first line has lost its indentation, which is no shift",
    text: "  a1\n  b1\n",
    old: " a1 \n  b1",
    new: " a2\n  b1",
    result: undefined,
  },
  {
    because: "a tab may stand for a level of the file or for one of this place",
    text: "if a\n    b1\n    if c\n        c1\n        d1\n",
    old: "\t\t\t\tc1\n\t\t\t\td1",
    new: "\t\t\t\tc1\n\t\tx1\n\t\t\t\td1",
    result: undefined,
  },
  {
    because: "blanks that align are no levels and have no place in the file",
    text: "if a\n  b1\n",
    old: "\tif a",
    new: "\tif a\n\t\t        c1",
    result: undefined,
  },
  {
    because: "a text on a part of a line is no line",
    text: nested,
    old: "  two\n  }",
    new: "x",
    result: undefined,
  },
  {
    because: "the lines before must be there",
    text: "\tb1\n\tc1 long\n",
    old: "a1\nb1\nc1 long",
    new: "x",
    result: undefined,
  },
  {
    because: "the lines after must be there",
    text: "\ta1 long\n\tb1\n",
    old: "a1 long\nb1\nc1",
    new: "x",
    result: undefined,
  },
  {
    because: "the first line is as in the file, whatever has become of a later one",
    text: "  a1;\n  b1;\n",
    old: "    a1;\n    b1;",
    new: "  a1;\n  begin\n    b1;\n  end",
    result: "  a1;\n  begin\n    b1;\n  end\n",
  },
  {
    because: "the only line of a new text that is deeper than any may be one of the file less deep",
    text: "    if (a) {\n        try {\n            b();\n",
    old: "  if (a) {\n    try {\n      b();",
    new: "    try {",
    result: undefined,
  },
  {
    because: "one line that went deeper may be that of the file in a block",
    text: "z1\n    a1;\n",
    old: "        a1;\n",
    new: "    if x:\n        a1;\n",
    result: undefined,
  },
  {
    because: "one line may have been taken without its indentation, and the other new ones with it",
    text: "    a1;\n    z1;\n",
    old: "```\na1;\n```",
    new: "```\na1;\n    b1;\n```",
    result: undefined,
  },
  {
    because: "other new lines that are less deep than those of the file were not taken from it",
    text: "    a1;\n    z1;\n",
    old: "```\na1;\n```",
    new: "```\na1 {\n  b1;\n}\n```",
    result: "    a1 {\n      b1;\n    }\n    z1;\n",
  },
  {
    because: "what stands at the start of a line has no indentation to be taken without",
    text: "a1; \nz1;\n",
    old: "```\na1;\n```",
    new: "```\na1 {\n  b1;\n}\n```",
    result: "a1 {\n  b1;\n}\nz1;\n",
  },
  {
    because: "lines that were indented anyhow tell nothing of a new indentation",
    text: "            a1;\n\n        b1;\n",
    old: "    a1;\n\n            b1;",
    new: "a1;\n\n        b1;\n        c1;",
    result: undefined,
  },
  {
    because: "an indentation of the file needs no shift",
    text: "            a1;\n        b1;\n",
    old: "    a1;\n            b1;",
    new: "            a1;\n            c1;\n        b1;",
    result: "            a1;\n            c1;\n        b1;\n",
  },
  {
    because: "one blank more is none of the file's indentation",
    text: "    a1;\n",
    old: "     a1; ",
    new: "     b1;\n    a1;",
    result: undefined,
  },
  {
    because: "one tab more may well be",
    text: "\ta1;\n",
    old: "\t\ta1;",
    new: "\t\tb1;\n\ta1;",
    result: "\t\tb1;\n\ta1;\n",
  },
  {
    because: "blanks at all line ends were only sent, whatever the indentation",
    text: "  a1;\n  b1;\n",
    old: "    a1; \n    b1; ",
    new: "  a1; \n  c1; \n  b1; ",
    result: "  a1;\n  c1;\n  b1;\n",
  },
])("indentation: $because", check);
