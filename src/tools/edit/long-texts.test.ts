import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";

interface Case {
  readonly because: string;
  readonly text: string;
  readonly old: string;
}

const indented = " const value = make(value);\n".repeat(6000);
const blankLines = `a${"\n".repeat(60_000)}b`;
const blanks = `a${" ".repeat(150_000)}b`;

// Each takes a moment; work that is quadratic in the length takes far longer than a test may.
test.for<Case>([
  { because: "begins with a space, as if it was set apart", text: `x\n${indented}`, old: indented },
  { because: "has blank lines in the middle", text: `${blankLines}\n`, old: blankLines },
  {
    because: "has blanks in the middle and at the end",
    text: `${blanks}\nx \ny`,
    old: `${blanks}\nx\ny`,
  },
  { because: "has blanks in the middle of a line", text: `${blanks}\nx\n`, old: `${blanks} \nx ` },
])("a long text that $because is found at once", ({ text, old }) => {
  expect(planEdit(text, [{ oldText: old, newText: "c" }]).kind).toBe("plan");
});

// Each place could be that of a block as long as half of the file.
test.for([
  { because: "indented by the same", indent: (): string => "\t\t", code: "AMBIGUOUS_MATCH" },
  {
    because: "indented by turns",
    indent: (index: number): string => "\t".repeat(1 + (index % 3)),
    code: "NO_MATCH",
  },
])("thousands of equal lines, $because, are refused at once", ({ indent, code }) => {
  const text = Array.from({ length: 12_000 }, (_, index) => `${indent(index)}run();\n`).join("");
  const edit = { oldText: "  run();\n".repeat(6000), newText: "  stop();\n".repeat(6000) };

  expect(planEdit(text, [edit])).toMatchObject({ kind: "refusal", code });
});

test("an edit between equal lines of one place is found at once", () => {
  const text = `${"\t\trun();\n".repeat(6000)}end();\n`;
  const edit = { oldText: "  run();\n".repeat(6000), newText: "  stop();\n" };

  expect(planEdit(text, [edit])).toMatchObject({ text: "\t\tstop();\nend();\n" });
});
