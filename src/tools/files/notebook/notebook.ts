import { ToolError } from "../../../core/index.ts";
import { lineCount } from "../unified-diff.ts";
import { notebookSpans, type NotebookSpans, type TextSpan } from "./cell-spans.ts";

export interface NotebookCell {
  /** Number of the cell, from 1. */
  readonly number: number;
  readonly id: string | undefined;
  /** "code", "markdown" or "raw". */
  readonly type: string;
  readonly source: string;
  readonly executionCount: number | undefined;
  readonly outputs: readonly unknown[];
  readonly span: TextSpan;
  /** Lines of the file that it occupies. */
  readonly lines: readonly [first: number, last: number];
}

export interface Notebook {
  readonly text: string;
  readonly spans: NotebookSpans;
  readonly cells: readonly NotebookCell[];
  /** Language of the code, for example "python". */
  readonly language: string;
  /** From nbformat 4.5 on, every cell has an id. */
  readonly needsIds: boolean;
}

/** Parses a notebook; INVALID_INPUT if the text is not one. */
export function parseNotebook(text: string, shown: string): Notebook {
  const spans = notebookSpans(text);
  if (spans === undefined) throw notANotebook(shown, "it has no list of cells");
  const outside = text.slice(0, spans.array.start) + "[]" + text.slice(spans.array.end);
  const about = parsed(outside.replace(/^\uFEFF/u, ""), shown);
  const lineAt = lineCounter(text);
  const cells = spans.cells.map((span, index): NotebookCell => {
    const cell = parsed(text.slice(span.start, span.end), shown);
    const lines = [lineAt(span.start), lineAt(span.end)] as const;
    return { ...cellOf(cell), number: index + 1, span, lines };
  });
  const format = numberIn(about, "nbformat") ?? 4;
  const minor = numberIn(about, "nbformat_minor") ?? 0;
  return {
    text,
    spans,
    cells,
    language: languageOf(about),
    needsIds: format > 4 || (format === 4 && minor >= 5),
  };
}

/** Text that a notebook stores as one string or as a list of lines. */
export function joinedText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value.filter((line) => typeof line === "string").join("");
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function cellOf(cell: JsonObject): Omit<NotebookCell, "number" | "span" | "lines"> {
  const { id, cell_type: type, outputs } = cell;
  return {
    id: typeof id === "string" ? id : undefined,
    type: typeof type === "string" ? type : "raw",
    source: joinedText(cell["source"]),
    executionCount: numberIn(cell, "execution_count"),
    outputs: Array.isArray(outputs) ? outputs : [],
  };
}

function languageOf(about: JsonObject): string {
  const metadata = isJsonObject(about["metadata"]) ? about["metadata"] : {};
  for (const key of ["language_info", "kernelspec"]) {
    const info = metadata[key];
    if (!isJsonObject(info)) continue;
    const name = info[key === "kernelspec" ? "language" : "name"];
    if (typeof name === "string") return name;
  }
  return "unknown language";
}

function numberIn(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === "number" ? value : undefined;
}

function parsed(text: string, shown: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw notANotebook(shown, `its JSON is broken (${why.slice(0, 120)})`);
  }
  throw notANotebook(shown, "it is not a JSON object");
}

function notANotebook(shown: string, why: string): ToolError {
  return new ToolError("INVALID_INPUT", `${shown} is not a notebook: ${why}.`, {
    hint: "Read it as text with an offset or a limit.",
  });
}

/** Line numbers of offsets, which must be queried in ascending order. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let from = 0;
  return (at) => {
    line += lineCount(`${text.slice(from, at)}.`) - 1;
    from = at;
    return line;
  };
}
