import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../../../test/support/edit-case.ts";
import { withoutShift } from "./shifted-numbers.ts";

const text = "do(one);\n  two();\nthree();\n";

test.for<EditCase>([
  {
    because: "both were indented when the numbers were there",
    text,
    old: "         1\tdo(one);\n         2\t  two();\n         3\tthree();",
    new: "    do(one);\n      2();\n    three();",
    result: "do(one);\n  2();\nthree();\n",
  },
  {
    because: "a tab is no blank that sets numbers in a column",
    text,
    old: "\t1: do(one);\n\t2:   two();",
    new: "\tdo(one);\n\t  2();",
    result: "do(one);\n  2();\nthree();\n",
  },
  {
    because: "zeros have no blanks before them that would set them in a column",
    text,
    old: "  001| do(one);\n  002|   two();",
    new: "  do(one);\n    2();",
    result: "do(one);\n  2();\nthree();\n",
  },
  {
    because: "the first lines are two versions of one",
    text,
    old: "      0001| do(one);",
    new: "      do(two);",
    result: "do(two);\n  two();\nthree();\n",
  },
  {
    because: "tabs before numbers and before some new lines may stand for blanks",
    text: "one();\n\ttwo();\n",
    old: "\t1\tone();",
    new: "if (x) {\n\tone();\n}",
    result: undefined,
  },
  {
    because: "tabs are before the old line, too",
    text: "one();\n\ttwo();\n",
    old: "\t2\t\ttwo();",
    new: "\tother();",
    result: "one();\n\tother();\n",
  },
  {
    because: "the first lines have little in common",
    text,
    old: "      0001| do(one);",
    new: "      other();",
    result: undefined,
  },
  {
    because: "numbers are seldom set in a column of eight",
    text,
    old: "       1\tdo(one);\n       2\t  two();",
    new: "  do(one);\n    2();",
    result: "do(one);\n  2();\nthree();\n",
  },
  {
    because: "numbers are often set in a column that wide",
    text,
    old: "      1\tdo(one);\n      2\t  two();",
    new: "    do(one);\n      2();",
    result: undefined,
  },
  {
    because: "a line that is put around the others would stand further out than they did",
    text: "    do(one);\n      two();\n",
    old: "    1213\t    do(one);\n    1214\t      two();",
    new: "      if (x) {\n        do(one);\n          2();\n      }",
    result: undefined,
  },
  {
    because: "fewer blanks are before the numbers than before the lines",
    text,
    old: "  000001| do(one);\n  000002|   two();",
    new: "    do(one);\n      2();",
    result: undefined,
  },
  {
    because: "blanks are before one number only",
    text,
    old: "    000001| do(one);\n000002|   two();",
    new: "    do(one);\n      2();",
    result: undefined,
  },
  {
    because: "one of the lines moves by more",
    text,
    old: "    000001| do(one);\n    000002|   two();",
    new: "    do(one);\n        two();\n    x",
    result: undefined,
  },
  {
    because: "a new line has not the blanks of the others",
    text,
    old: "    000001| do(one);\n    000002|   two();",
    new: "    do(one);\n      two();\n  x();",
    result: undefined,
  },
])("line numbers: $because", (each) => {
  expect(edited(each)).toBe(each.result);
});

test("an empty line has none of the blanks, or they are taken from it", () => {
  const sent = "    001|a\n    002|\n    003|b";

  expect(withoutShift({ sent, oldText: "a\n\nb", newText: "    a\n    \n\n    c" })).toBe(
    "a\n\n\nc",
  );
});

test.for([
  { newText: "a\nc", because: "no line moves" },
  { newText: "", because: "there is no line" },
  { newText: "  a\n  b\nc", because: "only those lines move that were there" },
])("nothing is taken away where $because", ({ newText }) => {
  expect(withoutShift({ sent: "    001|a\n    002|b", oldText: "a\nb", newText })).toBeUndefined();
});
