import { formatPatch, structuredPatch } from "diff";
import { changedLines, newlinesBefore } from "../../core/index.ts";

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

/** Lines that a diff shows around a change. */
export const diffContextLines = 4;
/** Above this many differing lines the smallest diff is not looked for: it would take seconds. */
const maxSearch = 2000;
/** Characters of diff kept for interfaces and the log. */
const maxChars = 60_000;

/** The difference of two texts; lines equal at both ends are set aside first, so that size costs little. */
export function unifiedDiff(source: DiffSource): DiffSummary {
  const { path, before, after, firstLine = 1 } = source;
  if (before === after) return { text: "", added: 0, removed: 0 };
  const { start, beforeEnd, afterEnd } = changedLines(before, after, diffContextLines);
  const patch = structuredPatch(
    path,
    path,
    before.slice(start, beforeEnd),
    after.slice(start, afterEnd),
    undefined,
    undefined,
    { context: diffContextLines, maxEditLength: maxSearch },
  );
  const skipped = firstLine - 1 + newlinesBefore(before, start);
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

function replacedWhole({ path, before, after }: DiffSource): DiffSummary {
  const removed = lineCount(before);
  const added = lineCount(after);
  const text = `--- ${path}\n+++ ${path}\n(${removed} lines replaced by ${added}; too different to show line by line)\n`;
  return { text, added, removed };
}

function cutAtLine(text: string): string {
  if (text.length <= maxChars) return text;
  const end = text.lastIndexOf("\n", maxChars) + 1;
  const left = newlinesBefore(text, text.length) - newlinesBefore(text, end);
  return `${text.slice(0, end)}(diff cut here, ${left} more lines)\n`;
}

/** Lines of a text; an unfinished last line counts. */
export function lineCount(text: string): number {
  if (text === "") return 0;
  return newlinesBefore(text, text.length) + (text.endsWith("\n") ? 0 : 1);
}
