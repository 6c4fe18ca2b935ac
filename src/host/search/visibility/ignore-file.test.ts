import ignore from "ignore";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { IgnoreFile } from "./ignore-file.ts";
import { runs } from "../../../../test/support/law-runs.ts";

function answer(rules: string, path: string): string | undefined {
  const isDirectory = path.endsWith("/");
  const below = isDirectory ? path.slice(0, -1) : path;
  return new IgnoreFile(rules).test(below, below.slice(below.lastIndexOf("/") + 1), isDirectory);
}

test.for([
  { rules: "a", path: "x/a", is: "ignored", because: "a name holds at any depth" },
  { rules: "/a", path: "x/a", is: undefined, because: "a slash in front anchors" },
  { rules: "/a", path: "a", is: "ignored", because: "an anchored name" },
  { rules: "x/a", path: "y/x/a", is: undefined, because: "a slash inside anchors" },
  { rules: "**/x/a", path: "y/x/a", is: "ignored", because: "two stars go down" },
  { rules: "x/**/a", path: "x/a", is: "ignored", because: "two stars may be nothing" },
  { rules: "x/**/a", path: "x/y/z/a", is: "ignored", because: "two stars may be several" },
  { rules: "x/**", path: "x", is: undefined, because: "what is inside, not the folder" },
  { rules: "x/**", path: "x/y/z", is: "ignored", because: "everything inside" },
  { rules: "x/*", path: "x/y/z", is: undefined, because: "one star stays in its place" },
  { rules: "a/", path: "a", is: undefined, because: "a file is not a directory" },
  { rules: "a/", path: "a/", is: "ignored", because: "a folder" },
  { rules: "*.ts\n!a.ts", path: "x/a.ts", is: "kept", because: "the last one that matches holds" },
  { rules: "!a.ts\n*.ts", path: "a.ts", is: "ignored", because: "the order counts" },
  {
    rules: "a.*\n!a.ts\na.t?",
    path: "a.ts",
    is: "ignored",
    because: "patterns and names in order",
  },
  { rules: "a\n!a/", path: "a", is: "ignored", because: "the exception is for folders" },
  { rules: "*.d.ts", path: "x.d.ts", is: "ignored", because: "an ending of two parts" },
  { rules: "*.ts", path: ".ts", is: "ignored", because: "a star may be nothing" },
  { rules: "# a", path: "# a", is: undefined, because: "a comment" },
  { rules: String.raw`\#a`, path: "#a", is: "ignored", because: "an escaped mark" },
  { rules: String.raw`\!a`, path: "!a", is: "ignored", because: "an escaped exception" },
  { rules: "a  ", path: "a", is: "ignored", because: "blanks at the end do not count" },
  { rules: "a\\ ", path: "a ", is: "ignored", because: "an escaped blank does" },
  { rules: "a\r\nb", path: "a", is: "ignored", because: "line ends of Windows" },
  { rules: "[a-c].x", path: "b.x", is: "ignored", because: "a range" },
  { rules: "[!a-c].x", path: "d.x", is: "ignored", because: "the other way round" },
  { rules: "[!a-c].x", path: "b.x", is: undefined, because: "not in it" },
  { rules: "[]].x", path: "].x", is: "ignored", because: "a bracket comes first" },
  { rules: "[a", path: "[a", is: undefined, because: "a class that never closes matches nothing" },
  { rules: "x[/]a", path: "x/a", is: undefined, because: "a class never matches a slash" },
  { rules: "{a,b}", path: "a", is: undefined, because: "git does not expand braces" },
  {
    rules: "/**\n!a*",
    path: "a/b.ts",
    is: "ignored",
    because: "two stars after a slash are all below",
  },
  { rules: "A", path: "a", is: undefined, because: "case counts" },
  { rules: "/\n\n!", path: "a", is: undefined, because: "an empty pattern is not a rule" },
])("$rules of $path: $because", ({ rules, path, is }) => {
  expect(answer(rules, path)).toBe(is);
});

describe("agrees with a published matcher", () => {
  const part = fc.constantFrom("a", "b.ts", "*", "**", "*.ts", "a*", "?", "[ab]", "c.d.ts", "a b");
  const rule = fc
    .tuple(fc.constantFrom("", "!", "/"), fc.array(part, { minLength: 1, maxLength: 3 }))
    .chain(([start, parts]) =>
      fc.constantFrom("", "/").map((end) => `${start}${parts.join("/")}${end}`),
    );
  const name = fc.constantFrom("a", "b.ts", "ab", "c.d.ts", "a b", "x");

  test("the answer is the same, where no folder above is ignored", () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 5 }),
        fc.array(name, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (rules, names, isDirectory) => {
          const text = rules.join("\n");
          const path = names.join("/");
          const other = ignore({ ignorecase: false }).add(text);
          const folders = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join("/"));
          fc.pre(folders.every((folder) => !other.test(`${folder}/`).ignored));
          const { ignored, unignored } = other.test(isDirectory ? `${path}/` : path);
          const expected = ignored ? "ignored" : unignored ? "kept" : undefined;

          expect(answer(text, isDirectory ? `${path}/` : path)).toBe(expected);
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});
