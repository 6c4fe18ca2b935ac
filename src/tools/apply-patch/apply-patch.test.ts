import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { toolBench, toolContract, type ToolBench } from "../../testing/index.ts";
import { read } from "../read/read.ts";
import { applyPatch } from "./apply-patch.ts";

const patch = (...lines: readonly string[]) => ({
  patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
});

/** A bench in which every file was read. */
async function seen(files: Readonly<Record<string, string>>): Promise<ToolBench> {
  const bench = toolBench({ files });
  for (const file_path of Object.keys(files)) await bench.call(read, { file_path });
  return bench;
}

const everything = patch(
  "*** Update File: a.ts",
  "@@",
  "-one",
  "+1",
  "*** Update File: b.ts",
  "*** Move to: moved/b.ts",
  "@@",
  "-two",
  "+2",
  "*** Add File: new/c.ts",
  "+three",
  "*** Delete File: d.ts",
);
const four = { "a.ts": "one\n", "b.ts": "two\n", "d.ts": "four\n" };

test("files are changed, moved, added and deleted in one call", async () => {
  const bench = await seen(four);

  const result = await bench.call(applyPatch, everything);

  expect(bench.files()).toEqual({ "a.ts": "1\n", "moved/b.ts": "2\n", "new/c.ts": "three\n" });
  expect(result.text).toMatchInlineSnapshot(`
    "Changed a.ts
    Moved b.ts to moved/b.ts
    Added new/c.ts
    Deleted d.ts
    (3 added, 3 removed)"
  `);
  expect(result).toMatchObject({
    title: "Patched 4 files",
    summary: "3 added, 3 removed",
    metadata: {
      files: [
        { path: "/project/a.ts", change: "update" },
        { path: "/project/moved/b.ts", change: "move", from: "/project/b.ts" },
        { path: "/project/new/c.ts", change: "add" },
        { path: "/project/d.ts", change: "delete" },
      ],
    },
  });
});

test("every path is declared with what happens to it", async () => {
  const bench = await seen(four);

  expect(await bench.effects(applyPatch, everything)).toEqual([
    { kind: "read", path: "/project/a.ts", scope: "file" },
    { kind: "write", path: "/project/a.ts", scope: "file", change: "modify" },
    { kind: "read", path: "/project/b.ts", scope: "file" },
    { kind: "write", path: "/project/moved/b.ts", scope: "file", change: "create" },
    { kind: "write", path: "/project/b.ts", scope: "file", change: "delete" },
    { kind: "write", path: "/project/new/c.ts", scope: "file", change: "create" },
    { kind: "read", path: "/project/d.ts", scope: "file" },
    { kind: "write", path: "/project/d.ts", scope: "file", change: "delete" },
  ]);
  expect(await bench.effects(applyPatch, { patch: "nonsense" })).toEqual([]);
});

test("what was written can be patched again without reading it", async () => {
  const bench = await seen(four);
  await bench.call(applyPatch, everything);

  await bench.call(
    applyPatch,
    patch("*** Update File: moved/b.ts", "@@", "-2", "+II", "*** Delete File: new/c.ts"),
  );

  expect(bench.files()).toEqual({ "a.ts": "1\n", "moved/b.ts": "II\n" });
  expect(bench.seenFiles.view("/project/b.ts")).toBeUndefined();
});

test("one hunk that does not fit stops all of it, and each is reported", async () => {
  const bench = await seen({ "a.ts": "one\ntwo\n", "b.ts": "x\nx\n" });
  const input = patch(
    "*** Update File: a.ts",
    "@@",
    "-one",
    "+1",
    "@@",
    "-three",
    "+3",
    "*** Update File: b.ts",
    "@@",
    "-x",
    "+y",
    "*** Add File: c.ts",
    "+c",
  );

  const error: unknown = await bench.call(applyPatch, input).catch((cause: unknown) => cause);

  expect(bench.files()).toEqual({ "a.ts": "one\ntwo\n", "b.ts": "x\nx\n" });
  expect(error).toMatchObject({
    code: "NO_MATCH",
    data: {
      files: [
        {
          path: "a.ts",
          code: "NO_MATCH",
          hunks: [
            { status: "fits", line: 1 },
            { status: "refused", code: "NO_MATCH" },
          ],
        },
        { path: "b.ts", code: "AMBIGUOUS_MATCH" },
      ],
    },
  });
  expect(String(error)).toMatchInlineSnapshot(`
    "ToolError: 2 of 3 files cannot be changed, so none was.
    a.ts: Hunk 1 (line 3 of the patch): fits at line 1.
    Hunk 2 (line 6 of the patch): its old text does not occur in the file, and no line of it does.
    b.ts: Hunk 1 (line 10 of the patch): its lines may be at lines 1, 2. Add unchanged lines around them, or an @@ line with a line that occurs once above."
  `);
});

