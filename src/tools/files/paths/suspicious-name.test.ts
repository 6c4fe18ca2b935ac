import { describe, expect, test } from "vitest";
import { toolBench, type ToolBench } from "../../../testing/index.ts";
import { applyPatch } from "../../apply-patch/apply-patch.ts";
import { edit } from "../../edit/edit.ts";
import { gitignore } from "../../gitignore/gitignore.ts";
import { glob } from "../../glob/glob.ts";
import { grep } from "../../grep/grep.ts";
import { listDir } from "../../list-dir/list-dir.ts";
import { notebookEdit } from "../../notebook-edit/notebook-edit.ts";
import { read } from "../../read/read.ts";
import { write } from "../../write/write.ts";

const files = { "src/a.ts": "one\n" };

/** Each refers to `src/a.ts` or to a file next to it in a form that no file system resolves. */
const forms = [
  { path: "file:///project/src/new.ts", plain: "/project/src/new.ts" },
  { path: "https://example.com/new.ts", plain: undefined },
  { path: "~/new.ts", plain: "/home/user/new.ts" },
  { path: "~root/new.ts", plain: undefined },
  { path: "$HOME/new.ts", plain: "/home/user/new.ts" },
  { path: "C:\\src\\new.ts", plain: undefined },
  { path: '"src/new.ts"', plain: "src/new.ts" },
  { path: "`src/new.ts`", plain: "src/new.ts" },
  { path: "src/new.ts ", plain: "src/new.ts" },
];

const mentions = [
  { path: "@src/new.ts", plain: "src/new.ts" },
  { path: "src\\new.ts", plain: "src/new.ts" },
  { path: "src/new/", plain: undefined },
];

const making = [
  { tool: write, input: (path: string) => ({ file_path: path, content: "x" }) },
  {
    tool: applyPatch,
    input: (path: string) => ({
      patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`,
    }),
  },
  {
    tool: applyPatch,
    input: (path: string) => ({
      patch: `*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: ${path}\n@@\n-one\n+two\n*** End Patch`,
    }),
  },
];

const opening = [
  { tool: read, input: (path: string) => ({ file_path: path }) },
  {
    tool: edit,
    input: (path: string) => ({ file_path: path, old_string: "a", new_string: "b" }),
  },
  {
    tool: notebookEdit,
    input: (path: string) => ({ notebook_path: path, cell_id: "a", new_source: "b" }),
  },
  { tool: glob, input: (path: string) => ({ pattern: "*", path }) },
  { tool: glob, input: (path: string) => ({ pattern: path }) },
  { tool: grep, input: (path: string) => ({ pattern: "one", path }) },
  { tool: listDir, input: (path: string) => ({ path }) },
];

async function seen(bench: ToolBench): Promise<ToolBench> {
  await bench.call(read, { file_path: "src/a.ts" });
  return bench;
}

describe.each(making)("$tool.name", ({ tool, input }) => {
  test.each([...forms, ...mentions])("makes no file of the name $path", async ({ path, plain }) => {
    // The patch parser trims blanks from a path.
    if (tool === applyPatch && path.trim() !== path) return;
    const bench = await seen(toolBench({ files }));

    // It refuses some paths itself, because they are absolute.
    const told = plain === undefined || tool === applyPatch ? "" : `Pass the plain path: ${plain}`;

    const call = bench.call(tool, input(path));

    await expect(call).rejects.toMatchObject({
      code: "INVALID_INPUT",
      hint: expect.stringContaining(told),
    });
    expect(bench.files()).toEqual(files);
  });

  test("makes one that is said to be meant", async () => {
    const bench = await seen(toolBench({ files }));

    await bench.call(tool, input("./file:/new.ts"));

    expect(Object.keys(bench.files())).toContain("file:/new.ts");
  });

  test("makes one in a folder that is there under that name", async () => {
    const bench = await seen(toolBench({ files: { ...files, "@src/b.ts": "" } }));

    await bench.call(tool, input("@src/new.ts"));

    expect(Object.keys(bench.files())).toContain("@src/new.ts");
  });
});

describe.each(opening)("$tool.name", ({ tool, input }) => {
  test.each(forms)("says what to pass for $path", async ({ path, plain }) => {
    const bench = toolBench({ files });

    await expect(bench.call(tool, input(path))).rejects.toMatchObject({
      code: "NOT_FOUND",
      hint: plain === undefined ? "Pass a plain path." : `Pass the plain path: ${plain}`,
    });
  });
});

test.each(forms)("a file that has the name $path is the one that is meant", async ({ path }) => {
  const bench = toolBench({ files: { [`/project/${path}`]: "one\n" } });

  const shown = await bench.call(read, { file_path: path });
  await bench.call(write, { file_path: path, content: "two\n" });

  expect(shown.text).toContain("one");
  expect(Object.values(bench.files())).toEqual(["two\n"]);
  expect(shown.effects).toEqual([
    {
      kind: "read",
      path: await bench.host.fs.canonical(path, { base: "/project" }),
      scope: "file",
    },
  ]);
});

test("an ignore file is made under no such name either", async () => {
  const bench = toolBench({ files });

  await expect(
    bench.call(gitignore, { action: "add", patterns: ["a"], file: "~/.gitignore" }),
  ).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "~ is not expanded in a path.",
    hint: "Pass the plain path: /home/user/.gitignore (or ./~/.gitignore for a file of this very name)",
  });
});

test("what is refused is said in one sentence and a path to pass", async () => {
  const bench = toolBench({ files });
  const said = async (path: string) =>
    bench.call(write, { file_path: path, content: "x" }).then(
      () => "written",
      (error: unknown) => (error instanceof Error ? error.message : ""),
    );

  expect(await Promise.all([...forms, ...mentions].map(({ path }) => said(path))))
    .toMatchInlineSnapshot(`
      [
        "file:///project/src/new.ts is a URL, and no path.",
        "https://example.com/new.ts is a URL, and no path. Only files are opened here.",
        "~ is not expanded in a path.",
        "~ is not expanded in a path.",
        "Variables are not expanded in a path.",
        "C:\\src\\new.ts is a path of Windows; here a path begins with / or is relative.",
        ""src/new.ts" is in quotes, which would be part of the name.",
        "\`src/new.ts\` is in quotes, which would be part of the name.",
        ""src/new.ts " begins or ends with white space.",
        "@src/new.ts begins with the @ of a mention; src is there, @src is not.",
        "src\\new.ts has backslashes in its name; directories are separated by /.",
        "src/new/ ends with / and so names a directory.",
      ]
    `);
});
