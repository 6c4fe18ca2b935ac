import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { toolBench, toolContract } from "../../testing/index.ts";
import { bytesOf, change, numbered, seen } from "../../../test/support/edit-bench.ts";
import { read } from "../read/read.ts";
import { edit } from "./edit.ts";

test("a file over 64 MB is not edited", async () => {
  const bench = toolBench({ files: { "a.ts": new Uint8Array(64_000_001) } });

  await expect(bench.call(edit, change("a", "b"))).rejects.toMatchObject({
    code: "TOO_LARGE",
    data: { size: 64_000_001 },
  });
});

test.for([
  { size: 10_000_000, isVersion: false },
  { size: 10_000_001, isVersion: true },
])("of $size bytes a file is known by its version: $isVersion", async ({ size, isVersion }) => {
  const bench = await seen(`first\n${"x".repeat(99)}\n`.padEnd(size, `${"y".repeat(99)}\n`), {
    limit: 2,
  });

  await bench.call(edit, change("first", "other"));
  await bench.call(edit, change("other", "third"));

  const { hash = "" } = bench.seenFiles.view("/project/a.ts") ?? {};
  expect(hash.startsWith("version:")).toBe(isVersion);
});

test("a unique text is replaced, and the model reads where", async () => {
  const bench = await seen(numbered(12));

  const result = await bench.call(edit, change("line 6\n", "six\n"));

  expect(bench.files()["a.ts"]).toBe(numbered(12).replace("line 6\n", "six\n"));
  expect(result.text).toMatchInlineSnapshot(`"Edited a.ts at line 6: 1 added, 1 removed."`);
  expect(result).toMatchObject({
    title: "Edited a.ts",
    summary: "1 added, 1 removed",
    metadata: { path: "/project/a.ts", added: 1, removed: 1, places: [6], replaced: 1 },
  });
});

test("the user has the whole diff of an edit", async () => {
  const bench = await seen(numbered(12));

  const { metadata } = await bench.call(edit, change("line 6\n", "six\n"));

  expect(metadata["diff"]).toMatchInlineSnapshot(`
    "--- a.ts
    +++ a.ts
    @@ -2,9 +2,9 @@
     line 2
     line 3
     line 4
     line 5
    -line 6
    +six
     line 7
     line 8
     line 9
     line 10
    "
  `);
});

test("of many places the first and the last are named, and no diff is shown", async () => {
  const bench = await seen("x = 1\n".repeat(200));

  const result = await bench.call(edit, change("x", "y", { replace_all: true }));

  expect(result.text).toBe("Edited a.ts in 200 places, lines 1 to 200: 200 added, 200 removed.");
  expect(String(result.metadata["diff"]).length).toBeGreaterThan(2500);
});

const block = (name: string): string =>
  Array.from({ length: 60 }, (_, line) => `\t${name}(${line}, "some words of a line");\n`).join("");

test("where a text was read differently the model sees the diff, in 1,500 characters", async () => {
  const bench = await seen(block("before"));

  const result = await bench.call(
    edit,
    change(block("before").replaceAll("\t", "    "), block("after").replaceAll("\t", "    ")),
  );

  const [told = "", ...diff] = result.text.split("\n\n");
  expect(told).toMatch(/^Edited a\.ts at line 1: 60 added, 60 removed\. Read as: /u);
  const shown = diff.join("\n\n");
  expect(shown).toMatch(/^--- a\.ts\n[^]*\n\(diff cut here, \d+ more lines\)$/u);
  expect(shown.length).toBeLessThanOrEqual(1500);
});

test("every occurrence is replaced when asked to", async () => {
  const bench = await seen("a = 1\nb = 2\na = 3\n");

  const result = await bench.call(edit, change("a", "$&", { replace_all: true }));

  expect(bench.files()["a.ts"]).toBe("$& = 1\nb = 2\n$& = 3\n");
  expect(result.text).toContain("Edited a.ts in 2 places, lines 1, 3: 2 added, 2 removed.");
});

test("line endings, byte order mark and everything outside the place keep their bytes", async () => {
  const before = "\uFEFFone\r\ntwo  \r\nthree\nfour\rfive\r\nend";
  const bench = await seen(before);

  await bench.call(edit, change("one\ntwo  \n", "1\n2\n2b\n"));

  expect((await bytesOf(bench, "a.ts")).toString()).toBe(
    "\uFEFF1\r\n2\r\n2b\r\nthree\nfour\rfive\r\nend",
  );
});

