import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import {
  chmod,
  mkdir,
  readlink,
  mkdtemp,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createToolkit, type Kit } from "../../src/index.ts";

let folder = "";
let kit: Kit | undefined;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-undo-")));
  await mkdir(path.join(folder, "work"));
});
afterEach(async () => {
  await kit?.dispose();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, "work", name);

/** Commands with nothing between them and the files. */
async function onRealFiles() {
  const opened = await createToolkit({
    workspace: at(""),
    dataDirectory: path.join(folder, "data"),
    mode: "bypassPermissions",
    sandbox: { require: "off", overlay: "off" },
  });
  kit = opened;
  return {
    undo: async () => await opened.undo(),
    bash: async (command: string) => await opened.call({ name: "Bash", input: { command } }),
  };
}

/** Everything below a folder: what it is, its mode, and its content byte for byte. */
function everything(directory: string): Readonly<Record<string, string>> {
  const found: [string, string][] = [];
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const file = path.join(directory, name);
    const stats = lstatSync(file);
    const mode = stats.mode.toString(8);
    if (stats.isSymbolicLink()) found.push([name, `link to ${readlinkSync(file)}`]);
    else if (stats.isDirectory()) found.push([name, mode]);
    else found.push([name, `${mode} ${readFileSync(file, "hex")}`]);
  }
  return Object.fromEntries(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const notebook = `{\r\n "cells": [\r\n  {"cell_type": "code", "execution_count": 3, "metadata": {}, "outputs": [{"data": 1.0}], "source": ["x"]}\r\n ], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}`;

const files: readonly (readonly [name: string, mode: number, content: Uint8Array])[] = [
  ["changed.txt", 0o600, Buffer.from("\uFEFFone\r\ntwo")],
  ["wide.txt", 0o640, Buffer.from("\uFEFFone\r\ntwo\r\n", "utf16le")],
  ["moved.sh", 0o755, Buffer.from("#!/bin/sh\necho one\n")],
  ["deep/deleted.txt", 0o400, Buffer.from("")],
  ["a.ipynb", 0o664, Buffer.from(notebook)],
  [".gitignore", 0o606, Buffer.from("*.log\r\n!keep.log")],
];

const patch = [
  "*** Begin Patch",
  "*** Update File: changed.txt",
  "@@",
  "-two",
  "+2",
  "*** Update File: linked.txt",
  "@@",
  "-one",
  "+\u{1F600}",
  "*** Update File: moved.sh",
  "*** Move to: new/place/moved.sh",
  "@@",
  "-echo one",
  "+echo two",
  "*** Add File: new/added.txt",
  "+three",
  "*** Delete File: deep/deleted.txt",
  "*** End Patch",
].join("\n");

test.for<{ readonly name: string; readonly input: object; readonly touched: readonly string[] }>([
  {
    name: "ApplyPatch",
    input: { patch },
    touched: ["changed.txt", "wide.txt", "moved.sh", "new/place/moved.sh", "new/added.txt"],
  },
  {
    name: "NotebookEdit",
    input: { notebook_path: "a.ipynb", cell_number: 1, new_source: "y" },
    touched: ["a.ipynb"],
  },
  {
    name: "NotebookEdit",
    input: { notebook_path: "a.ipynb", cell_number: 1, edit_mode: "delete" },
    touched: ["a.ipynb"],
  },
  { name: "Gitignore", input: { action: "add", patterns: ["dist/"] }, touched: [".gitignore"] },
  {
    name: "Gitignore",
    input: { action: "add", patterns: ["dist/"], file: "deep/.gitignore" },
    touched: ["deep/.gitignore"],
  },
  {
    name: "Edit",
    input: { file_path: "wide.txt", old_string: "two", new_string: "2" },
    touched: ["wide.txt"],
  },
  { name: "Write", input: { file_path: "changed.txt", content: "2\n" }, touched: ["changed.txt"] },
])("undo of $name brings back bytes, modes and existence, and redo what it left", async (each) => {
  const work = path.join(folder, "work");
  await mkdir(path.join(work, "deep"));
  for (const [name, mode, content] of files) {
    await writeFile(path.join(work, name), content);
    await chmod(path.join(work, name), mode);
  }
  await symlink("wide.txt", path.join(work, "linked.txt"));
  kit = await createToolkit({
    workspace: work,
    dataDirectory: path.join(folder, "data"),
    mode: "bypassPermissions",
  });
  for (const file_path of [...files.map(([name]) => name), "linked.txt"]) {
    await kit.call({ name: "Read", input: { file_path } });
  }
  const before = everything(work);

  const outcome = await kit.call({ name: each.name, input: each.input });
  const after = everything(work);
  await kit.undo({ last: 1 });
  const undone = everything(work);
  await kit.redo();

  expect(outcome.error).toBeUndefined();
  for (const name of each.touched) expect(after[name]).not.toBe(before[name]);
  expect(undone).toEqual(before);
  expect(everything(work)).toEqual(after);
});

// Elsewhere a file system takes no such name.
test.skipIf(process.platform !== "linux")(
  "a file whose name is not text is not stored, and only a call that removes it says so",
  async () => {
    const odd = Buffer.concat([Buffer.from(at("d/b")), Buffer.from([0xff])]);
    await mkdir(at("d"));
    await writeFile(at("d/good"), "good");
    await writeFile(odd, "odd");
    const { undo, bash } = await onRealFiles();

    const changed = await bash("chmod -R g-r d");
    const removed = await bash("rm -r d");
    const undone = await undo();

    expect(changed).toMatchObject({ undo: { level: "full" } });
    expect(removed).toMatchObject({
      undo: { level: "partial" },
      text: expect.stringContaining("its name is not text, so it could not be restored"),
    });
    expect(undone.skipped).toMatchObject([{ path: at("d/b\uFFFD") }]);
    expect(readdirSync(at("d"))).toEqual(["good"]);
  },
);

test.skipIf(process.platform !== "linux")(
  "a link whose target is not text is not stored, nor restored as another one",
  async () => {
    const odd = Buffer.from([0x78, 0xff, 0x79]);
    await symlink(odd, at("odd"));
    await writeFile(at("kept"), "0");
    await mkdir(at("d"));
    await symlink(odd, at("d/stays"));
    const { undo, bash } = await onRealFiles();

    const added = await bash("touch d/new; chmod -R g-r d");
    const moved = await bash("mv odd other; echo 1 > kept");
    const undone = await undo();

    expect(added).toMatchObject({ undo: { level: "full" } });
    expect(moved).toMatchObject({ undo: { level: "partial" } });
    expect(undone.skipped).toMatchObject([
      { path: at("odd"), because: "its target is not text, so it could not be restored" },
    ]);
    expect(undone.kept).toMatchObject([{ path: at("other") }]);
    expect(readdirSync(at(".")).toSorted()).toEqual(["d", "kept", "other"]);
    expect(readFileSync(at("kept"), "utf8")).toBe("0");
    expect(await readlink(at("other"), "buffer")).toEqual(odd);
    expect(await readlink(at("d/stays"), "buffer")).toEqual(odd);
  },
);

test("a binary file that a patch deleted is back byte by byte after undo", async () => {
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff, 0xfe]);
  await writeFile(at("image.png"), bytes, { mode: 0o640 });
  const before = everything(at(""));
  await onRealFiles();
  const deletion = "*** Begin Patch\n*** Delete File: image.png\n*** End Patch";

  const outcome = await kit?.call({ name: "ApplyPatch", input: { patch: deletion } });
  const between = everything(at(""));
  await kit?.undo();

  expect(outcome).toMatchObject({ status: "ok", effects: expect.any(Array) });
  expect(between).toEqual({});
  expect(everything(at(""))).toEqual(before);
});
