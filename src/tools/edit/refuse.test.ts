import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";
import type { TextEdit } from "./plan-edit.ts";

function refusalOf(text: string, oldText: string, more: Partial<TextEdit> | string) {
  const options = typeof more === "string" ? { newText: more } : more;
  const plan = planEdit(text, [{ oldText, newText: "z", ...options }]);
  if (plan.kind === "plan") throw new Error(`It was applied: ${plan.text}`);
  const { code, message, hint, data } = plan;
  return { text: `${code}: ${message}\n-> ${hint}`, data };
}

test("several places are listed with their lines", () => {
  expect(refusalOf("\tone();\r\n\ttwo();\r\n\tone();\r\n", "one();", "1();"))
    .toMatchInlineSnapshot(`
    {
      "data": {
        "lines": [
          1,
          3,
        ],
      },
      "text": "AMBIGUOUS_MATCH: old_string occurs 2 times. Places:
         1		one();
         3		one();
    -> Add lines around it until old_string is unique, give near_line with the line of the place you mean, or set replace_all to change every place.",
    }
  `);
});

test("two places equally near to a line are named as such", () => {
  expect(refusalOf("x\ny\nx\n", "x", { nearLine: 2 }).text).toContain(
    "old_string occurs 2 times. Two are equally near to line 2. Places:",
  );
});

test("of many places only the first ones are listed", () => {
  const { text, data } = refusalOf("x\n".repeat(25), "x", "z");

  expect(text).toContain("    20\tx\n(5 more places)");
  expect(text).not.toContain("    21\tx");
  expect(data).toEqual({ lines: Array.from({ length: 25 }, (_, index) => index + 1) });
});

test("several places of a looser reading say how it was read", () => {
  expect(refusalOf("\ta();\n\t\ta();\n", "  a(); ", "b();")).toMatchInlineSnapshot(`
    {
      "data": {
        "lines": [
          1,
          2,
        ],
      },
      "text": "AMBIGUOUS_MATCH: old_string occurs 2 times (indentation taken from the file). Places:
         1		a();
         2			a();
    -> Add lines around it until old_string is unique, give near_line with the line of the place you mean, or set replace_all to change every place.",
    }
  `);
});

test("a place without a clear new text is shown", () => {
  expect(refusalOf("zero();\none();\ntwo();\n", "2\tone();\n3\ttwo();", "2\t1();\n\tmore();"))
    .toMatchInlineSnapshot(`
    {
      "data": {
        "nearest": {
          "firstLine": 2,
          "lastLine": 3,
        },
      },
      "text": "NO_MATCH: old_string matches only when read differently (without line numbers), and then new_string has only part of what was undone in old_string. The place is:
         2	one();
         3	two();
    -> Send old_string and new_string again as the file has them, with its own indentation and characters and nothing around them.",
    }
  `);
});

test("readings that give different results are each named with their line", () => {
  const text = 'say("a b\\n");\nsay("a b\n");\n';

  expect(refusalOf(text, 'say(\\"a b\\n\\");', "x")).toMatchInlineSnapshot(`
    {
      "data": {
        "lines": [
          2,
          1,
        ],
      },
      "text": "AMBIGUOUS_MATCH: old_string is not in the file as it stands, and can be read in 2 ways that give different results:
    at line 2: unescaped once
    at line 1: quotes unescaped
    The file has there:
         2	say("a b
         3	");
         1	say("a b\\n");
    -> Send old_string exactly as the file has it; Read shows it.",
    }
  `);
});

test("a miss shows the nearest block and what is different about it", () => {
  expect(refusalOf("a();\n  return first(x, y);\nb();\n", "return first(x,y);", "z"))
    .toMatchInlineSnapshot(`
    {
      "data": {
        "nearest": {
          "firstLine": 2,
          "lastLine": 2,
        },
      },
      "text": "NO_MATCH: old_string does not occur in the file. The nearest block is line 2:
         2	  return first(x, y);
    It differs in white space only, first at line 2: old_string has "return first(x,y);", the file has "  return first(x, y);".
    -> Copy the block exactly as it is in the file into old_string and call again.",
    }
  `);
});

test("what is different besides an artifact is named", () => {
  expect(refusalOf("a1();\nb1(x);\nc1();\n", "1\ta1();\n2\tb1(y);\n3\tc1();", "z").text)
    .toMatchInlineSnapshot(`
      "NO_MATCH: old_string does not occur in the file. The nearest block is lines 1 to 3:
           1	a1();
           2	b1(x);
           3	c1();
      This is nearest without line numbers. 2 of the 3 lines are there; the file may have changed since it was read. It differs, first at line 2: old_string has "b1(y);", the file has "b1(x);".
      -> Copy the block exactly as it is in the file into old_string and call again."
    `);
});

