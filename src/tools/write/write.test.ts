import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { callTool, toolBench, toolContract, type ToolBench } from "../../testing/index.ts";
import { read } from "../read/read.ts";
import { omissionIn } from "./placeholder-line.ts";
import { write } from "./write.ts";

const to = (content: string, more: object = {}) => ({ file_path: "a.ts", content, ...more });

/** A bench in which one file was read. */
async function seen(content: string | Uint8Array, page: object = {}): Promise<ToolBench> {
  const bench = toolBench({ files: { "a.ts": content } });
  await bench.call(read, { file_path: "a.ts", ...page });
  return bench;
}

const long = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`).join("");

test("a new file is made with its folders", async () => {
  const bench = toolBench();

  const result = await bench.call(write, { file_path: "src/new/a.ts", content: "one\ntwo" });

  expect(bench.files()).toEqual({ "src/new/a.ts": "one\ntwo" });
  expect(result.text).toBe("Created src/new/a.ts (2 lines, 7 B).");
  expect(result).toMatchObject({
    title: "Created src/new/a.ts",
    summary: "2 lines",
    metadata: { path: "/project/src/new/a.ts", change: "created", added: 2, removed: 0 },
  });
});

test("creating and changing are declared apart", async () => {
  const bench = toolBench({ files: { "a.ts": "one" } });

  expect(await bench.effects(write, to("x"))).toEqual([
    { kind: "read", path: "/project/a.ts", scope: "file" },
    { kind: "write", path: "/project/a.ts", scope: "file", change: "modify" },
  ]);
  expect(await bench.effects(write, { file_path: "b.ts", content: "" })).toContainEqual({
    kind: "write",
    path: "/project/b.ts",
    scope: "file",
    change: "create",
  });
});

test("a file that was read is replaced, and the diff says how", async () => {
  const bench = await seen("one\ntwo\n");

  const result = await bench.call(write, to("one\n2\n"));

  expect(bench.files()["a.ts"]).toBe("one\n2\n");
  expect(result.text).toBe("Replaced a.ts (2 lines, 6 B). 1 added, 1 removed.");
  expect(result.metadata["diff"]).toMatchInlineSnapshot(`
    "--- a.ts
    +++ a.ts
    @@ -1,2 +1,2 @@
     one
    -two
    +2
    "
  `);
});

test("what was written counts as read", async () => {
  const bench = toolBench();

  await bench.call(write, to("one"));
  await bench.call(write, to("two"));

  expect(bench.files()["a.ts"]).toBe("two");
});

test("a file that was not read is not replaced, unless that is said", async () => {
  const bench = toolBench({ files: { "a.ts": "one" } });

  await expect(bench.call(write, to("two"))).rejects.toMatchObject({
    code: "NOT_READ",
    message: "a.ts exists and was not read in this session.",
    hint: "Read it first, then write; or set overwrite to true to replace it unseen.",
  });
  expect(bench.files()["a.ts"]).toBe("one");
  await bench.call(write, to("two", { overwrite: true }));
  expect(bench.files()["a.ts"]).toBe("two");
});

test("an empty file holds nothing to lose", async () => {
  const bench = toolBench({ files: { "a.ts": "" } });

  await bench.call(write, to("two"));

  expect(bench.files()["a.ts"]).toBe("two");
});

test("a file changed since it was read is not replaced, whatever is said", async () => {
  const bench = await seen("one");
  await bench.host.fs.writeAtomic("/project/a.ts", Buffer.from("theirs"));

  for (const overwrite of [false, true]) {
    await expect(bench.call(write, to("two", { overwrite }))).rejects.toMatchObject({
      code: "STALE_READ",
      message: "a.ts changed since you read it.",
      hint: "Read it again, then write.",
    });
  }
  expect(bench.files()["a.ts"]).toBe("theirs");
});

test("a file seen in part is replaced only when all of it was seen", async () => {
  const bench = await seen("1\n2\n3\n4\n", { limit: 2 });

  await expect(bench.call(write, to("x\n"))).rejects.toMatchObject({
    code: "NOT_READ",
    message: "Lines 3 to 4 of a.ts were not read.",
    hint: "Read the file with offset 3, or change the part you know with Edit.",
  });
  await bench.call(read, { file_path: "a.ts", offset: 3, limit: 2 });
  await bench.call(write, to("x\n"));
  expect(bench.files()["a.ts"]).toBe("x\n");
});

test("a file that appears between the look and the write is not replaced", async () => {
  const host = memoryHost();
  const bench = toolBench({ host });
  host.control.fail({ path: "a.ts", operation: "writeAtomic", fails: "EEXIST" });

  await expect(bench.call(write, to("mine"))).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
});

test("the same content again writes nothing and says so, read or not", async () => {
  const host = memoryHost({ files: { "a.ts": "one" } });
  const bench = toolBench({ host });
  const before = await host.fs.stat("/project/a.ts");

  const result = await bench.call(write, to("one"));

  expect(result.text).toBe("a.ts already has exactly this content; nothing was written.");
  expect(result.metadata).toMatchObject({ change: "none" });
  expect(await host.fs.stat("/project/a.ts")).toEqual(before);
});

test.for([
  {
    before: "one\r\ntwo\r\n",
    content: "one\n2\n",
    after: "one\r\n2\r\n",
    note: "Kept its CRLF line endings.",
    because: "the file has CRLF throughout",
  },
  {
    before: "one\r\ntwo\n",
    content: "one\n2\n",
    after: "one\n2\n",
    note: "",
    because: "a mixed file has no form to keep",
  },
  {
    before: "\uFEFFone\n",
    content: "1\n",
    after: "\uFEFF1\n",
    note: "Kept its byte order mark.",
    because: "the file has a byte order mark",
  },
  {
    before: "one\r\n",
    content: "1\r\n2\r\n",
    after: "1\r\n2\r\n",
    note: "",
    because: "content with its own carriage returns is taken as it is",
  },
])("$because", async ({ before, content, after, note }) => {
  const bench = await seen(before);

  const result = await bench.call(write, to(content));

  const { bytes } = await bench.host.fs.readFile("/project/a.ts");
  expect(Buffer.from(bytes).toString()).toBe(after);
  expect(result.text.endsWith(note)).toBe(true);
  expect(result.text.includes("Kept")).toBe(note !== "");
});

test("an existing file keeps its mode", async () => {
  const host = memoryHost();
  host.control.plant("run.sh", { kind: "file", content: "one\n", mode: 0o755 });
  const bench = toolBench({ host });
  await bench.call(read, { file_path: "run.sh" });

  await bench.call(write, { file_path: "run.sh", content: "two\n" });

  expect(await host.fs.stat("/project/run.sh")).toMatchObject({ mode: 0o755 });
});

test("a file is not cut to less than half by accident", async () => {
  const bench = await seen(long);

  await expect(bench.call(write, to("line 1\n"))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "This would shrink a.ts from 792 B to 7 B.",
    hint: "Use Edit to change part of it. If the file is really meant to shrink, set overwrite to true.",
  });
  expect(bench.files()["a.ts"]).toBe(long);
  await bench.call(write, to("line 1\n", { overwrite: true }));
  expect(bench.files()["a.ts"]).toBe("line 1\n");
});

test("of less than 400 bytes more than half may go", async () => {
  const small = await seen("x".repeat(399));
  const large = await seen("x".repeat(400));

  await small.call(write, to("y"));

  expect(small.files()["a.ts"]).toBe("y");
  await expect(large.call(write, to("y"))).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

test("a file over 64 MB is not replaced", async () => {
  const bench = toolBench({ files: { "a.ts": new Uint8Array(64_000_001) } });

  await expect(bench.call(write, to("y", { overwrite: true }))).rejects.toMatchObject({
    code: "TOO_LARGE",
    message: "a.ts has 64 MB; Write replaces files of at most 64 MB.",
    data: { size: 64_000_001 },
  });
});

test("half of a file may go", async () => {
  const bench = await seen(`${"x".repeat(499)}\n`);

  await bench.call(write, to(`${"x".repeat(249)}\n`));

  expect(bench.files()["a.ts"]).toHaveLength(250);
});

test("text that stands for omitted code is not written, unless that is said", async () => {
  const bench = await seen(long);
  const content = `line 1\n// ... rest of the code ...\n${long}`;

  await expect(bench.call(write, to(content))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "Line 2 of the content is a placeholder for omitted text: // ... rest of the code ...",
    hint: expect.stringContaining("set overwrite to true"),
    data: { line: 2 },
  });
  await bench.call(write, to(content, { overwrite: true }));
  expect(bench.files()["a.ts"]).toBe(content);
});

