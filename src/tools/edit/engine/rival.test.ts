import { expect, test } from "vitest";
import type { Place } from "./place.ts";
import { planEdit } from "./plan-edit.ts";
import { rivalFinder } from "./rival.ts";

function rivalLine(file: string, own: Place, oldText: string): number | undefined {
  return rivalFinder(file, oldText)(own);
}

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

test("where more than half of the old text stands as it was sent at the place itself, that is no other part", () => {
  const file = "    first(call);\n  last();\n";

  expect(rivalLine(file, { start: 0, end: 27 }, "    first(call);\n   last();")).toBeUndefined();
  expect(rivalLine(`\n${file}`, { start: 0, end: 28 }, "    first(call);\n   last();")).toBe(2);
});

test("lines that are all no more than similar make no rival, however empty lines stand", () => {
  const file = "  a();\n\n  b();\n    first(two);\n\n    last(two);\n";

  expect(rivalLine(file, place, "    first(one);\n\n    last(one);")).toBeUndefined();
  expect(rivalLine(file, place, "    first(one);\n\n    last(two);")).toBe(4);
});

test("lines as similar as they must be count, and only their first 200 characters", () => {
  const same = "s".repeat(120);
  const file = `${text}  end();\n  ${same}${"b".repeat(80)}d\n`;

  expect(rivalLine(file, place, `  end();\n  ${same}${"a".repeat(80)}c`)).toBe(3);
  expect(rivalLine(file, place, `  end();\n  ${same}${"a".repeat(81)}`)).toBe(3);
  expect(
    rivalLine(file, place, `  end();\n  s${same.slice(2)}aa${"a".repeat(79)}`),
  ).toBeUndefined();
});

test("of many parts those with most of the old text are compared, fifty of them", () => {
  const old = "  open();\n  call_it(one, two);\n  close();";
  const brace = "  open();\n  other();\n";
  const changed = "  call_us(one, two);\n  close();\n";
  const more = "  open();\n  x\n  close();\n";

  expect(rivalLine(text + brace.repeat(60) + changed, place, old)).toBe(122);
  expect(rivalLine(text + more.repeat(49) + changed, place, old)).toBe(149);
  expect(rivalLine(text + more.repeat(50) + changed, place, old)).toBeUndefined();
});

test("all places of a shifted text are changed without a look at the whole file for each", () => {
  const count = 12_000;
  const plan = planEdit("    a();\n      b();\n".repeat(count), [
    { oldText: "  a();\n    b();", newText: "  a();\n    c();", replaceAll: true },
  ]);

  expect(plan).toMatchObject({ kind: "plan", splices: { length: count } });
});
