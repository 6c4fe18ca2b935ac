import { expect, test } from "vitest";
import { limitsWith } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { callTool, toolBench } from "../../testing/index.ts";
import { listDir } from "../list-dir/list-dir.ts";
import { read } from "./read.ts";

const files = {
  "src/a.ts": "12345",
  "src/deep/b.ts": "",
  "src/c.log": "",
  "src/.gitignore": "*.log\n",
};

test("of a folder the entries are shown, with their kinds, sizes and what is left out", async () => {
  const host = memoryHost({ files });
  host.control.plant("src/pipe", { kind: "fifo" });

  const result = await callTool(read, { file_path: "src" }, { host, workspace: "/project" });

  expect(result.text).toMatchInlineSnapshot(`
    "src/ (1 directory, 3 files)
      deep/
      .gitignore  6 B
      a.ts  5 B
      pipe  (fifo)
    (1 ignored file left out; ListDir with include_ignored shows them.)"
  `);
  expect(result).toMatchObject({
    title: "Listed src",
    summary: "1 directory, 3 files",
    metadata: { path: "/project/src", folders: 1, files: 3, ignored: 1 },
  });
});

test.for([".", "src", "src/deep", "empty", "to-src"])(
  "%s is shown as ListDir shows it",
  async (path) => {
    const host = memoryHost({ files });
    await host.fs.mkdir("/project/empty");
    host.control.plant("to-src", { kind: "symlink", target: "src" });
    const bench = toolBench({ host, workspace: "/project" });

    const result = await bench.call(read, { file_path: path, limit: 1 });

    const { text, title, summary, metadata, effects } = await bench.call(listDir, { path });
    expect(result).toMatchObject({ text, title, summary, metadata, effects });
  },
);

test("a folder is read as a tree, a file as a file", async () => {
  const bench = toolBench({ files });

  expect(await bench.effects(read, { file_path: "src" })).toEqual([
    { kind: "read", path: "/project/src", scope: "tree" },
  ]);
  expect(await bench.effects(read, { file_path: "src/a.ts" })).toEqual([
    { kind: "read", path: "/project/src/a.ts", scope: "file" },
  ]);
});

test("of more entries than fit it says how to find the others", async () => {
  const services = { limits: limitsWith({ listDir: { entries: 1 } }) };

  const result = await callTool(read, { file_path: "." }, { files: { a: "", b: "" }, services });

  expect(result.text).toBe(
    "./ (0 directories, 1 file shown, 1 more not)\n  a  0 B\n(1 more entry not shown; Glob finds them by a pattern of their names.)",
  );
});