test("what was not read, or changed since, is not patched", async () => {
  const bench = toolBench({ files: { "a.ts": "one\ntwo\nthree\n" } });
  const last = patch("*** Update File: a.ts", "@@", "-three", "+3");
  await expect(bench.call(applyPatch, last)).rejects.toMatchObject({
    code: "NOT_READ",
    hint: "Read it, or the lines to change, then patch.",
  });
  await bench.call(read, { file_path: "a.ts", limit: 1 });
  await expect(bench.call(applyPatch, last)).rejects.toMatchObject({
    code: "NOT_READ",
    message: expect.stringContaining("Line 3 of a.ts was not read"),
  });
  await expect(bench.call(applyPatch, patch("*** Delete File: a.ts"))).rejects.toMatchObject({
    code: "NOT_READ",
    message: expect.stringContaining("Lines 2 to 3"),
  });
  await bench.call(applyPatch, patch("*** Update File: a.ts", "@@", "-one", "+1"));
  await bench.host.fs.writeAtomic("/project/a.ts", Buffer.from("else\n"));
  await expect(bench.call(applyPatch, last)).rejects.toMatchObject({ code: "STALE_READ" });
});

test("lines stay known in their new places after a patch of a part", async () => {
  const bench = toolBench({ files: { "a.ts": "one\ntwo\nthree\nfour\n" } });
  await bench.call(read, { file_path: "a.ts", limit: 2 });

  await bench.call(applyPatch, patch("*** Update File: a.ts", "@@", "-one", "+1", "+1b"));

  expect(bench.seenFiles.view("/project/a.ts")?.ranges).toEqual([[1, 3]]);
});

test.for([
  {
    name: "a file that is there is not added",
    lines: ["*** Add File: a.ts", "+x"],
    code: "ALREADY_EXISTS",
  },
  {
    name: "nothing is moved onto a file",
    lines: ["*** Update File: a.ts", "*** Move to: b.ts"],
    code: "ALREADY_EXISTS",
  },
  {
    name: "a missing file is not changed",
    lines: ["*** Update File: c.ts", "@@", "-x"],
    code: "NOT_FOUND",
  },
  { name: "a missing file is not deleted", lines: ["*** Delete File: c.ts"], code: "NOT_FOUND" },
  {
    name: "one file is changed by one section, also through a link",
    lines: ["*** Update File: a.ts", "@@", "-one", "+1", "*** Delete File: link.ts"],
    code: "INVALID_INPUT",
  },
  { name: "a broken patch says where", lines: ["hello"], code: "INVALID_INPUT" },
])("$name", async ({ lines, code }) => {
  const host = memoryHost({ files: { "a.ts": "one\n", "b.ts": "two\n" } });
  host.control.plant("link.ts", { kind: "symlink", target: "a.ts" });
  const bench = toolBench({ host });
  await bench.call(read, { file_path: "a.ts" });

  await expect(bench.call(applyPatch, patch(...lines))).rejects.toMatchObject({ code });
  expect(host.control.texts()).toEqual({ "/project/a.ts": "one\n", "/project/b.ts": "two\n" });
});

test("an only moved file keeps its bytes", async () => {
  const bench = await seen({ "a.ts": "one\r\ntwo" });

  await bench.call(applyPatch, patch("*** Update File: a.ts", "*** Move to: b.ts"));

  expect(bench.files()).toEqual({ "b.ts": "one\r\ntwo" });
});

const wide = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

test("a UTF-16 file stays one", async () => {
  const bench = toolBench({ files: { "a.txt": wide("one\r\ntwo\r\n") } });
  const { hash } = await bench.host.fs.readFile("/project/a.txt");
  bench.seenFiles.saw("/project/a.txt", { hash });

  await bench.call(applyPatch, patch("*** Update File: a.txt", "@@", " one", "-two", "+\u{1F600}"));

  const { bytes } = await bench.host.fs.readFile("/project/a.txt");
  expect(Buffer.from(bytes)).toEqual(wide("one\r\n\u{1F600}\r\n"));
});