test("a block is found that only an artifact hides", () => {
  expect(refusalOf('{\n  "first": true,\n', "&quot;first&quot;: false,", "z").text)
    .toMatchInlineSnapshot(`
      "NO_MATCH: old_string does not occur in the file. The nearest block is line 2:
           2	  "first": true,
      This is nearest without HTML entities. It differs, first at line 2: old_string has "\\"first\\": false,", the file has "  \\"first\\": true,".
      -> Copy the block exactly as it is in the file into old_string and call again."
    `);
});

test("places are told apart by their first line that says something", () => {
  expect(refusalOf("x1\n\none();\nx2\n  \none();\n", "\none(); ", "z").text).toContain(
    "Places:\n     3\tone();\n     6\tone();\n",
  );
  expect(refusalOf("a1\n\n\n\nb1\n", "\n\n", "z").text).toContain(
    "Places:\n     1\ta1\n     2\t\n",
  );
});

test("a long line is cut", () => {
  const line = "word ".repeat(60);

  const { text } = refusalOf(`${line}\n${line}\n`, line, "z");

  expect(text).toContain(`     1\t${line.slice(0, 160)}\u2026\n`);
});

test("a long block is cut, too", () => {
  const lines = Array.from({ length: 60 }, (_, index) => `line number ${index}`);

  const { text } = refusalOf(`${lines.join("\n")}\n`, `${lines.join("\n")}!`, "z");

  expect(text).toContain("The nearest block is lines 1 to 40:");
  expect(text).toContain("    40\tline number 39\n");
  expect(text).not.toContain("    41\t");
});

test("a place of twenty lines without a clear new text is shown whole", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line number ${index}`);
  const old = lines.map((line) => `\u00A0${line} -`).join("\n");

  const { text } = refusalOf(
    lines.map((line) => ` ${line} -`).join("\n"),
    old.replace("-", "\u2013"),
    "x \u2013 - y",
  );

  expect(text).toContain("    20\t line number 19 -\n->");
});

test("a long place without a clear new text is cut", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line number ${index}`);
  const old = lines.map((line) => `\u00A0${line} -`).join("\n");

  const { text, data } = refusalOf(
    lines.map((line) => ` ${line} -`).join("\n"),
    old.replace("-", "\u2013"),
    "x \u2013 - y",
  );

  expect(text).toContain("    20\t line number 19 -\n\u2026");
  expect(data).toEqual({ nearest: { firstLine: 1, lastLine: 30 } });
});

test.for([
  { old: "one", new: "one", message: "old and new text are the same" },
  { old: "one ", new: "one", message: "the file has the new text already (blanks at line ends" },
])("an edit that changes nothing says so: $message", ({ old, new: newText, message }) => {
  expect(refusalOf("one\n", old, newText).text).toContain(message);
});

test("near_line chooses among the places of a looser reading, too", () => {
  const plan = planEdit("\ta();\n\t\ta();\n\ta();\n", [
    { oldText: "    a(); ", newText: "    b();", nearLine: 2 },
  ]);

  expect(plan).toMatchObject({ text: "\ta();\n\t\tb();\n\ta();\n" });
});

test("replace_all changes every place of a looser reading, each in its own form", () => {
  const plan = planEdit("\ta1();\n\t\ta1();\n", [
    { oldText: "a1(); ", newText: "b1();", replaceAll: true },
  ]);

  expect(plan).toMatchObject({
    text: "\tb1();\n\t\tb1();\n",
    interpretations: ["blanks at line ends left out of account"],
  });
});

function messageOf(text: string, oldText: string): readonly string[] {
  const [message = ""] = refusalOf(text, oldText, "z").text.split("\n-> ");
  return message.split("\n");
}

test("of twenty places all are named, of more the first twenty", () => {
  expect(messageOf("a();\n".repeat(20), "a();").slice(-2)).toEqual([
    "    19\ta();",
    "    20\ta();",
  ]);
  expect(messageOf("a();\n".repeat(20) + "a();", "a();").slice(-2)).toEqual([
    "    20\ta();",
    "(1 more places)",
  ]);
});

test("the hint is that of the first edit that is refused", () => {
  const edits = ["a", "none"].map((oldText) => ({ oldText, newText: "x" }));

  expect(planEdit("a\n", edits)).toMatchObject({ hint: expect.stringMatching(/^Edit 2: ./u) });
});

test("a line of 160 characters is shown whole, a longer one is not", () => {
  const line = `${"y".repeat(158)};`;
  expect(messageOf(`z${line}\nz${line}`, ";").at(-1)).toBe(`     2\tz${line}`);
  expect(messageOf(`zz${line}\nzz${line}`, ";").at(-1)).toBe(`     2\tzz${"y".repeat(158)}…`);
});

test("lines that are each indented otherwise match nowhere: the nearest block is shown as it is", () => {
  const text = "  one(1);\n      two(2);\n  three(3);\n";
  const edit = { oldText: "  one(1);\n  two(2);\n  three(3);", newText: "  one(1);\n  three(3);" };

  expect(planEdit(text, [edit])).toMatchObject({
    kind: "refusal",
    message: expect.stringContaining("old_string does not occur in the file."),
  });
});
