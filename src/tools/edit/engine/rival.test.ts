import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";
import { rivalLine } from "./rival.ts";

const place = { start: 0, end: 12 };
const text = "  one;\n two;\n";

test.for([
  { more: "    one;\n", rival: 3, because: "one of two lines of the same length" },
  { more: "\t one;\n", rival: undefined, because: "with another indentation" },
  { more: "x\n   two;  \r\n", rival: 3, because: "the second line, which stands behind the start" },
  { more: "    zzz;\n", rival: undefined, because: "no line at all" },
])("the rest of the file has $because", ({ more, rival }) => {
  expect(rivalLine(text + more, place, "    one;\r\n   two;")).toBe(rival);
});

test("less than half of the old text is no rival, and lines that stand apart are none together", () => {
  expect(rivalLine(`${text}    one;\n`, place, "    one;\n   three;")).toBeUndefined();
  expect(rivalLine(`${text}  a\nx\n b\n`, place, "  a\n b\n  c\n  d")).toBeUndefined();
});

test("a line that is only similar is taken for an older version of it", () => {
  const old = "    call_it(one);\n   two;";

  expect(rivalLine(`${text}    call_us(one);\n   two;\n`, place, old)).toBe(3);
  expect(rivalLine(`${text}    other(thing);\n   two;\n`, place, old)).toBeUndefined();
  expect(rivalLine(`${text}      call_it(one);\n   two;\n`, place, old)).toBeUndefined();
});

test("the place itself is none", () => {
  expect(rivalLine(text, place, "  one;\n two;")).toBeUndefined();
});

test("a block that would begin before the file begins with it", () => {
  expect(rivalLine("  two;\n one;\n  two;\n", { start: 7, end: 20 }, "one;\n  two;")).toBe(1);
});

test("a block that has changed since is not looked for where it stands with another indentation", () => {
  const file = "    first(call);\n    second(x);\n\n  first(call);\n  second();\n";
  const plan = planEdit(file, [
    { oldText: "    first(call);\n    second();", newText: "    first(call);\n    third();" },
  ]);

  expect(plan).toMatchObject({
    code: "NO_MATCH",
    message: expect.stringContaining("stands with its own indentation at line 1, too"),
  });
});
