import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { callTool, toolBench, toolContract } from "../../testing/index.ts";
import { read } from "../read/read.ts";
import { notebookEdit } from "./notebook-edit.ts";
import { runs } from "../../../test/support/law-runs.ts";

const cells = [
  { cell_type: "markdown", id: "m1", metadata: {}, source: ["# Title\n", "text"] },
  {
    cell_type: "code",
    execution_count: 7,
    id: "c1",
    metadata: { tags: ["a"] },
    outputs: [{ name: "stdout", output_type: "stream", text: ["1\n"] }],
    source: ["x = 1\n", "x"],
  },
  { cell_type: "code", execution_count: null, id: "c2", metadata: {}, outputs: [], source: [] },
];
const about = { metadata: { n: 1 }, nbformat: 4, nbformat_minor: 5 };
const notebook = (indent: number | string = 1, list: readonly unknown[] = cells): string =>
  `${JSON.stringify({ cells: list, ...about }, null, indent)}\n`;

interface Edit {
  readonly text?: string;
  readonly view?: object;
  readonly [key: string]: unknown;
}

async function edited({ text = notebook(), view, ...input }: Edit) {
  const bench = toolBench({ files: { "a.ipynb": text } });
  await bench.call(read, { file_path: "a.ipynb", ...view });
  const result = await bench.call(notebookEdit, { notebook_path: "a.ipynb", ...input });
  return { ...result, file: bench.files()["a.ipynb"] ?? "", bench };
}

test("a replaced cell loses its outputs, and nothing else changes", async () => {
  const { text, file, metadata } = await edited({ cell_id: "c1", new_source: "x = 2\nx" });

  expect(text).toMatchInlineSnapshot(
    `"Replaced cell 2 (code, id c1) in a.ipynb. Its outputs were cleared; run it again to have new ones."`,
  );
  const changed = [
    cells[0],
    { ...cells[1], execution_count: null, outputs: [], source: ["x = 2\n", "x"] },
    cells[2],
  ];
  expect(file).toBe(notebook(1, changed));
  expect(metadata).toMatchObject({ cell: 2, cellId: "c1", mode: "replace", cells: 3 });
});

test.for([
  { name: "one space", indent: 1 },
  { name: "four spaces", indent: 4 },
  { name: "tabs", indent: "\t" },
  { name: "one line", indent: "" },
])("the layout stays, and a cell comes, changes and goes again: $name", async ({ indent }) => {
  const text = notebook(indent);
  for (const place of [{}, { cell_id: "m1" }, { cell_number: 3 }]) {
    const bench = toolBench({ files: { "a.ipynb": text } });
    await bench.call(read, { file_path: "a.ipynb" });
    const edit = async (input: object) =>
      bench.call(notebookEdit, { notebook_path: "a.ipynb", ...input });

    const { metadata } = await edit({
      ...place,
      edit_mode: "insert",
      cell_type: "code",
      new_source: "a\nb\n",
    });
    const id = metadata["cellId"];
    const there = bench.files()["a.ipynb"] ?? "";
    expect(there).toBe(`${JSON.stringify(JSON.parse(there), null, indent)}\n`);
    await edit({ cell_id: id, cell_type: "markdown", new_source: "c" });
    const now = bench.files()["a.ipynb"] ?? "";
    expect(now).toBe(`${JSON.stringify(JSON.parse(now), null, indent)}\n`);
    await edit({ cell_id: id, edit_mode: "delete" });

    expect(bench.files()["a.ipynb"]).toBe(text);
  }
});

test("a new cell has an id of the allowed form, where the format asks for one", async () => {
  const input = { edit_mode: "insert", cell_type: "markdown", new_source: "hi" };

  const { file } = await edited(input);
  const { file: old } = await edited({
    ...input,
    text: notebook().replace('"nbformat_minor": 5', '"nbformat_minor": 4'),
  });

  expect(JSON.parse(file).cells[0]).toEqual({
    cell_type: "markdown",
    id: expect.stringMatching(/^[a-zA-Z0-9-_]{1,64}$/u),
    metadata: {},
    source: ["hi"],
  });
  expect(JSON.parse(old).cells[0]).not.toHaveProperty("id");
});

test("an empty notebook takes a cell and gives it back", async () => {
  const { file, bench } = await edited({
    text: notebook(1, []),
    edit_mode: "insert",
    cell_type: "raw",
    new_source: "x",
  });

  expect(file).toBe(`${JSON.stringify(JSON.parse(file), null, 1)}\n`);
  await bench.call(notebookEdit, { notebook_path: "a.ipynb", cell_number: 1, edit_mode: "delete" });
  expect(bench.files()["a.ipynb"]).toBe(notebook(1, []));
});

test("what JSON readers would change stays: numbers, escapes, line ends, a missing last newline", async () => {
  const text = `{\r\n "big": 12345678901234567890, "float": 1.0, "escaped": "caf\\u00e9 \\/",\r\n "cells": [\r\n  {"cell_type": "raw", "metadata": {"f": 2.50}, "source": "old"}\r\n ], "nbformat": 4}`;

  const { file } = await edited({ text, cell_number: 1, new_source: "n\u00E9w" });

  expect(file).toBe(text.replace('"old"', '"n\\u00e9w"'));
});

