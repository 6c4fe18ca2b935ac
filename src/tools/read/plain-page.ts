import type { Page, PageRequest } from "./page.ts";

/** Of a longer text only the lines that are shown are worth being made. */
const maxBytes = 262_144;

/**
 * The page of a text as most are: of moderate size, UTF-8, one line break everywhere, lines shown whole, one part asked
 * for. It is decoded and cut into lines at once, which costs a fraction of a search for each line. Undefined for any
 * other text or request.
 */
export function plainPage(bytes: Uint8Array, request: PageRequest): Page | undefined {
  const { ranges, window, startLine = 1, countAll } = request;
  const [range] = ranges;
  const isOther = ranges.length !== 1 || window.column !== 1 || startLine !== 1 || !countAll;
  if (range === undefined || isOther || bytes.length > maxBytes) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  if (text.includes("\r") || text.includes("\uFFFD")) return undefined;
  const lines = text.split("\n");
  // A line break ends a line; it begins none.
  const total = lines.length - (text.endsWith("\n") || text === "" ? 1 : 0);
  const last = Math.min(range.last, total);
  const parts: string[] = [];
  for (let line = range.first; line <= last; line++) {
    const each = lines[line - 1] ?? "";
    if (each.length > window.chars) return undefined;
    parts.push(numberOf(line), each, "\n");
  }
  const shown = parts.join("");
  const isAscii = text.length === bytes.length;
  if ((isAscii ? shown.length : Buffer.byteLength(shown)) > request.maxBytes) return undefined;
  const isCut = last < total;
  return {
    text: shown,
    shown: last < range.first ? [] : [{ first: range.first, last }],
    shownLines: Math.max(0, last - range.first + 1),
    totalLines: total,
    fullBecause: isCut ? "limit" : undefined,
    next: isCut ? range.last + 1 : undefined,
    cutLines: [],
    isPartial: false,
    lineEndings: lines.length > 1 ? "lf" : "none",
    lossy: false,
  };
}

/** Numbers as they stand before lines; most files have the same few thousand. */
const numbers: string[] = [];
const maxNumbers = 4000;

function numberOf(line: number): string {
  const known = numbers[line];
  if (known !== undefined) return known;
  const made = `${String(line).padStart(6)}\t`;
  if (line < maxNumbers) numbers[line] = made;
  return made;
}
