import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";
import { indentBasis, type IndentBasis } from "./indentation.ts";

interface Case {
  readonly because: string;
  readonly old: readonly string[];
  readonly file: readonly string[];
  readonly updated: readonly string[];
  readonly basis: IndentBasis;
}

test.for<Case>([
  {
    because: "a shared line stands as it was sent",
    old: ["a", "b"],
    file: ["  a", "  b"],
    updated: ["new", "b", "end"],
    basis: "sent",
  },
  {
    because: "a shared line stands as in the file",
    old: ["a", "b"],
    file: ["  a", "  b"],
    updated: ["  new", "  b", "  end"],
    basis: "file",
  },
  {
    because: "one shared line says this and another that",
    old: ["a", "b"],
    file: ["  a", "  b"],
    updated: ["new", "  b", "a", "end"],
    basis: "unclear",
  },
  {
    because:
      "a shared line that both sides have like this says nothing, and the others are the file's",
    old: ["x", "  x"],
    file: ["  x", "    x"],
    updated: ["  new", "  x", "    end"],
    basis: "file",
  },
  {
    because: "the sides are indented by other blanks, and new lines by those that were sent",
    old: ["a {", "\tb", "}"],
    file: ["a {", "  b", "}"],
    updated: ["a {", "\tif {", "\t\tb", "\t}", "}"],
    basis: "sent",
  },
  {
    because: "the same, and new lines by those of the file",
    old: ["a {", "\tb", "}"],
    file: ["a {", "  b", "}"],
    updated: ["a {", "    if {", "      b", "    }", "}"],
    basis: "file",
  },
  {
    because: "the same, and new lines by both",
    old: ["a {", "\tb", "}"],
    file: ["a {", "  b", "}"],
    updated: ["a {", "\tif {", "      b", "    }", "}"],
    basis: "unclear",
  },
  {
    because: "one side is not indented, so deeper lines may belong to either",
    old: ["a", "b"],
    file: ["  a", "  b"],
    updated: ["    c", "      d"],
    basis: "unclear",
  },
  {
    because: "both sides are indented by the same blanks",
    old: ["a", "    b"],
    file: ["a", "  b"],
    updated: ["a", "      c"],
    basis: "unclear",
  },
])("whose indentation it is, where $because", ({ old, file, updated, basis }) => {
  const pair = { oldText: old.join("\n"), newText: updated.join("\n") };

  const hidden = { trailingSpace: true, lookAlikes: false };

  expect(indentBasis({ pair, lines: file, hidden })).toBe(basis);
});

interface Edit {
  readonly because: string;
  readonly text: string;
  readonly old: string;
  readonly new: string;
  /** Resulting text; undefined if the edit is refused. */
  readonly result: string | undefined;
}

