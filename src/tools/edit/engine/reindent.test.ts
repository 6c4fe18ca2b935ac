import { expect, test } from "vitest";
import { indentBasis, type IndentBasis } from "./reindent.ts";

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
])("whose indentation it is, where $because", ({ old, file, updated, basis }) => {
  const pair = { oldText: old.join("\n"), newText: updated.join("\n") };

  expect(indentBasis({ pair, lines: file, text: file.join("\n") })).toBe(basis);
});
