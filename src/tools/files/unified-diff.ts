import { formatPatch, structuredPatch } from "diff";
import { changedLines, newlinesBefore } from "../../text/index.ts";
import type { LineChange } from "./seen/seen-lines.ts";

export interface DiffSource {
  /** Path in the heading of the diff. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** If the texts are parts of a file: the line at which both begin. Default 1. */
  readonly firstLine?: number;
}

export interface DiffSummary {
  /** Unified diff with four lines of context, cut at a line if it is long; "" for no change. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
  /** The hunks of a text that shows every change; missing for one that was cut or does not show the lines. */
  readonly hunks?: readonly LineChange[];
}

/** Number of context lines around a change. */
export const diffContextLines = 4;
/** Number of differing lines above which the smallest diff is not searched for: it would take seconds. */
const maxSearch = 2000;
/** Maximum number of lines for which each is compared with each, which is fast for few lines. */
const maxCompared = 200;
/** Maximum characters of a diff in results and logs. */
const maxChars = 60_000;

/** Diff of two texts. Equal lines at both ends are removed first, so that the size of the file matters little. */
export function unifiedDiff(source: DiffSource): DiffSummary {
  const { path, before, after, firstLine = 1 } = source;
  if (before === after) return { text: "", added: 0, removed: 0, hunks: [] };
  const { start, beforeEnd, afterEnd } = changedLines(before, after, diffContextLines);
  const differing = {
    path,
    before: before.slice(start, beforeEnd),
    after: after.slice(start, afterEnd),
  };
  const patch = replacedLines(differing) ?? comparedLines(differing);
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
  const hunks = patch.hunks.map(({ oldStart, oldLines, newLines }): LineChange => ({
    first: oldStart,
    last: oldStart + oldLines - 1,
    lines: newLines,
  }));
  const text = formatPatch(patch, {
    includeIndex: false,
    includeUnderline: false,
    includeFileHeaders: true,
  });
  const shown = cutAtLine(text, maxChars);
  return { text: shown, added, removed, ...(shown === text ? { hunks } : {}) };
}

function comparedLines({ path, before, after }: DiffSource): Patch | undefined {
  return structuredPatch(path, path, before, after, undefined, undefined, {
    context: diffContextLines,
    maxEditLength: maxSearch,
  });
}

/**
 * Shortcut for a diff with one solution only: the removed and the added lines occur nowhere else. Most edits are of
 * this kind, and this check costs a tenth of the search.
 */
function replacedLines({ path, before, after }: DiffSource): Patch | undefined {
  const old = linesOf(before);
  const changed = linesOf(after);
  if (old.length + changed.length > maxCompared) return undefined;
  const shorter = Math.min(old.length, changed.length);
  let head = 0;
  while (head < shorter && old[head] === changed[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === changed.at(-1 - tail)) tail += 1;
  const gone = old.slice(head, old.length - tail);
  const come = changed.slice(head, changed.length - tail);
  if (come.some((line) => old.includes(line))) return undefined;
  if (gone.some((line) => changed.includes(line))) return undefined;
  const leading = old.slice(Math.max(0, head - diffContextLines), head);
  const trailing = old.slice(old.length - tail, old.length - tail + diffContextLines);
  const first = head - leading.length + 1;
  const shown = leading.length + trailing.length;
  const hunk = {
    oldStart: first,
    oldLines: shown + gone.length,
    newStart: first,
    newLines: shown + come.length,
    lines: [
      ...marked(" ", leading),
      ...marked("-", gone),
      ...marked("+", come),
      ...marked(" ", trailing),
    ],
  };
  return { oldFileName: path, newFileName: path, oldHeader: "", newHeader: "", hunks: [hunk] };
}

type Patch = ReturnType<typeof structuredPatch>;

/** Lines with their line breaks, which the last one may lack. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const whole = lines.map((line) => `${line}\n`);
  return last === "" ? whole : [...whole, last];
}

function marked(mark: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n")
      ? [mark + line.slice(0, -1)]
      : [mark + line, "\\ No newline at end of file"],
  );
}

function replacedWhole({ path, before, after }: DiffSource): DiffSummary {
  const removed = lineCount(before);
  const added = lineCount(after);
  const text = `--- ${path}\n+++ ${path}\n(${removed} lines replaced by ${added}; too different to show line by line)\n`;
  return { text, added, removed };
}

/** Maximum characters of a diff shown to a model; the user sees all of it. */
const modelChars = 1500;

/** Shortens a diff for a model and removes the carriage returns of line ends. */
export function diffForModel(diff: string): string {
  return cutAtLine(diff.replaceAll("\r\n", "\n"), modelChars).trimEnd();
}

function cutAtLine(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = text.lastIndexOf("\n", max - cutNoteChars) + 1;
  const left = newlinesBefore(text, text.length) - newlinesBefore(text, end);
  return `${text.slice(0, end)}(diff cut here, ${left} more lines)\n`;
}

const cutNoteChars = 50;

/** Number of lines in a text; an unfinished last line counts. */
export function lineCount(text: string): number {
  if (text === "") return 0;
  return newlinesBefore(text, text.length) + (text.endsWith("\n") ? 0 : 1);
}