test.for(
  toolContract(applyPatch, [
    {
      name: "everything at once",
      files: four,
      after: Object.keys(four).map((file_path) => ({ tool: read, input: { file_path } })),
      input: everything,
    },
  ]),
)("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});

test("a file whose first line was not seen is not deleted", async () => {
  const bench = toolBench({ files: { "d.ts": "one\ntwo\n" } });
  await bench.call(read, { file_path: "d.ts", offset: 2 });

  const call = bench.call(applyPatch, patch("*** Delete File: d.ts"));

  await expect(call).rejects.toMatchObject({ code: "NOT_READ" });
  expect(bench.files()).toEqual({ "d.ts": "one\ntwo\n" });
});

test("the result says how a hunk was read", async () => {
  const bench = await seen({ "a.ts": "one  \ntwo\n" });

  const result = await bench.call(
    applyPatch,
    patch("*** Update File: a.ts", "@@", " one", "-two", "+2"),
  );

  expect(result.text).toContain("Changed a.ts (read as: blanks at line ends left out of account)");
});

test("a file is patched in the encoding in which it was read; a character that lacks there changes no file", async () => {
  const bench = toolBench({
    files: {
      "a.txt": Buffer.from("b3 5c 0d 0a a5 5c 5c".replaceAll(" ", ""), "hex"),
      "b.txt": "one\n",
    },
  });
  await bench.call(read, { file_path: "a.txt", encoding: "big5" });
  await bench.call(read, { file_path: "b.txt" });
  const bytes = async (path: string): Promise<string> =>
    Buffer.from((await bench.host.fs.readFile(`/project/${path}`)).bytes).toString("hex");
  const inB = ["*** Update File: b.txt", "@@", "-one", "+two"];
  const inA = ["*** Update File: a.txt", "@@", " \u8A31", "-\u529F\\"];
  const both = (added: string) => patch(...inB, ...inA, `+${added}`);

  await expect(bench.call(applyPatch, both("caf\u00E9"))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: `a.txt is in big5, which has no "\u00E9" (U+00E9). Every file is as it was.`,
  });
  expect([await bytes("a.txt"), bench.files()["b.txt"]]).toEqual(["b35c0d0aa55c5c", "one\n"]);

  await bench.call(applyPatch, both("\u84CB/"));
  expect([await bytes("a.txt"), bench.files()["b.txt"]]).toEqual(["b35c0d0abb5c2f", "two\n"]);

  const move = ["*** Update File: a.txt", "*** Move to: c.txt", "@@", "-\u8A31", "+\u529F"];
  await bench.call(applyPatch, patch(...move));
  await bench.call(applyPatch, patch("*** Update File: c.txt", "@@", "-\u529F", "+\u8A31"));
  expect(await bytes("c.txt")).toBe("b35c0d0abb5c2f");
});

const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 0xff]);

test.for([
  { as: "a section of its own", lines: ["*** Delete File: image.png"] },
  {
    as: "git writes it",
    lines: [
      "diff --git a/image.png b/image.png",
      "deleted file mode 100644",
      "index 3f2a1bc..0000000",
      "Binary files a/image.png and /dev/null differ",
    ],
  },
])("a binary file is deleted without having been read, as $as", async ({ lines }) => {
  const bench = toolBench({ files: { "image.png": image, "a.ts": "one\n" } });
  await bench.call(read, { file_path: "a.ts" });

  const change = ["*** Update File: a.ts", "@@", "-one", "+two"];
  const result = await bench.call(applyPatch, patch(...change, ...lines));

  expect(bench.files()).toEqual({ "a.ts": "two\n" });
  expect(result.text).toContain("Deleted image.png (no text: it has ");
  expect(result.text).not.toContain("--- image.png");
});

test("a binary file that changed since it was seen is not deleted", async () => {
  const bench = toolBench({ files: { "image.png": image } });
  bench.seenFiles.saw("/project/image.png", { hash: "another" });

  const call = bench.call(applyPatch, patch("*** Delete File: image.png"));

  await expect(call).rejects.toMatchObject({ code: "STALE_READ" });
});

test("a text in an older encoding is not deleted before it was read", async () => {
  const bench = toolBench({ files: { "a.txt": Buffer.from("caf\xe9\n", "latin1") } });

  const call = bench.call(applyPatch, patch("*** Delete File: a.txt"));

  await expect(call).rejects.toMatchObject({ code: "NOT_READ" });
});
