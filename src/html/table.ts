export interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
}

/** A table that is being read. */
export interface Table {
  readonly rows: Cell[][];
  /** Holds parts of the page and no values. */
  readonly isLayout: boolean;
}

/** Columns of a table that are shown side by side; a wider one would be more blanks than text. */
const maxColumns = 60;

/** The table in Markdown; one that holds blocks, such as code, is shown as these blocks one after another. */
export function tableMarkdown({ rows, isLayout }: Table): string {
  const filled = rows.filter((row) => row.some(({ text }) => text !== ""));
  const columns = Math.max(0, ...filled.map(widthOf));
  const cells = filled.flat();
  if (
    isLayout ||
    columns < 2 ||
    columns > maxColumns ||
    cells.some(({ text }) => holdsBlocks(text))
  ) {
    return cells.flatMap(({ text }) => (text === "" ? [] : text)).join("\n\n");
  }
  const lines: string[] = [];
  /** Rows for which a cell above still covers the column. */
  const covered: number[] = Array.from({ length: columns }, () => 0);
  for (const row of filled) {
    const line: string[] = [];
    const pending = [...row];
    while (line.length < columns) {
      const at = line.length;
      if ((covered[at] ?? 0) > 0) {
        covered[at] = (covered[at] ?? 0) - 1;
        line.push("");
        continue;
      }
      const cell = pending.shift();
      if (cell === undefined) {
        line.push("");
        continue;
      }
      for (let column = 0; column < cell.columns && line.length < columns; column += 1) {
        covered[line.length] = cell.rows - 1;
        line.push(column === 0 ? inCell(cell.text) : "");
      }
    }
    lines.push(`| ${line.join(" | ")} |`);
    if (lines.length === 1) lines.push(`|${" --- |".repeat(columns)}`);
  }
  return lines.join("\n");
}

function widthOf(row: readonly Cell[]): number {
  return row.reduce((sum, { columns }) => sum + columns, 0);
}

function holdsBlocks(text: string): boolean {
  return /^(?:```|#{1,6} |\| )/mu.test(text);
}

function inCell(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll(/\n+/gu, "<br>");
}

/** Rows or columns that a cell covers; 1 unless the page gives a usable number. */
export function spanOf(text: string | undefined): number {
  const value = Number(text ?? 1);
  return Number.isInteger(value) && value > 0 && value <= 60 ? value : 1;
}
