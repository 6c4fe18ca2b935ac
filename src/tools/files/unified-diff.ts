import { formatPatch, structuredPatch } from "diff";

export interface DiffSource {
  /** Shown in the heading of the diff. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Where the texts are parts of a file: the line with which both begin. Default 1. */
  readonly firstLine?: number;
}

export interface DiffSummary {
  /** A unified diff with four lines of context, cut at a line where it is long; "" for no change. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
}

const contextLines = 4;
/** Above this many differing lines the smallest diff is not looked for: it would take seconds. */
const maxSearch = 2000;
/** Characters of diff kept for interfaces and the log. */
const maxChars = 60_000;

/** The difference of two texts; lines equal at both ends are set aside first, so that size costs little. */
export function unifiedDiff(source: DiffSource): DiffSummary {
  const { path, before, after, firstLine = 1 } = source;
  if (before === after) return { text: "", added: 0, removed: 0 };
  const { start, beforeEnd, afterEnd } = changedPart(source);
  const patch = structuredPatch(
    path,
    path,
    before.slice(start, beforeEnd),
    after.slice(start, afterEnd),
    undefined,
    undefined,
    { context: contextLines, maxEditLength: maxSearch },
  );
  const skipped = firstLine - 1 + countNewlines(before, start);
  if (patch === undefined) return replacedWhole({ path, before, after });
  let added = 0;
  let removed = 0;
  for (const hunk of patch.hunks) {
    hunk.oldStart += skipped;
    hunk.newStart += skipped;
    for (const line of hunk.lines) {
      if (line.startsWith("+")) added++;
      else if (line.startsWith("-")) removed++;
    }
  }
  const text = formatPatch(patch, {
    includeIndex: false,
    includeUnderline: false,
    includeFileHeaders: true,
  });
  return { text: cutAtLine(text), added, removed };
}

interface ChangedPart {
  readonly start: number;
  readonly beforeEnd: number;
  readonly afterEnd: number;
}

/** A part of a text with the whole lines that a diff shows around it. */
export function linesAround(
  text: string,
  part: { readonly start: number; readonly end: number },
): { readonly start: number; readonly end: number } {
  let { start, end } = part;
  for (let lines = 0; lines <= contextLines && start > 0; lines++) {
    start = text.lastIndexOf("\n", start - 2) + 1;
  }
  for (let lines = 0; lines <= contextLines && end < text.length; lines++) {
    const newline = text.indexOf("\n", end);
    end = newline === -1 ? text.length : newline + 1;
  }
  return { start, end };
}

/** Everything but the lines equal at both ends, less the context that a diff shows of them. */
function changedPart({ before, after }: DiffSource): ChangedPart {
  const same = sameEnds(before, after);
  const { start, end } = linesAround(before, { start: same.start, end: before.length - same.end });
  return { start, beforeEnd: end, afterEnd: after.length - (before.length - end) };
}

function sameEnds(before: string, after: string): { start: number; end: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end++;
  }
  return { start, end };
}

function replacedWhole({ path, before, after }: DiffSource): DiffSummary {
  const removed = lineCount(before);
  const added = lineCount(after);
  const text = `--- ${path}\n+++ ${path}\n(${removed} lines replaced by ${added}; too different to show line by line)\n`;
  return { text, added, removed };
}

function cutAtLine(text: string): string {
  if (text.length <= maxChars) return text;
  const end = text.lastIndexOf("\n", maxChars) + 1;
  const left = countNewlines(text, text.length) - countNewlines(text, end);
  return `${text.slice(0, end)}(diff cut here, ${left} more lines)\n`;
}

/** Lines of a text; an unfinished last line counts. */
export function lineCount(text: string): number {
  if (text === "") return 0;
  return countNewlines(text, text.length) + (text.endsWith("\n") ? 0 : 1);
}

function countNewlines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
