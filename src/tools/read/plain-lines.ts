const newline = 10;
/** Number of bytes decoded at once; a page is not much longer. */
const runBytes = 65_536;

/** Adjacent lines, complete and without their line breaks. */
export interface PlainLines {
  readonly lines: readonly string[];
  /** Offset at which the line after each of them begins. */
  readonly nexts: readonly number[];
}

export interface PlainRequest {
  /** Maximum number of lines. */
  readonly count: number;
  /** Maximum characters of a line; a line that may be longer is excluded. */
  readonly chars: number;
}

/**
 * Decodes the lines that begin at `start` and end in this chunk in one step, which costs a fifth of decoding each line.
 * Undefined if the first of them may be longer than requested, or some byte among them may not be UTF-8.
 */
export function plainLines(
  chunk: Buffer,
  start: number,
  { count, chars }: PlainRequest,
): PlainLines | undefined {
  const nexts: number[] = [];
  let end = start;
  while (nexts.length < count && end - start < runBytes) {
    const at = chunk.indexOf(newline, end);
    // A character takes at least one byte, so a line has at most as many characters as bytes.
    if (at === -1 || at - end > chars) break;
    end = at + 1;
    nexts.push(end);
  }
  if (nexts.length === 0) return undefined;
  const text = chunk.toString("utf8", start, end - 1);
  return text.includes("\uFFFD") ? undefined : { lines: text.split("\n"), nexts };
}