test("an interpretation that was needed is reported", async () => {
  const bench = await seen("one\r\ntwo\r\n");

  const result = await bench.call(edit, change("one\ntwo", "1\n2"));

  expect(result.text).toContain("Read as: line endings taken as those of the file.");
});

test("several edits are matched against the same text and made at once", async () => {
  const bench = await seen("one\ntwo\nthree\n");
  const edits = [
    { old_string: "three", new_string: "one" },
    { old_string: "one", new_string: "1" },
  ];

  const result = await bench.call(edit, { file_path: "a.ts", edits });

  expect(bench.files()["a.ts"]).toBe("1\ntwo\none\n");
  expect(result.text).toContain("Edited a.ts in 2 places, lines 1, 3: 2 added, 2 removed.");
  expect(result.metadata).toMatchObject({
    edits: [
      { status: "applied", lines: [3] },
      { status: "applied", lines: [1] },
    ],
  });
});

test("of several edits none is made where one cannot be, unless partial is set", async () => {
  const bench = await seen("one\ntwo\n");
  const edits = [
    { old_string: "one", new_string: "1" },
    { old_string: "missing", new_string: "x" },
  ];

  await expect(bench.call(edit, { file_path: "a.ts", edits })).rejects.toMatchObject({
    code: "NO_MATCH",
    message: expect.stringContaining("1 of 2 edits cannot be applied, so none was."),
    data: { edits: [{ status: "matches" }, { status: "refused", code: "NO_MATCH" }] },
  });
  expect(bench.files()["a.ts"]).toBe("one\ntwo\n");

  const result = await bench.call(edit, { file_path: "a.ts", edits, partial: true });

  expect(bench.files()["a.ts"]).toBe("1\ntwo\n");
  expect(result.text).toContain(
    "Edit 2 was not made. old_string does not occur in the file, and no line of it does.",
  );
  expect(result.metadata).toMatchObject({
    edits: [
      { status: "applied", lines: [1] },
      { status: "refused", code: "NO_MATCH" },
    ],
  });
});

test.for([
  { why: "neither form", input: {}, message: "either old_string and new_string, or edits" },
  {
    why: "both forms",
    input: { old_string: "a", edits: [{ old_string: "a", new_string: "b" }] },
    message: "either old_string and new_string, or edits",
  },
  { why: "no new_string", input: { old_string: "a" }, message: "new_string is missing;" },
  { why: "no old_string", input: { new_string: "a" }, message: "old_string is missing;" },
])("a call with $why is refused", async ({ input, message }) => {
  const bench = await seen("a\n");

  await expect(bench.call(edit, { file_path: "a.ts", ...input })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining(message),
    hint: "Correct these inputs and call Edit again.",
  });
});

test("nothing found shows the nearest block and what is different about it", async () => {
  const bench = await seen("function a() {\n\treturn 1;\n}\n");

  await expect(
    bench.call(edit, change("function a() {\n\treturn  1;\n}", "x")),
  ).rejects.toMatchObject({
    code: "NO_MATCH",
    message: `a.ts was not changed. old_string does not occur in the file. The nearest block is lines 1 to 3:
     1\tfunction a() {
     2\t\treturn 1;
     3\t}
It differs in white space only, first at line 2: old_string has "\\treturn  1;", the file has "\\treturn 1;".`,
    hint: "Copy the block exactly as it is in the file into old_string and call again.",
    data: { nearest: { firstLine: 1, lastLine: 3 } },
  });
});

test("several places are all named", async () => {
  const bench = await seen("x = 1\ny\nx = 1\n");

  await expect(bench.call(edit, change("x = 1", "z"))).rejects.toMatchObject({
    code: "AMBIGUOUS_MATCH",
    message:
      "a.ts was not changed. old_string occurs 2 times. Places:\n     1\tx = 1\n     3\tx = 1",
    hint: expect.stringContaining("near_line"),
    data: { lines: [1, 3] },
  });
  await bench.call(edit, change("x = 1", "z", { near_line: 3 }));
  expect(bench.files()["a.ts"]).toBe("x = 1\ny\nz\n");
});

test.for([
  { why: "equal texts", input: change("one", "one"), code: "NO_CHANGE" },
  { why: "an empty old_string", input: change("", "x"), code: "INVALID_INPUT" },
])("$why are refused as $code", async ({ input, code }) => {
  const bench = await seen("one");

  await expect(bench.call(edit, input)).rejects.toMatchObject({
    code,
    hint: expect.stringMatching(/\w/u),
  });
});

