import { createHash } from "node:crypto";
import type { Notebook, NotebookCell } from "../files/notebook/notebook.ts";
import type { LineChange } from "../files/seen/seen-lines.ts";
import { lineCount } from "../files/unified-diff.ts";
import { jsonStyle, writeJson } from "./json-style.ts";
import { changedCell } from "./changed-cell.ts";

export type CellChange =
  | {
      readonly mode: "replace";
      readonly cell: NotebookCell;
      readonly type: string;
      readonly source: string;
    }
  | { readonly mode: "delete"; readonly cell: NotebookCell }
  | {
      readonly mode: "insert";
      /** Cell after which the new one is inserted; undefined inserts it first. */
      readonly after: NotebookCell | undefined;
      readonly cell: undefined;
      readonly type: string;
      readonly source: string;
    };

export interface NotebookChange {
  /** Complete new text; all bytes outside the cell are unchanged. */
  readonly text: string;
  readonly mode: CellChange["mode"];
  /** Number of the cell, as deleted or as it is now. */
  readonly number: number;
  readonly id: string | undefined;
  /** Sources before and after, for a diff. */
  readonly before: string;
  readonly after: string;
  /** Number of cells after the change. */
  readonly cells: number;
  /** Short description of the change. */
  readonly what: string;
  /** Additional sentence, or empty. */
  readonly note: string;
  /** Lines of the file that changed. */
  readonly lines: LineChange;
  /** Last cell that kept its number, or a new one whose number the result reports; infinite if all did. */
  readonly lastUnmoved: number;
}

/** Replaces, inserts or deletes one cell, in the style in which the notebook is written. */
export function changeNotebook(notebook: Notebook, change: CellChange): NotebookChange {
  switch (change.mode) {
    case "replace":
      return replaced(notebook, change);
    case "delete":
      return deleted(notebook, change.cell);
    case "insert":
      return inserted(notebook, change);
  }
}

type Mode<M extends CellChange["mode"]> = CellChange & { readonly mode: M };

function replaced(notebook: Notebook, { cell, type, source }: Mode<"replace">): NotebookChange {
  const { text, cells } = notebook;
  const style = jsonStyle(text);
  const changed = changedCell(text.slice(cell.span.start, cell.span.end), { type, source, style });
  const hadOutputs = cell.outputs.length > 0;
  return {
    ...spliced(notebook, { ...cell.span, by: changed }),
    mode: "replace",
    number: cell.number,
    id: cell.id,
    before: cell.source,
    after: source,
    cells: cells.length,
    what: `Replaced ${nameOf(cell)}${type === cell.type ? "" : `, now ${type}`}`,
    lastUnmoved: Infinity,
    note: hadOutputs ? " Its outputs were cleared; run it again to have new ones." : "",
  };
}

function deleted(notebook: Notebook, cell: NotebookCell): NotebookChange {
  const { cells, spans } = notebook;
  const next = cells[cell.number];
  const previous = cells[cell.number - 2];
  // The comma is removed with the cell, on whichever side there is one.
  const range =
    next !== undefined
      ? { start: cell.span.start, end: next.span.start, by: "" }
      : previous !== undefined
        ? { start: previous.span.end, end: cell.span.end, by: "" }
        : { ...spans.array, by: "[]" };
  return {
    ...spliced(notebook, range),
    mode: "delete",
    number: cell.number,
    id: cell.id,
    before: cell.source,
    after: "",
    cells: cells.length - 1,
    what: `Deleted ${nameOf(cell)}`,
    lastUnmoved: next === undefined ? Infinity : cell.number - 1,
    note: next === undefined ? "" : " The cells behind it have other numbers now.",
  };
}

function inserted(notebook: Notebook, { after, type, source }: Mode<"insert">): NotebookChange {
  const { text, cells, spans } = notebook;
  const style = jsonStyle(text);
  const number = (after?.number ?? 0) + 1;
  const id = notebook.needsIds ? freshId(notebook, `${number}:${source}`) : undefined;
  const cell = writeJson(newCell({ type, source, id, asLines: asLines(notebook) }), style, 2);
  const gap = style.newline + style.indent.repeat(2);
  const [first] = cells;
  const range =
    after !== undefined
      ? { start: after.span.end, end: after.span.end, by: `,${gap}${cell}` }
      : first !== undefined
        ? { start: first.span.start, end: first.span.start, by: `${cell},${gap}` }
        : { ...spans.array, by: `[${gap}${cell}${style.newline}${style.indent}]` };
  return {
    ...spliced(notebook, range),
    mode: "insert",
    number,
    id,
    before: "",
    after: source,
    cells: cells.length + 1,
    what: `Inserted cell ${number} (${type}${id === undefined ? "" : `, id ${id}`})`,
    lastUnmoved: number > cells.length ? Infinity : number,
    note: number > cells.length ? "" : " The cells behind it have other numbers now.",
  };
}

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

function spliced(
  notebook: Notebook,
  { start, end, by }: Splice,
): Pick<NotebookChange, "text" | "lines"> {
  const { text } = notebook;
  const first = lineCount(`${text.slice(0, start)}.`);
  const last = first + lineCount(`${text.slice(start, end)}.`) - 1;
  return {
    text: text.slice(0, start) + by + text.slice(end),
    lines: { first, last, lines: lineCount(`${by}.`) },
  };
}

interface NewCell {
  readonly type: string;
  readonly source: string;
  readonly id: string | undefined;
  readonly asLines: boolean;
}

/** New cell with its keys in the order in which Jupyter writes them. */
function newCell({ type, source, id, asLines: isList }: NewCell): object {
  return {
    cell_type: type,
    ...(type === "code" ? { execution_count: null } : {}),
    ...(id === undefined ? {} : { id }),
    metadata: {},
    ...(type === "code" ? { outputs: [] } : {}),
    source: isList ? (source.match(/[^\n]*\n|[^\n]+$/gu) ?? []) : source,
  };
}

/** Whether the notebook stores sources as lists of lines, as Jupyter does. */
function asLines({ text, cells }: Notebook): boolean {
  const [first] = cells;
  return (
    first === undefined || /"source"\s*:\s*\[/u.test(text.slice(first.span.start, first.span.end))
  );
}

/** Id of eight characters that no cell has, the same for the same change of the same notebook. */
function freshId({ text, cells }: Notebook, seed: string): string {
  const taken = new Set(cells.map(({ id }) => id));
  for (let round = 0; ; round++) {
    const hash = createHash("sha256").update(`${round}:${seed}:${text.length}`).digest("hex");
    const id = hash.slice(0, 8);
    if (!taken.has(id)) return id;
  }
}

function nameOf({ number, type, id }: NotebookCell): string {
  return `cell ${number} (${type}${id === undefined ? "" : `, id ${id}`})`;
}
