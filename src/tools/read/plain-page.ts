import type { Page, PageRequest } from "./page.ts";

/** Maximum bytes decoded at once; of a longer text, only the lines shown are worth decoding. */
const maxBytes = 262_144;

/**
 * Builds the page of a typical text: of moderate size, UTF-8, uniform line breaks, complete lines, one range. It is
 * decoded at once, which costs a fraction of decoding each line. Undefined for any other text or request.
 */
export function plainPage(bytes: Uint8Array, request: PageRequest): Page | undefined {
  const { ranges, window, startLine = 1, countAll } = request;
  const [range] = ranges;
  const isOther = ranges.length !== 1 || window.column !== 1 || startLine !== 1 || !countAll;
  if (range === undefined || isOther || bytes.length > maxBytes) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  if (text.includes("\r") || text.includes("\uFFFD")) return undefined;
  // Plain loops, which the engine compiles early, and no list of lines, most of which would not be shown.
  let line = 1;
  let at = 0;
  for (; line < range.first && at < text.length; line += 1) {
    const found = text.indexOf("\n", at);
    at = found === -1 ? text.length : found + 1;
  }
  let shown = "";
  for (; line <= range.last && at < text.length; line += 1) {
    const found = text.indexOf("\n", at);
    const end = found === -1 ? text.length : found + 1;
    const each = text.slice(at, end);
    if (each.length > window.chars && (each.length > window.chars + 1 || !each.endsWith("\n")))
      return undefined;
    shown += numberOf(line) + each;
    at = end;
  }
  const last = line - 1;
  let total = last;
  for (; at < text.length; total += 1) {
    const found = text.indexOf("\n", at);
    at = found === -1 ? text.length : found + 1;
  }
  const isShown = last >= range.first;
  if (isShown && !shown.endsWith("\n")) shown += "\n";
  const isAscii = text.length === bytes.length;
  if ((isAscii ? shown.length : Buffer.byteLength(shown)) > request.maxBytes) return undefined;
  const isCut = last < total;
  return {
    text: shown,
    shown: isShown ? [{ first: range.first, last }] : [],
    shownLines: isShown ? last - range.first + 1 : 0,
    totalLines: total,
    fullBecause: isCut ? "limit" : undefined,
    next: isCut ? range.last + 1 : undefined,
    cutLines: [],
    isPartial: false,
    lineEndings: text.includes("\n") ? "lf" : "none",
    lossy: false,
  };
}

/** Cache of line numbers as printed before lines; most files use the same few thousand. */
const numbers: string[] = [];
const maxNumbers = 4000;

function numberOf(line: number): string {
  const known = numbers[line];
  if (known !== undefined) return known;
  const made = `${line}\t`;
  if (line < maxNumbers) numbers[line] = made;
  return made;
}
