import { expect, test } from "vitest";
import { toolBench, type ToolBench } from "../../testing/index.ts";
import { read } from "../read/read.ts";
import { notebookEdit } from "./notebook-edit.ts";

interface Cell {
  readonly source: string;
  readonly id?: string;
}

const plain: readonly Cell[] = ["a", "b", "c", "d"].map((source) => ({ source }));
const named: readonly Cell[] = [
  { source: "a", id: "first" },
  { source: "b", id: "cell-7" },
  { source: "c", id: "2" },
];

async function world(cells: readonly Cell[]) {
  const list = cells.map((cell) => ({ cell_type: "raw", metadata: {}, ...cell }));
  const about = { metadata: {}, nbformat: 4, nbformat_minor: 2 };
  const bench = toolBench({ files: { "a.ipynb": JSON.stringify({ cells: list, ...about }) } });
  await bench.call(read, { file_path: "a.ipynb" });
  return bench;
}

const change = async (bench: ToolBench, input: object) =>
  bench.call(notebookEdit, { notebook_path: "a.ipynb", ...input });

function sources(bench: ToolBench): unknown {
  const { cells }: { cells: Cell[] } = JSON.parse(bench.files()["a.ipynb"] ?? "");
  return cells.map(({ source }) => (Array.isArray(source) ? source.join("") : source)).join();
}

test.for([
  { how: "its number", input: { cell_number: 2 }, result: "a,X,c,d" },
  { how: "its number as a text", input: { cell_number: "2" }, result: "a,X,c,d" },
  { how: "its number as an id", input: { cell_id: "2" }, result: "a,X,c,d" },
  { how: "its number as an id that is a number", input: { cell_id: 2 }, result: "a,X,c,d" },
  { how: "the words of its heading", input: { cell_id: "cell 2" }, result: "a,X,c,d" },
  { how: "an empty id and its number", input: { cell_id: "", cell_number: 2 }, result: "a,X,c,d" },
  { how: "the same twice", input: { cell_id: "2", cell_number: 2 }, result: "a,X,c,d" },
])("a cell without an id is found by $how", async ({ input, result }) => {
  const bench = await world(plain);

  await change(bench, { ...input, new_source: "X" });

  expect(sources(bench)).toBe(result);
});

test.for([
  { why: "an id that looks like a number is an id", input: { cell_id: "2" }, result: "a,b,X" },
  { why: "so is one that looks like a name", input: { cell_id: "cell-7" }, result: "a,X,c" },
  { why: "where none has it, it is a number", input: { cell_id: "3" }, result: "a,b,X" },
])("$why", async ({ input, result }) => {
  const bench = await world(named);

  await change(bench, { ...input, new_source: "X" });

  expect(sources(bench)).toBe(result);
});

test.for([
  {
    why: "names such as cell-1 count from 0 elsewhere",
    cells: plain,
    input: { cell_id: "cell-1" },
    hint: "Its cells have no ids; use cell_number, counting from 1.",
  },
  {
    why: "so they do where cells have ids",
    cells: named,
    input: { cell_id: "cell-1" },
    hint: "Its ids are first, cell-7, 2. Or give cell_number, counting from 1.",
  },
  {
    why: "two numbers disagree",
    cells: plain,
    input: { cell_id: "2", cell_number: 3 },
    hint: "Its cells have no ids; use cell_number, counting from 1.",
  },
  {
    why: "an id that there is is another cell's",
    cells: named,
    input: { cell_id: "2", cell_number: 2 },
    hint: "Its ids are first, cell-7, 2.",
  },
  {
    why: "there is no cell 0",
    cells: plain,
    input: { cell_number: 0 },
    hint: "Count cells from 1, as Read does.",
  },
  {
    why: "there are fewer",
    cells: plain,
    input: { cell_id: "5" },
    hint: "Count cells from 1, as Read does.",
  },
])("a cell is not guessed: $why", async ({ cells, input, hint }) => {
  const bench = await world(cells);

  const call = change(bench, { ...input, new_source: "X" });

  await expect(call).rejects.toMatchObject({ code: "NOT_FOUND", hint });
});

test("of two cells with one id a number chooses", async () => {
  const bench = await world([
    { source: "a", id: "x" },
    { source: "b", id: "x" },
  ]);

  await change(bench, { cell_id: "x", cell_number: 2, new_source: "X" });

  expect(sources(bench)).toBe("a,X");
});

test("behind a deleted cell numbers hold no more, until the notebook is read again", async () => {
  const bench = await world(plain);
  const deleted = await change(bench, { cell_number: 2, edit_mode: "delete" });
  const later = { cell_number: 3, new_source: "X" };

  expect(deleted.text).toContain("The cells behind it have other numbers now.");
  await expect(change(bench, later)).rejects.toMatchObject({
    code: "STALE_READ",
    hint: "Read it again, then edit.",
  });
  await expect(change(bench, { ...later, cell_id: "2" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await change(bench, { cell_number: 1, new_source: "A" });
  await expect(change(bench, later)).rejects.toMatchObject({ code: "STALE_READ" });
  await bench.call(read, { file_path: "a.ipynb" });
  await change(bench, later);
  expect(sources(bench)).toBe("A,c,X");
});

test("also after an inserted cell, which can be edited by the number in the answer", async () => {
  const bench = await world(named);
  const inserted = { cell_number: 1, edit_mode: "insert", cell_type: "raw", new_source: "N" };

  expect((await change(bench, inserted)).text).toContain("Inserted cell 2 (raw)");
  await change(bench, { cell_number: 2, new_source: "X" });
  await expect(change(bench, { cell_number: 3, new_source: "Y" })).rejects.toMatchObject({
    code: "STALE_READ",
    hint: "Name the cell by cell_id, or read the notebook again.",
  });
  await change(bench, { cell_id: "first", new_source: "Z" });
  await change(bench, { cell_id: "2", new_source: "Y" });
  expect(sources(bench)).toBe("Z,X,b,Y");
});

test("at the end nothing moves", async () => {
  const bench = await world(plain);
  const added = { cell_number: 4, edit_mode: "insert", cell_type: "raw", new_source: "e" };

  expect((await change(bench, added)).text).not.toContain("other numbers");
  const deleted = await change(bench, { cell_number: 5, edit_mode: "delete" });
  expect(deleted.text).not.toContain("other numbers");
  await change(bench, { cell_number: 4, new_source: "X" });
  expect(sources(bench)).toBe("a,b,c,X");
});

test("what another tool changed may have moved every cell", async () => {
  const bench = await world(plain);
  const text = bench.files()["a.ipynb"] ?? "";
  const { hash } = await bench.host.fs.writeAtomic(
    "/project/a.ipynb",
    Buffer.from(text.replace('"a"', '"z"')),
  );
  bench.seenFiles.saw("/project/a.ipynb", { hash });

  const call = change(bench, { cell_number: 1, new_source: "X" });

  await expect(call).rejects.toMatchObject({ code: "STALE_READ" });
});