test.for<Edit>([
  {
    because: "what stays is indented alike as sent and in the file",
    text: "if (a) {\n    b();\n}\n\nlast();\n",
    old: "if (a) {\n\tb();\n}\n\nlast();",
    new: "last();",
    result: "last();\n",
  },
  {
    because: "a form feed stands alone on its line",
    text: "one();\n\f\nif (a) {\n    b();\n}\n",
    old: "one();\n\f\nif (a) {\n\tb();\n}",
    new: "one();\n\f\nif (a) {\n\tc();\n}",
    result: "one();\n\f\nif (a) {\n    c();\n}\n",
  },
  {
    because: "a form feed stands before what a line says",
    text: "one();\n\fif (a) {\n    b();\n}\n",
    old: "one();\n\fif (a) {\n\tb();\n}",
    new: "one();\n\fif (a) {\n\tc();\n}",
    result: undefined,
  },
  {
    because: "where the file has no levels a new line may be deeper by any width",
    text: "a1\nb1\n",
    old: "   a1\n   b1",
    new: "a1\n   c1\nb1",
    result: "a1\n   c1\nb1\n",
  },
  {
    because: "one blank too many in the old text is nothing where the new one is right",
    text: "    a1;\n",
    old: "     a1; ",
    new: "    a1;\n        b1;",
    result: "    a1;\n        b1;\n",
  },
  {
    because: "lines that go need no indentation, whatever blanks they were sent with",
    text: "x1\n  a1\n  b1\ny1\n",
    old: "\ta1\n\tb1\n",
    new: "",
    result: "x1\ny1\n",
  },
  {
    because: "a line without indentation takes the place of one that was sent with some",
    text: "a1\nz1\n",
    old: "  a1",
    new: "b1\nc1",
    result: "b1\nc1\nz1\n",
  },
  {
    because: "the blanks of an empty line say nothing",
    text: "    a1\n\n    b1\n",
    old: "  a1\n  \n  b1",
    new: "    c1\n  \n    d1",
    result: "    c1\n\n    d1\n",
  },
  {
    because: "the first line that the sides have in two ways tells, and not a deeper one like it",
    text: "a {\n    b\n}\n",
    old: "a {\n  b\n}",
    new: "a {\n  b\n  if c {\n    b\n  }\n}",
    result: "a {\n    b\n    if c {\n        b\n    }\n}\n",
  },
  {
    because: "the least indentation is that of the file, and the old text has none like it",
    text: "x:\n  a1:\n    b1\n",
    old: "    a1:\n      b1",
    new: "  c1:\n    d1:\n      e1",
    result: "x:\n  c1:\n    d1:\n      e1\n",
  },
  {
    because:
      "a line break before the first line is that of the line above, and the first line has none",
    text: "  x1\n  x1\nz1\n",
    old: "\nx1",
    new: "\ny1",
    result: "  x1\n  y1\nz1\n",
  },
  {
    because: "a last line without an ending gets none",
    text: "z1\n  a1",
    old: "a1\n",
    new: "b1\n",
    result: "z1\n  b1",
  },
  {
    because: "a new line that is less deep than any goes with the one that was sent",
    text: "x:\n  y:\n    a1\n    b1\n",
    old: "  a1\n  b1",
    new: "z:\n  b1",
    result: "x:\n  y:\n  z:\n    b1\n",
  },
  {
    because: "the last line break of the file goes with those of the old text",
    text: "x1\n  a1\n  b1\n",
    old: "a1\nb1\n",
    new: "c1",
    result: "x1\n  c1",
  },
  {
    because: "the last line of the file has no ending",
    text: "z1\n  a1\n  b1",
    old: "a1\nb1",
    new: "a1\nc1",
    result: "z1\n  a1\n  c1",
  },
  {
    because: "without the line break before it new text would go on in the line above",
    text: "z1\n  a1\n    b1\n",
    old: "\na1\n  b1",
    new: "a1\n  c1",
    result: undefined,
  },
  {
    because: "a line is put around one that was sent too deep",
    text: "b1\n",
    old: "  b1",
    new: "  if c:\n    b1",
    result: "if c:\n  b1\n",
  },
  {
    because: "a line that is moved alone may be moved in either indentation",
    text: "c1\n",
    old: "  c1",
    new: "    c1",
    result: undefined,
  },
  {
    because: "nor is it known by a tab",
    text: "a1\n",
    old: "\ta1",
    new: "\t  a1",
    result: undefined,
  },
  {
    because: "a first new line that is indented does not stand behind an indentation",
    text: "  b1\n",
    old: "b1 ",
    new: "  b2\n  c1",
    result: "  b2\n  c1\n",
  },
  {
    because: "nor do several old lines",
    text: "  b1\n    c1\n",
    old: "b1\n      c1",
    new: "b2\n      c2",
    result: "  b2\n    c2\n",
  },
  {
    because: "a bracket that stays as it was sent tells, where its lines do not",
    text: "a1\n }\n",
    old: "   a1\n    }",
    new: "     c1\n    }",
    result: "  c1\n }\n",
  },
  {
    because: "a bracket alone does not tell, though it is the first one that was sent",
    text: "}\n  }\na1\n",
    old: "  }\n    }\n  a1",
    new: "  }",
    result: undefined,
  },
])("new text after a shift: $because", ({ text, old, new: newText, result }) => {
  const plan = planEdit(text, [{ oldText: old, newText }]);

  expect(plan.kind === "plan" ? plan.text : undefined).toBe(result);
});