test.for([
  { line: "// ... rest of the code ...", is: true },
  { line: "# ... existing code ...", is: true },
  { line: "/* ... rest of the file remains the same ... */", is: true },
  { line: "<!-- ... rest of the content ... -->", is: true },
  { line: "{/* ... existing code ... */}", is: true },
  { line: "// ... existing imports ...", is: true },
  { line: "    // … rest unchanged …", is: true },
  { line: "// ... (rest of the implementation stays the same)", is: true },
  { line: "... rest of code ...", is: true },
  { line: "[... rest of the document ...]", is: true },
  { line: "-- ... other methods ...", is: true },
  { line: "/* rest of file unchanged */", is: true },
  { line: "    # (rest of the methods remain the same)", is: true },
  { line: "// Keep the rest as is", is: true },
  { line: "-- remaining code stays the same", is: true },
  { line: "// Rest of the code remains unchanged.", is: true },
  { line: "<!-- existing content unchanged -->", is: true },
  { line: "# other functions omitted for brevity", is: true },
  { line: "// [remainder of this file not shown]", is: true },
  { line: "// the rest of the code follows below", is: false, because: "it is said to follow" },
  { line: "// rest of the list is unchanged when empty", is: false, because: "it says when" },
  { line: "rest of the file unchanged", is: false, because: "a line of text" },
  { line: "// existing imports", is: false, because: "a heading" },
  { line: "// the value stays the same", is: false, because: "about a value" },
  { line: "// rest of the code follows below", is: false, because: "no ellipsis" },
  { line: "const [first, ...rest] = all;", is: false, because: "a spread" },
  { line: "return [...existing, code];", is: false, because: "a spread of a word in the list" },
  { line: "// Loading ... please wait", is: false, because: "an ellipsis in prose" },
  { line: "...", is: false, because: "Python's ellipsis" },
  {
    line: "console.log('loading the rest of the code...');",
    is: false,
    because: "a string in code",
  },
  { line: "// TODO: handle the rest ...", is: false, because: "a note, not a placeholder" },
])("a placeholder for omitted code? $is: $line", ({ line, is }) => {
  expect(omissionIn(`a\n${line}\n`, "") !== undefined).toBe(is);
});

