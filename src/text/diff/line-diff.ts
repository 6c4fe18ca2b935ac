/** The range of a part of a text extended by `context` whole lines on each side. */
export function linesAround(
  text: string,
  part: { readonly start: number; readonly end: number },
  context: number,
): { readonly start: number; readonly end: number } {
  let { start, end } = part;
  for (let lines = 0; lines <= context && start > 0; lines += 1) {
    // There is nothing before the first line, even if that line is empty.
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  for (let lines = 0; lines <= context && end < text.length; lines += 1) {
    const newline = text.indexOf("\n", end);
    end = newline === -1 ? text.length : newline + 1;
  }
  return { start, end };
}

/** Range in which two texts differ, in whole lines including the context of a diff; both begin at `start`. */
export interface ChangedLines {
  readonly start: number;
  readonly beforeEnd: number;
  readonly afterEnd: number;
}

/** Skips the equal lines at both ends, so that a small change of a large text costs little. */
export function changedLines(before: string, after: string, context: number): ChangedLines {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let same = 0;
  while (
    same < shorter - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  ) {
    same += 1;
  }
  const around = linesAround(before, { start, end: before.length - same }, context);
  const { end } = around;
  return { start: around.start, beforeEnd: end, afterEnd: after.length - (before.length - end) };
}

/** Number of line feeds in a text before a position. */
export function newlinesBefore(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}
