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

test.for<Case>([
  {
    because: "new lines with numbers and another separator are numbered",
    text: "# one\nA = 1\n\n# two\nB = 2\n",
    old: "7:    # one\n8:    A = 1\n9:\n10:    # two\n11:    B = 2",
    new: "7:# two\n8:B = 2",
    result: undefined,
  },
  {
    because:
      "new text that is deeper than all of the old one may have been shifted with its numbers",
    text: "  a(\n    b,\n  );\n",
    old: "      1\t  a(\n      2\t    b,\n      3\t  );",
    new: "      a(\n        b,\n        c,\n      );",
    result: undefined,
  },
  {
    because: "new text around it is deeper only inside",
    text: "a();\nb();\n",
    old: "1: a();\n2: b();",
    new: "if (x) {\n  a();\n  b();\n}",
    result: "if (x) {\n  a();\n  b();\n}\n",
  },
])("line numbers: $because", check);

test.for<Case>([
  {
    because: "an escaped return alone is two characters",
    text: "lines = value.split()\nreturn lines\n",
    old: "lines = value.split()\\nreturn lines",
    new: "# It splits at \\r, too.\\nlines = splitter(value)\\nreturn lines",
    result: undefined,
  },
])("escapes: $because", check);