test.for([
  { because: "it had none", cell: '{"cell_type": "raw", "metadata": {"a": 1}}' },
  { because: "it had two", cell: '{"cell_type": "raw", "source": "old", "source": "older"}' },
])("a cell has the new source where $because", async ({ cell }) => {
  const text = `{"cells": [${cell}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}`;

  const { file } = await edited({ text, cell_number: 1, new_source: "new" });

  expect([JSON.parse(file).cells[0].source].flat()).toEqual(["new"]);
  expect(JSON.parse(file).cells[0].metadata).toEqual(JSON.parse(cell).metadata);
});

test("whatever the source says, it is what Read shows afterwards", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), async (source) => {
      fc.pre(source !== "x = 1\nx");
      const { file } = await edited({ cell_id: "c1", new_source: source });

      expect(JSON.parse(file).cells[1].source.join("")).toBe(source);
    }),
    { numRuns: runs(30) },
  );
});

test.for([
  { why: "no cell is named", input: { new_source: "x" }, code: "INVALID_INPUT" },
  { why: "the source is missing", input: { cell_id: "c1" }, code: "INVALID_INPUT" },
  {
    why: "a new cell has no type",
    input: { edit_mode: "insert", new_source: "x" },
    code: "INVALID_INPUT",
  },
  { why: "no cell has this id", input: { cell_id: "zz", new_source: "x" }, code: "NOT_FOUND" },
  { why: "there are fewer cells", input: { cell_number: 4, new_source: "x" }, code: "NOT_FOUND" },
  {
    why: "cell 0 does not exist",
    input: { cell_number: 0, edit_mode: "delete" },
    code: "NOT_FOUND",
  },
  {
    why: "id and number disagree",
    input: { cell_id: "c1", cell_number: 1, new_source: "x" },
    code: "NOT_FOUND",
  },
  {
    why: "nothing would change",
    input: { cell_id: "c1", new_source: "x = 1\nx" },
    code: "NO_CHANGE",
  },
])("a call is refused where $why", async ({ input, code }) => {
  await expect(edited(input)).rejects.toMatchObject({ code, hint: expect.stringMatching(/./u) });
});

test("two cells of one id are told apart by number", async () => {
  const text = notebook(1, [cells[2], cells[2]]);

  await expect(edited({ text, cell_id: "c2", new_source: "x" })).rejects.toMatchObject({
    code: "AMBIGUOUS_MATCH",
    hint: "Use cell_number: 1 or 2.",
  });
  const { file } = await edited({ text, cell_number: 2, new_source: "x" });
  expect(JSON.parse(file).cells[1].source).toEqual(["x"]);
});

test("a notebook must have been read, and not changed since", async () => {
  const host = memoryHost({ files: { "a.ipynb": notebook() } });
  const bench = toolBench({ host, workspace: "/project" });
  const input = { notebook_path: "a.ipynb", cell_id: "c1", new_source: "x" };

  await expect(bench.call(notebookEdit, input)).rejects.toMatchObject({ code: "NOT_READ" });
  await bench.call(read, { file_path: "a.ipynb" });
  await host.fs.writeAtomic("/project/a.ipynb", Buffer.from(notebook(2)));
  await expect(bench.call(notebookEdit, input)).rejects.toMatchObject({ code: "STALE_READ" });
  await bench.call(read, { file_path: "a.ipynb" });
  await bench.call(notebookEdit, input);
  await bench.call(notebookEdit, { ...input, new_source: "y" });
});

test("of a notebook read in part only the cells shown can be changed", async () => {
  const view = { pages: "2" };

  await expect(edited({ view, cell_id: "c2", new_source: "x" })).rejects.toMatchObject({
    code: "NOT_READ",
    hint: 'Read it with pages "3", then edit.',
  });
  const { bench } = await edited({ view, cell_id: "c1", new_source: "x\ny\nz" });
  const again = { notebook_path: "a.ipynb", cell_id: "c1", new_source: "w" };
  await expect(bench.call(notebookEdit, again)).resolves.toMatchObject({ isError: false });
});

test.for([
  { why: "a folder", files: { "a.ipynb/b": "" }, code: "IS_DIRECTORY" },
  { why: "nothing", files: { "b.ipynb": "" }, code: "NOT_FOUND" },
])("$why is not a notebook", async ({ files, code }) => {
  const input = { notebook_path: "a.ipynb", cell_id: "c1", new_source: "x" };

  await expect(callTool(notebookEdit, input, { files })).rejects.toMatchObject({ code });
});

test.for(
  toolContract(notebookEdit, [
    {
      name: "a new source",
      input: { notebook_path: "a.ipynb", cell_id: "c1", new_source: "x" },
      files: { "a.ipynb": notebook() },
      after: [{ tool: read, input: { file_path: "a.ipynb" } }],
    },
  ]),
)("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
