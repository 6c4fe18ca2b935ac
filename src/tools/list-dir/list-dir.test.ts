import { expect, test } from "vitest";
import { limitsWith } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { callTool, toolBench, toolContract } from "../../testing/index.ts";
import { listDir } from "./list-dir.ts";

const files = {
  "README.md": "x".repeat(1234),
  "src/index.ts": "1",
  "src/core/errors.ts": "12",
  "src/core/deep/er.ts": "123",
  "node_modules/zod/index.js": "",
  ".gitignore": "*.log\n/out/\n",
  "debug.log": "",
  "out/a.js": "",
};

test("one level, folders first, with sizes; what is ignored is named or counted", async () => {
  const result = await callTool(listDir, {}, { files });

  expect(result.text).toMatchInlineSnapshot(`
    "./ (3 directories, 2 files)
      node_modules/  (ignored, not opened)
      out/  (ignored, not opened)
      src/
      .gitignore  12 B
      README.md  1.2 kB
    (1 ignored file left out; ListDir with include_ignored shows them.)"
  `);
  expect(result).toMatchObject({
    title: "Listed .",
    summary: "3 directories, 2 files",
    metadata: { path: "/project", folders: 3, files: 2, ignored: 1, withheld: 0 },
  });
});

test("more levels make a tree", async () => {
  const result = await callTool(listDir, { path: "src", depth: 2 }, { files });

  expect(result.text).toMatchInlineSnapshot(`
    "src/ (2 directories, 2 files)
      core/
        deep/
        errors.ts  2 B
      index.ts  1 B"
  `);
});

test("ignored things are shown when asked for", async () => {
  const result = await callTool(listDir, { depth: 2, include_ignored: true }, { files });

  expect(result.text).toContain("debug.log");
  expect(result.text).toContain("out/\n    a.js");
  expect(result.text).toContain("node_modules/\n    zod/");
  expect(result.text).not.toContain("ignored");
});

test("patterns of the call leave out what they name", async () => {
  const result = await callTool(listDir, { depth: 3, ignore: ["core/", "*.md"] }, { files });

  expect(result.text).not.toContain("errors.ts");
  expect(result.text).not.toContain("README");
  expect(result.text).toContain("index.ts");
});

test("a deeper ignore file holds below its folder, and may take a name back", async () => {
  const result = await callTool(
    listDir,
    { depth: 2 },
    {
      files: {
        ".gitignore": "*.tmp",
        "a.tmp": "",
        "sub/.gitignore": "!keep.tmp",
        "sub/keep.tmp": "",
        "sub/other.tmp": "",
      },
    },
  );

  expect(result.text).toContain("keep.tmp");
  expect(result.text).not.toContain("other.tmp");
  expect(result.metadata).toMatchObject({ ignored: 2 });
});

test("withheld entries are counted, never named", async () => {
  const result = await callTool(
    listDir,
    { depth: 3 },
    { files: { ...files, "secrets/key.txt": "" }, deny: ["secrets", "README.md"] },
  );

  expect(result.text).not.toContain("secrets");
  expect(result.text).not.toContain("README");
  expect(result.text).toContain("2 entries withheld by permission rules.");
});

test("500 entries are shown, level by level, and the rest is counted", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [`a/${String(index).padStart(3, "0")}.txt`, ""]),
  );

  const result = await callTool(listDir, { depth: 2 }, { files: { ...many, "z.txt": "" } });

  expect(result.metadata).toMatchObject({ files: 499, folders: 1, notShown: 102 });
  expect(result.text).toContain("z.txt");
  expect(result.text).toContain(
    "102 more entries not shown; list one of the directories, or give a smaller depth.",
  );
});

test.for([
  { count: 20_000, isPartial: false },
  { count: 20_001, isPartial: true },
])("of a folder of $count entries some are not looked at: $isPartial", async (row) => {
  const many = Object.fromEntries(
    Array.from({ length: row.count }, (_, index) => [`a/${index}`, ""]),
  );

  const { text } = await callTool(listDir, { path: "a" }, { files: many });

  expect(text).toContain("19,500 more entries not shown");
  expect(text.includes("could not be read to their end")).toBe(row.isPartial);
});

