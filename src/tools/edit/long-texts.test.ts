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
