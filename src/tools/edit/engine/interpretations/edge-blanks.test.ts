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

test.for<Case>([
  {
    because: "both texts have one",
    text: "if (a) {\n  b1();\n}\n",
    old: " if (a) {\n  b1();\n} ",
    new: " if (a) {\n  b2();\n} ",
    result: "if (a) {\n  b2();\n}\n",
  },
  {
    because: "all the rest is taken as it is",
    text: "f(a)\n",
    old: " f(a) ",
    new: " f(b); ",
    result: "f(b);\n",
  },
  {
    because: "one space is at the beginning alone",
    text: "abc\n",
    old: " abcd",
    new: " xyzd",
    result: undefined,
  },
  {
    because: "or at the end alone",
    text: "bcd\n",
    old: "abcd ",
    new: "axyz ",
    result: undefined,
  },
  {
    because: "nothing but spaces is no text that was set apart",
    text: "f(x)\n",
    old: " x ",
    new: "  ",
    result: undefined,
  },
  {
    because: "it may be part of an indentation",
    text: "  a1();\n",
    old: "   a1(); ",
    new: "   b1();\n  a1(); ",
    result: undefined,
  },
  {
    because: "only the old text has one",
    text: "if (a) {\n  b1();\n}\n",
    old: " if (a) {\n  b1();\n} ",
    new: "if (a) {\n  b2();\n}",
    result: undefined,
  },
  {
    because: "a tab is none",
    text: "x = [a,\n  b]\n",
    old: "\ta,\n  b\t",
    new: "\tc,\n  b\t",
    result: undefined,
  },
  {
    because: "it stands in the file",
    text: "x = a + b;\n",
    old: " a ",
    new: " c ",
    result: "x = c + b;\n",
  },
])("a space at both ends: $because", ({ text, old, new: newText, result }) => {
  const plan = planEdit(text, [{ oldText: old, newText }]);

  expect(plan.kind === "plan" ? plan.text : undefined).toBe(result);
});
