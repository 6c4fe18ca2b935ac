import {
  seenFiles,
  limits,
  type ContentPart,
  type Limits,
  type ToolContext,
  type ToolResult,
} from "../../../core/index.ts";
import { counted } from "../../files/paths/display-path.ts";
import { decodeText } from "../../files/encodings/codec.ts";
import { estimateTokens } from "../../files/estimate-tokens.ts";
import { noteCellNumbers } from "../../files/notebook/cell-numbers.ts";
import { parseNotebook, type NotebookCell } from "../../files/notebook/notebook.ts";
import { noneOf, numbersIn, pageRanges } from "../page-list.ts";
import { formOf } from "../../files/encodings/text-form.ts";
import { wholeFile, type ReadTarget } from "../whole-file.ts";
import { OutputWriter } from "./outputs.ts";

/** Returns the cells of a notebook with their outputs; images among them are image parts. */
export async function readNotebook(target: ReadTarget, context: ToolContext): Promise<ToolResult> {
  const { stat, shown, input } = target;
  const { read } = context.service(limits);
  const { bytes, hash } = await wholeFile(
    target,
    { maxBytes: read.documentBytes, what: "notebooks" },
    context,
  );
  const form = formOf(bytes, { shown, encoding: input.encoding, size: bytes.length });
  const notebook = parseNotebook(decodeText(bytes, { ...form, markBytes: 0 }).text, shown);
  const total = notebook.cells.length;
  const ranges = input.pages === undefined ? undefined : pageRanges(input.pages, "cell");
  const wanted = numbersIn(ranges, total);
  if (ranges !== undefined && wanted.length === 0) throw noneOf(total, "cell", shown);
  const cells = wanted.flatMap((number) => notebook.cells[number - 1] ?? []);
  const page = await renderCells(cells, { read, context, shown });
  const { seen, content, next } = page;
  const isWhole = seen.length === total;
  const state = context.service(seenFiles);
  state.saw(stat.path, isWhole ? { hash } : { hash, ranges: seen.map(({ lines }) => lines) });
  noteCellNumbers(state, { path: stat.path, hash });
  const heading = `Notebook in ${notebook.language}, ${counted(total, "cell")}.`;
  const notes: string[] = [];
  if (next !== undefined) notes.push(`The page is full. Continue with pages ${next}-.`);
  if (page.isCut)
    notes.push(
      "Long outputs are cut; the whole is in the file's JSON, which offset and limit show.",
    );
  const texts = content.map((part) => (part.type === "text" ? part.text : ""));
  return {
    content: merged([
      { type: "text", text: heading },
      ...content,
      ...(notes.length === 0 ? [] : [{ type: "text", text: `(${notes.join(" ")})` } as const]),
    ]),
    title: `Read ${shown}`,
    summary: isWhole ? counted(total, "cell") : `${seen.length} of ${counted(total, "cell")}`,
    metadata: {
      path: stat.path,
      size: bytes.length,
      cells: total,
      shownCells: seen.map(({ number }) => number),
      ...(next === undefined ? {} : { next }),
      estimatedTokens: estimateTokens(texts.join("")),
    },
  };
}

interface RenderOptions {
  readonly read: Limits["read"];
  readonly context: ToolContext;
  readonly shown: string;
}

async function renderCells(cells: readonly NotebookCell[], options: RenderOptions) {
  const { read, context, shown } = options;
  const writer = new OutputWriter({ read, signal: context.signal, shown });
  const content: ContentPart[] = [];
  const seen: NotebookCell[] = [];
  let bytes = 0;
  for (const cell of cells) {
    const source: ContentPart = { type: "text", text: `\n${headingOf(cell)}\n${cell.source}` };
    const parts = [source, ...(await writer.write(cell.outputs))];
    const size = parts.reduce((sum, part) => sum + textBytes(part), 0);
    // A cell larger than a page is shown anyway: there is no smaller part to request.
    if (bytes + size > read.pageBytes && seen.length > 0) {
      return { content, seen, next: cell.number, isCut: writer.isCut };
    }
    content.push(...parts);
    seen.push(cell);
    bytes += size;
  }
  return { content, seen, next: undefined, isCut: writer.isCut };
}

function headingOf({ number, type, id, executionCount }: NotebookCell): string {
  const run = executionCount === undefined ? "" : `, run ${executionCount}`;
  return `[cell ${number}: ${type}${id === undefined ? "" : `, id ${id}`}${run}]`;
}

function textBytes(part: ContentPart): number {
  return part.type === "text" ? Buffer.byteLength(part.text) : 0;
}

/** Merges adjacent text parts. */
function merged(parts: readonly ContentPart[]): readonly ContentPart[] {
  const joined: ContentPart[] = [];
  for (const part of parts) {
    const previous = joined.at(-1);
    if (part.type === "text" && previous?.type === "text") {
      joined[joined.length - 1] = { type: "text", text: `${previous.text}\n${part.text}` };
    } else joined.push(part);
  }
  return joined;
}