test("links and pipes are named as such, and a link is not followed", async () => {
  const host = memoryHost({ files: { "real/a.txt": "" } });
  host.control.plant("link", { kind: "symlink", target: "/project/real" });
  host.control.plant("pipe", { kind: "fifo" });
  host.control.plant("two\nlines", { kind: "file", content: "" });
  host.control.plant("gpj.\u202Ecod", { kind: "file", content: "" });

  const result = await callTool(listDir, { depth: 3 }, { host });

  expect(result.text).toMatchInlineSnapshot(`
    "./ (1 directory, 5 files)
      real/
        a.txt  0 B
      "gpj.\\u202ecod"  0 B
      link -> /project/real  (link)
      pipe  (fifo)
      "two\\nlines"  0 B"
  `);
});

test("a link to something missing is called broken, as far as the listing may tell", async () => {
  const host = memoryHost({ files: { "in/real.txt": "" } });
  host.control.plant("in/gone", { kind: "symlink", target: "nowhere" });
  host.control.plant("in/away", { kind: "symlink", target: "/etc/nothing" });

  expect((await callTool(listDir, { path: "in" }, { host })).text).toMatchInlineSnapshot(`
    "in/ (0 directories, 3 files)
      away -> /etc/nothing  (link)
      gone -> nowhere  (broken link)
      real.txt  0 B"
  `);
});

test("rules of the repository above hold, and a folder asked for by name is opened", async () => {
  const repository = {
    ".git/HEAD": "",
    ".gitignore": "*.log\nout/\n",
    "sub/a.log": "",
    "sub/b.txt": "",
    "out/c.log": "",
  };

  expect((await callTool(listDir, { path: "sub" }, { files: repository })).text)
    .toMatchInlineSnapshot(`
      "sub/ (0 directories, 1 file)
        b.txt  0 B
      (1 ignored file left out; ListDir with include_ignored shows them.)"
    `);
  expect((await callTool(listDir, { path: "out" }, { files: repository })).text)
    .toMatchInlineSnapshot(`
      "out/ (0 directories, 1 file)
        c.log  0 B"
    `);
});

test("the limit of the toolkit holds", async () => {
  const services = { limits: limitsWith({ listDir: { entries: 1 } }) };
  const result = await callTool(listDir, {}, { files: { a: "", b: "", c: "" }, services });

  expect(result.metadata).toMatchObject({ files: 1, notShown: 2 });
});

test("an empty folder is said to be empty", async () => {
  const host = memoryHost();
  host.control.plant("void", { kind: "directory" });

  expect((await callTool(listDir, { path: "void" }, { host })).text).toBe("void/ is empty.");
});

test("a folder below that cannot be read does not hide the others", async () => {
  const host = memoryHost({ files });
  host.control.fail({ path: "src/core", operation: "list", fails: "EACCES" });

  const result = await callTool(listDir, { path: "src", depth: 2 }, { host });

  expect(result.text).toContain("index.ts");
  expect(result.text).toContain("Some directories could not be read to their end.");
});

test("the folder asked for must be readable", async () => {
  const host = memoryHost({ files });
  host.control.fail({ path: "src", operation: "list", fails: "EACCES" });

  await expect(callTool(listDir, { path: "src" }, { host })).rejects.toMatchObject({
    code: "ACCESS_DENIED",
  });
});

test("a file and a missing folder are told apart", async () => {
  await expect(callTool(listDir, { path: "README.md" }, { files })).rejects.toMatchObject({
    code: "NOT_A_DIRECTORY",
    message: "README.md is not a directory.",
    hint: "Use Read to see a file.",
  });
  await expect(callTool(listDir, { path: "scr" }, { files })).rejects.toMatchObject({
    code: "NOT_FOUND",
    hint: "Did you mean src?",
  });
});

test("a listing declares the tree", async () => {
  expect(await toolBench({ files }).effects(listDir, { path: "src" })).toEqual([
    { kind: "read", path: "/project/src", scope: "tree" },
  ]);
});

test.for(
  toolContract(listDir, [
    { name: "the working directory", input: {}, files },
    { name: "a tree", input: { depth: 4 }, files },
  ]),
)("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
