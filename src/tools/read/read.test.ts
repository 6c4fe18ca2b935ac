import { expect, test } from "vitest";
import { limitsWith, type Host } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { callTool, toolBench, toolContract } from "../../testing/index.ts";
import { read } from "./read.ts";

const lines = (count: number, text = "line"): string =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}\n`).join("");

test("lines come numbered, and the whole file is announced as such", async () => {
  const result = await callTool(read, { file_path: "a.ts" }, { files: { "a.ts": "one\n\ttwo" } });

  expect(result.text).toMatchInlineSnapshot(`
    "1	one
    2		two"
  `);
  expect(result).toMatchObject({
    title: "Read a.ts",
    summary: "2 lines",
    metadata: { path: "/project/a.ts", totalLines: 2, firstLine: 1, lastLine: 2, size: 8 },
  });
});

test("a page names the offset that comes next", async () => {
  const files = { "a.txt": lines(5) };

  const result = await callTool(read, { file_path: "a.txt", offset: 2, limit: 2 }, { files });

  expect(result.text).toMatchInlineSnapshot(`
    "2	line 2
    3	line 3
    (Lines 2 to 3 of 5. Continue with offset 4.)"
  `);
  expect(result.metadata).toMatchObject({ next: 4, firstLine: 2, lastLine: 3, totalLines: 5 });
});

test("offset 0 is taken as 1", async () => {
  const files = { "a.txt": "one\ntwo\n" };

  const result = await callTool(read, { file_path: "a.txt", offset: 0, limit: 1 }, { files });

  expect(result.text).toContain("1\tone");
});

test("an offset past the end tells the model the real length", async () => {
  const call = callTool(
    read,
    { file_path: "a.txt", offset: 9 },
    { files: { "a.txt": "one\ntwo" } },
  );

  await expect(call).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "a.txt has only 2 lines.",
    hint: "Use an offset of at most 2.",
  });
});

test("2,000 lines are shown unless a limit says otherwise", async () => {
  const files = { "a.txt": lines(2001, "x") };

  const first = await callTool(read, { file_path: "a.txt" }, { files });
  const all = await callTool(read, { file_path: "a.txt", limit: 5000 }, { files });

  expect(first.metadata).toMatchObject({ lastLine: 2000, next: 2001, totalLines: 2001 });
  expect(all.metadata).toMatchObject({ lastLine: 2001 });
  expect(all.metadata).not.toHaveProperty("next");
});

test("a page is cut at 128 kB and names the next offset", async () => {
  const files = { "a.txt": `${"x".repeat(999)}\n`.repeat(200) };

  const result = await callTool(read, { file_path: "a.txt" }, { files });

  expect(result.text.length).toBeLessThan(132_000);
  expect(result.metadata).toMatchObject({ lastLine: 130, next: 131, totalLines: 200 });
  expect(result.text).toMatch(
    /\(Lines 1 to 130 of 200; the page is full at 128 kB, about 32,603 tokens\. Continue with offset 131\.\)$/u,
  );
});

test("a page of a thousand tokens or more says how many", async () => {
  const told = new Set<boolean>();
  for (let limit = 90; limit <= 160; limit++) {
    const files = { a: lines(200, "some words of a log line") };
    const { text, metadata } = await callTool(read, { file_path: "a", limit }, { files });
    const tokens = Number(metadata["estimatedTokens"]);
    told.add(tokens >= 1000);

    expect(text.includes(`, about ${tokens.toLocaleString("en-US")} tokens.`)).toBe(tokens >= 1000);
  }
  expect(told.size).toBe(2);
});

test("a long line is cut and says how long it is", async () => {
  const files = { "a.txt": `${"y".repeat(1999)}\u{1F600}z\nshort\n` };

  const result = await callTool(read, { file_path: "a.txt" }, { files });

  expect(result.text).toBe(
    `1\t${"y".repeat(1999)} … [line cut here; it has 2004 bytes]\n2\tshort\n(Long lines are shown in part: 2000 characters. To go on in line 1 use offset 1, limit 1 and column 2001; Grep shows the part around a match.)`,
  );
});

const wide = "abcdefgh".repeat(12);
/** 11 MB. */
const huge = new TextEncoder().encode(lines(110_000, wide));

test("a file over 10 MB wants an offset or a limit, and then costs its page", async () => {
  const files = { "big.log": huge };
  const bench = toolBench({ files });

  await expect(bench.call(read, { file_path: "big.log" })).rejects.toMatchObject({
    code: "TOO_LARGE",
    message: "big.log has 11.3 MB, too much to read whole.",
    hint: "Read a page of it with offset and limit, or find the lines you need with Grep.",
  });
  const result = await bench.call(read, { file_path: "big.log", offset: 3, limit: 2 });
  expect(result.text).toBe(`3\t${wide} 3\n4\t${wide} 4\n(Lines 3 to 4. Continue with offset 5.)`);
  expect(result.metadata).not.toHaveProperty("totalLines");
  expect(bench.seenFiles.view("/project/big.log")).toMatchObject({ ranges: [[3, 4]] });
});

test("parts of a file come in one call, and lines past the end are reported", async () => {
  const files = { "a.txt": lines(9) };
  const ranges = [{ offset: 8, limit: 1 }, { offset: 2, limit: 2 }, { offset: 40 }];
  const bench = toolBench({ files });

  const result = await bench.call(read, { file_path: "a.txt", ranges });

  expect(result.text).toMatchInlineSnapshot(`
    "2	line 2
    3	line 3
    ...
    8	line 8
    (Lines 2 to 3, 8 of 9. No such lines: 40 to 2039.)"
  `);
  expect(result.metadata).toMatchObject({
    ranges: [
      [2, 3],
      [8, 8],
    ],
    totalLines: 9,
  });
  expect(bench.seenFiles.view("/project/a.txt")?.ranges).toEqual([
    [2, 3],
    [8, 8],
  ]);
});

const parts = (count: number) => ({
  file_path: "a",
  ranges: Array.from({ length: count }, (_, index) => ({ offset: 2 * index + 1, limit: 1 })),
});

test("fifty parts come in one call and no more", async () => {
  const files = { a: lines(200) };

  expect((await callTool(read, parts(50), { files })).metadata).toMatchObject({ shownLines: 50 });
  await expect(callTool(read, parts(51), { files })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

test("parts and a single page do not go together", async () => {
  const input = { file_path: "a", offset: 1, ranges: [{ offset: 2 }] };

  await expect(callTool(read, input, { files: { a: "x" } })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "Read takes either offset and limit, or ranges.",
  });
});

test("the rest of a long line is shown by column", async () => {
  const files = { "a.txt": `${"x".repeat(2500)}end\n` };

  const result = await callTool(read, { file_path: "a.txt", column: 2001 }, { files });

  expect(result.text).toBe(`1\t… ${"x".repeat(500)}end`);
});

test("the toolkit's limits hold: lines, bytes of a page, size of a file, length of a line", async () => {
  const given = limitsWith({ read: { lines: 3, pageBytes: 24, wholeBytes: 100, lineChars: 10 } });
  const bench = toolBench({
    files: { "a.txt": lines(5), "b.txt": `${"y".repeat(12)}\n`, "c.txt": lines(20) },
    services: { limits: given },
  });

  expect((await bench.call(read, { file_path: "a.txt" })).metadata).toMatchObject({ next: 3 });
  expect((await bench.call(read, { file_path: "b.txt" })).text).toContain(`${"y".repeat(10)} …`);
  await expect(bench.call(read, { file_path: "c.txt" })).rejects.toMatchObject({
    code: "TOO_LARGE",
  });
});

test("a page of a huge file begins at the nearest line start that was met before", async () => {
  const memory = memoryHost({ files: { "big.log": huge } });
  const offsets: number[] = [];
  const fs = new Proxy(memory.fs, {
    get(target, key) {
      if (key === "open") {
        return (path: string, options?: { readonly offset?: number }) => {
          offsets.push(options?.offset ?? 0);
          return target.open(path, options);
        };
      }
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const { id, info, proc, net, search, clock } = memory;
  const host: Host = { id, info, fs, proc, net, search, clock, [Symbol.asyncDispose]: nothing };
  const bench = toolBench({ host, workspace: "/project" });
  const input = { file_path: "big.log", offset: 99_500, limit: 1 };

  const first = await bench.call(read, input);
  const again = await bench.call(read, input);
  const before = await bench.call(read, { ...input, offset: 1500 });

  expect(first.text).toMatch(/^99500\t(?:abcdefgh){12} 99500\n/u);
  expect(again.text).toBe(first.text);
  expect(before.text).toMatch(/^1500\t(?:abcdefgh){12} 1500\n/u);
  expect(offsets[0]).toBe(0);
  expect(offsets[1]).toBeGreaterThan(10_000_000);
  expect(offsets[2]).toBe(lines(1000, wide).length);

  await memory.fs.writeAtomic("/project/big.log", Buffer.from(lines(110_001, "z")));
  const changed = await bench.call(read, input);
  expect(changed.text).toMatch(/^99500\tz 99500\n/u);
});

async function nothing(): Promise<void> {
  // The host belongs to the bench.
}

test("a huge file is never read whole", async () => {
  const host = memoryHost({ files: { "big.log": huge } });
  const whole: number[] = [];
  const readFile = host.fs.readFile.bind(host.fs);
  host.fs.readFile = async (...input) => {
    const file = await readFile(...input);
    whole.push(file.bytes.length);
    return file;
  };

  const result = await callTool(read, { file_path: "big.log", limit: 1 }, { host });

  expect(whole).toEqual([]);
  expect(result.metadata).toMatchObject({ firstLine: 1, lastLine: 1, next: 2 });
});

test("an empty file is said to be empty", async () => {
  const result = await callTool(read, { file_path: "a.txt" }, { files: { "a.txt": "" } });

  expect(result.text).toBe("(a.txt is empty (0 bytes).)");
  expect(result.summary).toBe("empty");
});

test.for([
  { text: "a\r\nb\r\n", shown: "1\ta\n2\tb", lineEndings: "crlf" },
  { text: "a\r\nb\n", shown: "1\ta\n2\tb", lineEndings: "mixed" },
  { text: "\uFEFFa\nb", shown: "1\ta\n2\tb", lineEndings: "lf" },
  { text: "a\rb", shown: "1\ta\rb", lineEndings: "none" },
])("line endings and byte order marks are not shown: $text", async (row) => {
  const result = await callTool(read, { file_path: "a" }, { files: { a: row.text } });

  expect(result.text).toBe(row.shown);
  expect(result.metadata).toMatchObject({ lineEndings: row.lineEndings });
});

test.for([
  { name: "a NUL byte", bytes: [65, 0, 66], says: "is not text: it has a NUL byte at its start." },
  {
    name: "what no encoding has",
    bytes: [0x81, 2, 0xfe, 0xff, 1],
    says: "is not text: it has bytes that are not UTF-8.",
  },
  {
    name: "a ZIP archive",
    bytes: [0x50, 0x4b, 3, 4, 0, 9],
    says: "is a ZIP archive, not text.",
  },
  {
    name: "a gzip archive",
    bytes: [0x1f, 0x8b, 8, 0, 0x99],
    says: "is a gzip archive, not text.",
  },
  {
    name: "an MP4 video",
    bytes: [0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70],
    says: "is an MP4 video, not text.",
  },
])("$name makes a file binary", async ({ bytes, says }) => {
  const call = callTool(read, { file_path: "a" }, { files: { a: Uint8Array.from(bytes) } });

  await expect(call).rejects.toMatchObject({
    code: "BINARY_FILE",
    message: `a ${says}`,
    hint: expect.stringMatching(/./u),
  });
});

test.for(["fifo", "socket", "device"] as const)("a %s is never opened", async (kind) => {
  const host = memoryHost();
  host.control.plant("pipe", { kind });

  await expect(callTool(read, { file_path: "pipe" }, { host })).rejects.toMatchObject({
    code: "NOT_A_FILE",
    message: `pipe is a ${kind}, not a regular file.`,
    hint: "Only regular files and directories can be read.",
  });
});

test.for([
  { fails: "EACCES", code: "ACCESS_DENIED" },
  { fails: "ENOENT", code: "NOT_FOUND" },
])("$fails is passed on as $code", async ({ fails, code }) => {
  const host = memoryHost({ files: { a: "x" } });
  host.control.fail({ path: "a", operation: "readFile", fails });

  await expect(callTool(read, { file_path: "a" }, { host })).rejects.toMatchObject({ code });
});

test("an aborted read is ABORTED", async () => {
  const call = callTool(
    read,
    { file_path: "a" },
    { files: { a: "x" }, signal: AbortSignal.abort() },
  );

  await expect(call).rejects.toMatchObject({ code: "ABORTED" });
});

test("what was shown is remembered: the whole file, or the lines of a page, which add up", async () => {
  const bench = toolBench({ files: { "a.txt": lines(6) } });
  const view = () => bench.seenFiles.view("/project/a.txt");

  await bench.call(read, { file_path: "a.txt", limit: 2 });
  expect(view()).toEqual({ hash: expect.stringMatching(/^sha256:/u), ranges: [[1, 2]] });
  await bench.call(read, { file_path: "a.txt", offset: 5 });
  expect(view()?.ranges?.toSorted((one, other) => one[0] - other[0])).toContainEqual([5, 6]);
  expect(view()?.ranges).toContainEqual([1, 2]);
  await bench.call(read, { file_path: "a.txt" });
  expect(view()).not.toHaveProperty("ranges");
});

test.for([
  { why: "no path", input: {} },
  { why: "an object for a path", input: { file_path: { name: "a" } } },
  { why: "an empty path", input: { file_path: "" } },
  { why: "a negative offset", input: { file_path: "a", offset: -1 } },
  { why: "a limit of none", input: { file_path: "a", limit: 0 } },
  { why: "a key nobody knows", input: { file_path: "a", lines: 3 } },
])("$why is INVALID_INPUT", async ({ input }) => {
  await expect(callTool(read, input)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("does not fit its schema"),
    hint: expect.stringContaining("An input that fits"),
  });
});

test("the names other agents use for the path are understood", async () => {
  for (const key of ["path", "filePath"]) {
    const result = await callTool(read, { [key]: "a" }, { files: { a: "one" } });
    expect(result.text).toContain("one");
    expect(result.repairs).toHaveLength(1);
  }
});

test.for(
  toolContract(read, [
    { name: "a small file", input: { file_path: "a.txt" }, files: { "a.txt": "one\n" } },
    { name: "an empty file", input: { file_path: "a.txt" }, files: { "a.txt": "" } },
  ]),
)("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