const at = (file_path: string) => ({ file_path, old_string: "a", new_string: "b" });

test("a missing file, a folder and a pipe are told apart", async () => {
  const host = memoryHost({ files: { "src/b.ts": "" } });
  host.control.plant("pipe", { kind: "fifo" });
  const bench = toolBench({ host });
  await expect(bench.call(edit, at("src/c.ts"))).rejects.toMatchObject({
    code: "NOT_FOUND",
    hint: "Did you mean src/b.ts?",
  });
  await expect(bench.call(edit, at("src"))).rejects.toMatchObject({
    code: "IS_DIRECTORY",
    hint: "Name a file; ListDir lists the directory.",
  });
  await expect(bench.call(edit, at("pipe"))).rejects.toMatchObject({
    code: "NOT_A_FILE",
    hint: "Only regular files can be edited.",
  });
});

const wideBytes = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

test.for([
  {
    name: "half a surrogate pair in UTF-16",
    bytes: [0xff, 0xfe, 0x3d, 0xd8, 65, 0],
    because: "bytes that are not UTF-16LE, which its byte order mark says it is",
  },
  {
    name: "an odd byte in UTF-16",
    bytes: [0xfe, 0xff, 0, 65, 0],
    because: "bytes that are not UTF-16BE, which its byte order mark says it is",
  },
  { name: "UTF-32", bytes: [0xff, 0xfe, 0, 0, 65, 0, 0, 0], because: "a UTF-32 byte order mark" },
  {
    name: "a bad byte far in",
    bytes: [...Buffer.from("x".repeat(600)), 0xff],
    because: "bytes that are not UTF-8",
  },
])("$name would be damaged and is refused", async ({ bytes, because }) => {
  const bench = toolBench({ files: { "a.ts": Uint8Array.from(bytes) } });
  const { hash } = await bench.host.fs.readFile("/project/a.ts");
  bench.seenFiles.saw("/project/a.ts", { hash });

  await expect(bench.call(edit, change("x", "y"))).rejects.toMatchObject({
    code: "BINARY_FILE",
    message: `a.ts cannot be edited as text: it contains ${because}.`,
    hint: expect.stringContaining("Convert it to UTF-8"),
  });
});

test.for([
  { name: "UTF-16LE", bytesOfText: wideBytes },
  { name: "UTF-16BE", bytesOfText: (text: string): Buffer => wideBytes(text).swap16() },
])("a $name file is edited in its encoding", async ({ bytesOfText }) => {
  const bench = toolBench({ files: { "a.ts": bytesOfText("one \u{1F600}\r\ntwo\r\n") } });
  const { hash } = await bench.host.fs.readFile("/project/a.ts");
  bench.seenFiles.saw("/project/a.ts", { hash });

  await bench.call(edit, change("two\n", "2 \u00E9\nthree\n"));

  expect(await bytesOf(bench, "a.ts")).toEqual(
    bytesOfText("one \u{1F600}\r\n2 \u00E9\r\nthree\r\n"),
  );
});

test("half a character in the new text is refused", async () => {
  const bench = await seen("one\n");

  await expect(bench.call(edit, change("one", "x\uD83D"))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "The text has half of a surrogate pair in it.",
  });
  expect(bench.files()["a.ts"]).toBe("one\n");
});

test("half a character of the file is not replaced", async () => {
  const bench = await seen("a\u{1F600}b\n");

  await expect(bench.call(edit, change("\uDE00b", "c"))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "old_string has half of a surrogate pair in it.",
  });
});

test("a full disk leaves the old file", async () => {
  const host = memoryHost({ files: { "a.ts": "one\n" } });
  const bench = toolBench({ host });
  await bench.call(read, { file_path: "a.ts" });
  host.control.fail({ path: "a.ts", operation: "writeAtomic", fails: "ENOSPC" });

  await expect(bench.call(edit, change("one", "two"))).rejects.toMatchObject({ code: "NO_SPACE" });
  expect(host.control.texts()["/project/a.ts"]).toBe("one\n");
});

test.for(
  toolContract(edit, [
    {
      name: "one replacement",
      files: { "a.ts": "one\n" },
      after: [{ tool: read, input: { file_path: "a.ts" } }],
      input: change("one", "two"),
    },
  ]),
)("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
