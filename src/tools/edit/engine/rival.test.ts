import { expect, test } from "vitest";
import { partsOf } from "./lines.ts";
import type { Place } from "./place.ts";
import { planEdit } from "./plan-edit.ts";
import { rivalOf } from "./rival.ts";
import { Source } from "./source.ts";

/** What is said about a place whose lines are all indented otherwise than they were sent. */
function rivalSaid(file: string, own: Place, oldText: string): string | undefined {
  const lines = partsOf(oldText).map(() => "\t\t\t\t");
  return rivalOf(new Source(file), [{ ...own, lines }], { oldText, newText: "" });
}

function rivalLine(file: string, own: Place, oldText: string): number | undefined {
  const line = /^most of .* at line (\d+)/u.exec(rivalSaid(file, own, oldText) ?? "")?.[1];
  return line === undefined ? undefined : Number(line);
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

test("the lines of the place are those of no other part", () => {
  const file = "    first(call);\n  last();\n";
  const old = "    first(call);\n   last();";

  expect(rivalSaid(file, { start: 0, end: 27 }, old)).toBeUndefined();
  expect(rivalSaid(`\n${file}`, { start: 1, end: 28 }, old)).toBeUndefined();
  expect(rivalLine(`${file}${file}`, { start: 27, end: 54 }, old)).toBe(1);
});

test("lines that stand at the place as they were sent say nothing about its indentation", () => {
  const file = "  open(this);\ncommon_line();\nx\nopens(this);\ncommon_line();\n";
  const own = { start: 0, end: 28, lines: ["  open(this);", "common_line();"] };
  const said = (oldText: string): string | undefined =>
    rivalOf(new Source(file), [own], { oldText, newText: "" });

  expect(said("open_other(file);\ncommon_line();")).toBeUndefined();
  expect(said("open(this);\ncommon_line();")).toBe(
    "most of old_string stands with its own indentation at line 4, too",
  );
});

test("lines that are all no more than similar make a rival, unless many lines of the file are", () => {
  const file = "  a();\n\n  b();\n    first(two);\n\n    last(two);\n";
  const old = "    first(one);\n\n    last(one);";
  const others = [0, 1, 2].map((at) => `  first(${at}ne);\n`);

  expect(rivalLine(file, place, old)).toBe(4);
  expect(rivalLine(file + others.slice(1).join(""), place, old)).toBe(4);
  expect(rivalLine(file + others.join(""), place, old)).toBeUndefined();
  expect(rivalLine(file + others.join(""), place, "    first(one);\n\n    last(two);")).toBe(4);
});

test.for([
  { line: "  abxdef", isRival: true },
  { line: "  abcd", isRival: true },
  { line: "  abcdefghi", isRival: true },
  { line: "  xyzdef", isRival: false },
  { line: "  abc", isRival: false },
  { line: "   abxdef", isRival: false },
])("$line is a rival of a line with six other characters: $isRival", ({ line, isRival }) => {
  expect(rivalSaid(`${text}${line}\n`, place, "  abcdef") !== undefined).toBe(isRival);
});

test("three tenths of the old text that stand as they were sent are a rival, a line having come or gone", () => {
  const old = "    one(12345);\n    two();\n    three(12345678901);";
  const rest = "x\n".repeat(5);
  const said = (more: string): string | undefined => rivalSaid(text + more, place, old);

  expect(said("    one(12345);\n")).toBe(
    "some of old_string stands with its own indentation at line 3, and the rest of it does not",
  );
  expect(said("    two();\n")).toBeUndefined();
  expect(said("   one(12345);\n")).toBeUndefined();
  const both = "    a(12);\n    b(12);\n    three(1234567890123456789);";
  expect(rivalSaid(`${text}    a(12);\n${rest}x\n    b(12);\n`, place, both)).toMatch(
    /^some .* line 3/u,
  );
  expect(rivalSaid(`${text}    a(12);\n${rest}x\nx\n    b(12);\n`, place, both)).toBeUndefined();
  expect(rivalSaid(`${text}    a(12);\n    a(12);\n`, place, both)).toBeUndefined();
});

test("of any number of lines all may have changed", () => {
  const lines = ["  aaaa(one);", "  bbbb(one);", "  cccc(one);"];
  const file = `${text}${lines.join("\n")}\n`;
  const old = file.slice(text.length).replaceAll("one", "two");

  expect(rivalLine(file, place, old)).toBe(3);
  expect(rivalLine(`${file}  dddd(one);\n`, place, `${old}  dddd(two);\n`)).toBe(3);
  expect(rivalLine(`${file}  dddd(one);\n`, place, `${old}  dddd(one);\n`)).toBe(3);
});

test("new text that stands elsewhere shows that the edit was made", () => {
  const file = "  a1;\n  b1_call;\n  c1_call;\nother_call();\nlast;\nlast;\nlast_call();\n";
  const said = (newText: string, end = "  a1;\n".length): string | undefined =>
    rivalOf(new Source(file), [{ start: 0, end: end - 1, lines: ["  a1;"] }], {
      oldText: "zz",
      newText,
    });

  expect(said("other_call();")).toBe("new_string stands at line 4 already");
  expect(said("other_call();\n")).toBe("new_string stands at line 4 already");
  expect(said("other_call()")).toBeUndefined();
  expect(said("last;\nlast_call();")).toBe("new_string stands at line 6 already");
  expect(said("  other_call();")).toBeUndefined();
  expect(said("c1_call;\nother_call();")).toBeUndefined();
  expect(said("last;\n")).toBeUndefined();
  expect(said("  b1_call;\n  c1_call;")).toBe("new_string stands at line 2 already");
  expect(said("  b1_call;\n  c1_call;", 28)).toBeUndefined();
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
