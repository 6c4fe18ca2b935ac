import { expect, test } from "vitest";
import { indentBasis, type IndentBasis } from "./indentation.ts";

interface Case {
  readonly because: string;
  readonly old: readonly string[];
  readonly file: readonly string[];
  readonly updated: readonly string[];
  readonly basis: IndentBasis;
}

test.for<Case>([
  {
    because: "a shared line is as it was sent",
    old: ["a", "b"],
    file: ["  a", "  b"],
    updated: ["new", "b", "end"],
    basis: "sent",
  },
  {
    because: "a shared line is as in the file",
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
  {
    because: "the sides are indented by other blanks, and new lines by those that were sent",
    old: ["a {", "\tb", "}"],
    file: ["a {", "  b", "}"],
    updated: ["a {", "\tif {", "\t\tb", "\t}", "}"],
    basis: "sent",
  },
  {
    because: "the same, and new lines by those of the file",
    old: ["a {", "\tb", "}"],
    file: ["a {", "  b", "}"],
    updated: ["a {", "    if {", "      b", "    }", "}"],
    basis: "file",
  },
  {
    because: "the same, and new lines by both",
    old: ["a {", "\tb", "}"],
    file: ["a {", "  b", "}"],
    updated: ["a {", "\tif {", "      b", "    }", "}"],
    basis: "unclear",
  },
  {
    because: "one side is not indented, so deeper lines may belong to either",
    old: ["a", "b"],
    file: ["  a", "  b"],
    updated: ["    c", "      d"],
    basis: "unclear",
  },
  {
    because: "both sides are indented by the same blanks",
    old: ["a", "    b"],
    file: ["a", "  b"],
    updated: ["a", "      c"],
    basis: "unclear",
  },
  {
    because: "the first new line lacks no indentation, as not all others have that of the file",
    old: ["a"],
    file: ["    a"],
    updated: ["a {", "    b", "}"],
    basis: "sent",
  },
])("whose indentation it is, where $because", ({ old, file, updated, basis }) => {
  const pair = { oldText: old.join("\n"), newText: updated.join("\n") };

  const hidden = { trailingSpace: true, lookAlikes: false };

  expect(indentBasis({ pair, lines: file, hidden })).toBe(basis);
});
