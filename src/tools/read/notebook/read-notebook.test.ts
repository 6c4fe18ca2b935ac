import { expect, test } from "vitest";
import { limitsWith } from "../../../core/index.ts";
import { toolBench } from "../../../testing/index.ts";
import { read } from "../read.ts";

const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const notebook = (cells: readonly unknown[]): string =>
  `${JSON.stringify({ cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
const code = (source: unknown, outputs: readonly unknown[] = [], id = "c1") => ({
  cell_type: "code",
  execution_count: 3,
  id,
  metadata: {},
  outputs,
  source,
});

const output = (text: string) => ({ output_type: "stream", name: "stdout", text });

const readCells = async (cells: readonly unknown[], input: object = {}, read_: object = {}) => {
  const bench = toolBench({
    files: { "a.ipynb": notebook(cells) },
    services: { limits: limitsWith({ read: read_ }) },
  });
  const result = await bench.call(read, { file_path: "a.ipynb", ...input });
  return { ...result, view: bench.seenFiles.view("/project/a.ipynb") };
};

test("cells come with their ids and outputs, pictures as image parts", async () => {
  const { text, content, view } = await readCells([
    { cell_type: "markdown", id: "m1", metadata: {}, source: "# Title" },
    code(
      ["x = 1\n", "plot(x)"],
      [
        { output_type: "stream", name: "stdout", text: ["one\n", "two\n"] },
        { output_type: "display_data", data: { "image/png": dot, "text/plain": "<Figure>" } },
        { output_type: "execute_result", data: { "text/html": "<b>1</b>", "text/plain": "1" } },
        {
          output_type: "error",
          ename: "E",
          evalue: "bad",
          traceback: ["\u001B[31mE\u001B[0m: bad"],
        },
        { output_type: "display_data", data: { "application/x": {} } },
      ],
    ),
  ]);

  expect(text).toMatchInlineSnapshot(`
    "Notebook in python, 2 cells.

    [cell 1: markdown, id m1]
    # Title

    [cell 2: code, id c1, run 3]
    x = 1
    plot(x)
    [output: stdout]
    one
    two
    [output: image/png]
    [image image/png]
    [output]
    1
    [output: error]
    E: bad
    [output: application/x, not shown]"
  `);
  expect(content.map(({ type }) => type)).toEqual(["text", "image", "text"]);
  expect(view).toEqual({ hash: expect.stringMatching(/^sha256:/u) });
});

test("one output shows its two ends, and all of them no more than their share", async () => {
  const outputs = [output("a".repeat(50)), output("b".repeat(15)), output("c".repeat(9))];

  const { text } = await readCells([code("x", outputs)], {}, { outputChars: 20, outputsChars: 30 });

  expect(text).toContain(`${"a".repeat(10)}\n… [30 characters left out] …\n${"a".repeat(10)}`);
  expect(text).toContain(`${"b".repeat(5)}\n… [5 characters left out] …\n${"b".repeat(5)}`);
  expect(text).toContain("[output: stdout, 9 characters left out]");
  expect(text).toContain("Long outputs are cut");
});

test("twenty pictures are shown, the others are named", async () => {
  const pictures = Array.from({ length: 21 }, () => ({
    output_type: "display_data",
    data: { "image/png": dot },
  }));

  const { content, text } = await readCells([code("plot()", pictures)]);

  expect(content.filter(({ type }) => type === "image")).toHaveLength(20);
  expect(text).toContain("[output: image/png, left out after 20 pictures]");
});

test("a picture that does not decode is named, not answered", async () => {
  const data = { "image/png": dot.slice(0, 40) };

  const { content, text } = await readCells([code("x", [{ output_type: "display_data", data }])]);

  expect(content).toHaveLength(1);
  expect(text).toContain("[output: image/png, not shown: a picture in a.ipynb");
});

test("cells can be chosen, and just their lines count as seen", async () => {
  const { text, metadata, view } = await readCells([code("a"), code("b"), code("c")], {
    pages: "2",
  });

  expect(text).toContain("[cell 2: code, id c1, run 3]\nb");
  expect(text).not.toContain("cell 1");
  expect(metadata).toMatchObject({ shownCells: [2], cells: 3 });
  expect(view?.ranges).toEqual([[11, 18]]);
});

test("a full page names the cell that comes next", async () => {
  const { text, metadata } = await readCells(
    [code("a".repeat(50)), code("b".repeat(50)), code("c")],
    {},
    { pageBytes: 100 },
  );

  expect(metadata).toMatchObject({ shownCells: [1], next: 2 });
  expect(text).toContain("(The page is full. Continue with pages 2-.)");
});

test.for([
  { why: "no JSON", text: "oops", because: "it has no list of cells" },
  { why: "no cells", text: "{}", because: "it has no list of cells" },
  { why: "a broken cell", text: '{"cells": [{"a": }]}', because: "its JSON is broken" },
  { why: "a cut file", text: '{"cells": [{"a": "b', because: "it has no list of cells" },
])(
  "a file with $why is not a notebook, and its text can still be read",
  async ({ text, because }) => {
    const bench = toolBench({ files: { "a.ipynb": text } });

    await expect(bench.call(read, { file_path: "a.ipynb" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(because),
      hint: "Read it as text with an offset or a limit.",
    });
    expect((await bench.call(read, { file_path: "a.ipynb", offset: 1 })).text).toContain(text);
  },
);

test.for(["x", "3-1", "9", ""])("pages %j name no cell of two", async (pages) => {
  await expect(readCells([code("a"), code("b")], { pages })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

test("an open list of pages goes to the end, and 0 is taken as 1", async () => {
  const { metadata } = await readCells([code("a"), code("b")], { pages: "0-" });

  expect(metadata).toMatchObject({ shownCells: [1, 2] });
});

test("a notebook beyond the limit is refused by its size", async () => {
  await expect(readCells([code("a")], {}, { documentBytes: 100 })).rejects.toMatchObject({
    code: "TOO_LARGE",
  });
});
