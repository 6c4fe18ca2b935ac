import { visibleText } from "./visible-text.ts";

/** Part of a text, by offset. */
interface Marked {
  readonly span: { readonly start: number; readonly end: number };
}

/**
 * Returns the text line by line with the marked parts underlined, each with its number in the order given. Parts that
 * overlap get rows of their own.
 */
export function underlined(text: string, parts: readonly Marked[]): readonly string[] {
  const out: string[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    out.push(visibleText(line).replaceAll("\t", " "));
    for (const row of rowsFor({ start, end }, parts)) out.push(row);
    start = end + 1;
  }
  return out;
}

function rowsFor(line: Marked["span"], parts: readonly Marked[]): readonly string[] {
  const rows: string[] = [];
  for (const [index, { span }] of parts.entries()) {
    const from = Math.max(span.start, line.start) - line.start;
    const to = Math.min(span.end, line.end) - line.start;
    if (to <= from) continue;
    const label = String(index + 1);
    // A part too short for its number still shows all of the number.
    const mark = label.padEnd(to - from, "-");
    const free = rows.findIndex((row) => row.length <= from);
    const row = (free === -1 ? "" : (rows[free] ?? "")).padEnd(from) + mark;
    if (free === -1) rows.push(row);
    else rows[free] = row;
  }
  return rows;
}
