import { ToolError } from "../../core/index.ts";
import type { Notebook, NotebookCell } from "../files/notebook/notebook.ts";

export interface NamedIn {
  readonly notebook: Notebook;
  readonly shown: string;
  /** Last cell whose number is the one reported to the caller. */
  readonly lastTold: number;
}

export interface CellName {
  readonly cell_id?: string | undefined;
  readonly cell_number?: number | undefined;
  readonly edit_mode?: string | undefined;
}

/** Cell that an input names, undefined if it names none: by its id, by its number, or by both if they agree. */
export function namedCell(place: NamedIn, input: CellName): NotebookCell | undefined {
  const { cells } = place.notebook;
  const { cell_id: id, cell_number: number, edit_mode: mode } = input;
  if (id === undefined || id === "") {
    if (number === undefined || (number === 0 && mode === "insert")) return undefined;
    return numbered(place, number);
  }
  const found = cells.filter((cell) => cell.id === id);
  const [first, second] = found.filter((cell) => number === undefined || number === cell.number);
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined) {
    throw new ToolError(
      "AMBIGUOUS_MATCH",
      `${found.length} cells of ${place.shown} have the id ${id}.`,
      { hint: `Use cell_number: ${found.map((cell) => cell.number).join(" or ")}.` },
    );
  }
  // A number, or the heading that Read gives a cell, instead of an id that no cell has.
  const named = /^(?:cell )?([1-9]\d*)$/u.exec(id)?.[1];
  if (found.length === 0 && named !== undefined) {
    if (number === undefined || number === Number(named)) return numbered(place, Number(named));
  }
  throw notFound(place, id, number);
}

function numbered({ notebook, shown, lastTold }: NamedIn, number: number): NotebookCell {
  const { cells } = notebook;
  const found = cells[number - 1];
  if (found === undefined) {
    throw new ToolError("NOT_FOUND", `${shown} has no cell ${number}; it has ${cells.length}.`, {
      hint: "Count cells from 1, as Read does.",
    });
  }
  if (number > lastTold) {
    throw new ToolError(
      "STALE_READ",
      `Cells of ${shown} came or went since you read it, so that cell ${number} may be another one now.`,
      {
        hint:
          found.id === undefined
            ? "Read it again, then edit."
            : "Name the cell by cell_id, or read the notebook again.",
      },
    );
  }
  return found;
}

function notFound({ notebook, shown }: NamedIn, id: string, number?: number): ToolError {
  const { cells } = notebook;
  const isId = cells.some((cell) => cell.id === id);
  const what = isId ? `${number} with the id ${id}` : `with the id ${id}`;
  const ids = cells.flatMap((cell) => cell.id ?? []).slice(0, namedIds);
  // Other tools count cells from 0 in such names.
  const byNumber = /^cell[-_]?\d+$/iu.test(id) ? " Or give cell_number, counting from 1." : "";
  return new ToolError("NOT_FOUND", `${shown} has no cell ${what}.`, {
    hint:
      ids.length === 0
        ? "Its cells have no ids; use cell_number, counting from 1."
        : `Its ids are ${ids.join(", ")}.${byNumber}`,
    data: { ids },
  });
}

const namedIds = 50;
