import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePatch } from "./parse-patch.ts";

const patch = (...lines: readonly string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe("a patch is read", () => {
  test.each([
    { text: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b", is: "a diff", says: /^This is a diff/u },
    { text: "diff --git a/x b/x", is: "a diff of git", says: /^This is a diff/u },
    { text: "hello", is: "a text", says: /^A patch begins/u },
  ])("$is is refused with the format", ({ text, says }) => {
    expect(() => parsePatch(text)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(says),
        hint: expect.stringContaining("*** Update File: path"),
      }),
    );
  });

  test("with a header that follows its mark without a space", () => {
    const changes = parsePatch(patch("*** Update File: a.ts", "@@class A", "-x", "+y"));

    expect(changes).toMatchObject([{ hunks: [{ headers: ["class A"] }] }]);
  });

  test("with blank lines between it and a fence around it", () => {
    const text = patch("*** Delete File: a.ts");

    expect(parsePatch(`\n\`\`\`\n\n${text}\n\n\`\`\`\n`)).toEqual([
      { kind: "delete", path: "a.ts" },
    ]);
  });

  test("section by section", () => {
    const changes = parsePatch(
      patch(
        "*** Add File: new/a.ts",
        "+one",
        "+",
        "+two",
        "*** Delete File: old.ts",
        "*** Update File: b.ts",
        "*** Move to: c.ts",
        "@@ class A {",
        "@@   run() {",
        " kept",
        "-removed",
        "+added",
        "",
        "*** End of File",
        "@@",
        "-x",
        "+y",
      ),
    );

    expect(changes).toEqual([
      { kind: "add", path: "new/a.ts", content: "one\n\ntwo\n" },
      { kind: "delete", path: "old.ts" },
      {
        kind: "update",
        path: "b.ts",
        moveTo: "c.ts",
        hunks: [
          {
            at: 9,
            headers: ["class A {", "run() {"],
            oldLines: ["kept", "removed", ""],
            newLines: ["kept", "added", ""],
            isAtEnd: true,
          },
          { at: 16, headers: [], oldLines: ["x"], newLines: ["y"], isAtEnd: false },
        ],
      },
    ]);
  });

  test.for([
    { wrapped: (text: string) => `\n\n${text}\n\n`, because: "blank lines around it" },
    { wrapped: (text: string) => `\`\`\`diff\n${text}\n\`\`\``, because: "a code fence" },
    { wrapped: (text: string) => `<<'EOF'\n${text}\nEOF`, because: "a here-document" },
    { wrapped: (text: string) => `apply_patch <<EOF\n${text}\nEOF\n`, because: "a command" },
    { wrapped: (text: string) => text.replaceAll("\n", "\r\n"), because: "carriage returns" },
  ])("without $because", ({ wrapped }) => {
    const plain = patch("*** Update File: a.ts", "@@", "-x", "+y");

    expect(parsePatch(wrapped(plain))).toMatchObject([
      { path: "a.ts", hunks: [{ oldLines: ["x"], newLines: ["y"] }] },
    ]);
  });

  test.for([
    { mark: "@@ -1,3 +1,4 @@", headers: [] },
    { mark: "@@ -1 +1 @@ function one() {", headers: ["function one() {"] },
    { mark: "@@ function one() { @@", headers: ["function one() {"] },
    { mark: "@@   -- a comment", headers: ["-- a comment"] },
  ])("$mark names $headers", ({ mark, headers }) => {
    expect(parsePatch(patch("*** Update File: a", mark, "-x"))).toMatchObject([
      { hunks: [{ headers }] },
    ]);
  });

  test("a first hunk may begin without a mark", () => {
    expect(parsePatch(patch("*** Update File: a", " x", "-y"))).toMatchObject([
      { hunks: [{ at: 3, oldLines: ["x", "y"], newLines: ["x"] }] },
    ]);
  });

  test("a file may only be moved", () => {
    expect(parsePatch(patch("*** Update File: a", "*** Move to: b"))).toEqual([
      { kind: "update", path: "a", moveTo: "b", hunks: [] },
    ]);
  });
});

test.for([
  { text: "", says: "begins with", line: undefined },
  { text: "hello", says: "begins with", line: 1 },
  { text: "*** Begin Patch", says: "may be cut off", line: 1 },
  { text: "*** Begin Patch\n*** Update File: a\n@@\n-x", says: "may be cut off", line: 4 },
  { text: patch(), says: "names no file", line: 1 },
  { text: patch("x"), says: "Here a file must begin", line: 2 },
  { text: patch("*** Rename File: a"), says: "Here a file must begin", line: 2 },
  { text: patch("*** Add File: a"), says: "needs at least one line", line: 2 },
  { text: patch("*** Add File: a", "x"), says: "begins with +", line: 3 },
  { text: patch("*** Delete File: a", "-x"), says: "Here a file must begin", line: 3 },
  { text: patch("*** Update File: a"), says: "at least one hunk", line: 2 },
  { text: patch("*** Update File: a", "@@"), says: "has no lines", line: 3 },
  { text: patch("*** Update File: a", "@@", "x"), says: "begins with a space", line: 4 },
  {
    text: patch("*** Update File: a", "@@", "-x", "*** End of File", "-y"),
    says: "after the first begins with @@",
    line: 6,
  },
  { text: patch("diff --git a/x b/x"), says: "only a deleted binary file", line: 2 },
  {
    text: patch("diff --git a/x b/x", "deleted file mode 100644", "--- a/x"),
    says: "only a deleted binary file",
    line: 4,
  },
  {
    text: patch(
      "diff --git a/x b/x",
      "deleted file mode 100644",
      "index 3f2a1bc..0000000",
      "Binary files a/y and /dev/null differ",
    ),
    says: "only a deleted binary file",
    line: 5,
  },
  { text: patch("diff --git a/x b/y"), says: "Here a file must begin", line: 2 },
  { text: patch("*** Update File: "), says: "path is missing", line: 2 },
  { text: patch("*** Delete File: /etc/a"), says: "is not relative", line: 2 },
  { text: patch("*** Delete File: ~/a"), says: "is not relative", line: 2 },
  { text: patch("*** Delete File: C:\\a"), says: "is not relative", line: 2 },
  { text: patch("*** Delete File: \\\\server\\a"), says: "is not relative", line: 2 },
  { text: patch("*** Update File: a", "*** Move to: /b"), says: "is not relative", line: 3 },
  {
    text: patch("*** Delete File: a", "*** Delete File: ./a"),
    says: "more than once",
    line: undefined,
  },
  {
    text: patch("*** Delete File: b", "*** Update File: a", "*** Move to: b"),
    says: "more than once",
    line: undefined,
  },
])("refused: $says, for $text", ({ text, says, line }) => {
  expect(() => parsePatch(text)).toThrow(
    expect.objectContaining({
      code: "INVALID_INPUT",
      message: expect.stringContaining(says),
      ...(line === undefined ? {} : { data: { line } }),
    }),
  );
});

test("a patch that was cut off anywhere is refused", () => {
  const whole = patch(
    "*** Update File: a",
    "@@ head",
    " kept",
    "-x",
    "+y",
    "*** Add File: b",
    "+z",
  );
  fc.assert(
    fc.property(fc.nat({ max: whole.length - 1 }), (length) => {
      expect(() => parsePatch(whole.slice(0, length))).toThrow(
        expect.objectContaining({ code: "INVALID_INPUT" }),
      );
    }),
  );
});