test("a placeholder that is already in the file is the file's own", () => {
  expect(omissionIn("// ... rest of the code ...\n", "x\n  // ... rest of the code ...")).toBe(
    undefined,
  );
});

const at = (file_path: string) => ({ file_path, content: "b" });

test("a folder, a pipe and a file in place of a folder are told apart", async () => {
  const host = memoryHost({ files: { "src/b.ts": "" } });
  host.control.plant("pipe", { kind: "fifo" });
  const bench = toolBench({ host });
  await expect(bench.call(write, at("src"))).rejects.toMatchObject({
    code: "IS_DIRECTORY",
    message: "src is a directory.",
    hint: "Give the path of a file in it.",
  });
  await expect(bench.call(write, at("pipe"))).rejects.toMatchObject({
    code: "NOT_A_FILE",
    hint: "Write to another path.",
  });
  await expect(bench.call(write, at("src/b.ts/c.ts"))).rejects.toMatchObject({
    code: "NOT_A_DIRECTORY",
    message: "src/b.ts is not a directory.",
    hint: "Give a path whose parents are directories.",
  });
});

test("a full disk leaves the old file, and no permission says so", async () => {
  for (const [fails, code] of [
    ["ENOSPC", "NO_SPACE"],
    ["EACCES", "ACCESS_DENIED"],
  ] as const) {
    const host = memoryHost({ files: { "a.ts": "one\n" } });
    const bench = toolBench({ host });
    await bench.call(read, { file_path: "a.ts" });
    host.control.fail({ path: "a.ts", operation: "writeAtomic", fails });

    await expect(bench.call(write, to("two"))).rejects.toMatchObject({
      code,
      hint: expect.stringMatching(/\w/u),
    });
    expect(host.control.texts()["/project/a.ts"]).toBe("one\n");
  }
});

test("binary content there now is replaced only when that is said, and not shown", async () => {
  const files = { "a.ts": Uint8Array.from([0, 1, 2]) };

  const result = await callTool(write, to("text", { overwrite: true }), { files });

  expect(result.metadata["diff"]).toBe("(the content before was not text)\n");
});

test.for(
  toolContract(write, [
    { name: "a new file", input: to("one\n") },
    { name: "a file in new folders", input: { file_path: "x/y/z.ts", content: "" } },
  ]),
)("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});

const wide = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

test.for([
  { name: "UTF-16LE", bytesOf: wide },
  { name: "UTF-16BE", bytesOf: (text: string): Buffer => wide(text).swap16() },
])("a $name file that was read stays one", async ({ name, bytesOf }) => {
  const bench = toolBench({ files: { "a.txt": bytesOf("one\r\ntwo\r\n") } });
  const { hash } = await bench.host.fs.readFile("/project/a.txt");
  bench.seenFiles.saw("/project/a.txt", { hash });

  const result = await bench.call(write, { file_path: "a.txt", content: "one \u00E9\n2\n" });

  const { bytes } = await bench.host.fs.readFile("/project/a.txt");
  expect(Buffer.from(bytes)).toEqual(bytesOf("one \u00E9\r\n2\r\n"));
  expect(result.text).toContain(
    `Kept its CRLF line endings and byte order mark and encoding, ${name}.`,
  );
  await expect(
    bench.call(write, { file_path: "a.txt", content: "one \u00E9\n2\n" }),
  ).resolves.toMatchObject({ summary: "no change" });
});

test("a binary file is not replaced, even if it was seen", async () => {
  const bench = toolBench({ files: { "a.bin": Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 1]) } });
  const { hash } = await bench.host.fs.readFile("/project/a.bin");
  bench.seenFiles.saw("/project/a.bin", { hash });

  await expect(bench.call(write, { file_path: "a.bin", content: "x" })).rejects.toMatchObject({
    code: "BINARY_FILE",
    message: "a.bin cannot be edited as text: it contains the beginning of a PNG image.",
  });
});

test("half a character is not written", async () => {
  const bench = toolBench();

  await expect(bench.call(write, { file_path: "a.txt", content: "x\uD83D" })).rejects.toMatchObject(
    { code: "INVALID_INPUT" },
  );
  expect(bench.files()).toEqual({});
});
