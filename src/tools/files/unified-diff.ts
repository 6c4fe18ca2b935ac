import { changedLines, newlinesBefore, type ChangedLines } from "../../core/index.ts";
import { lineChanges, type LineRun } from "./line-changes.ts";
import { quotedName } from "./quoted-name.ts";

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
/** Up to so many characters, texts are compared with what is equal at their ends. */
const maxWhole = 8192;
/** Characters of diff kept for interfaces and the log. */
const maxChars = 60_000;

/** The difference of two texts; lines equal at both ends are set aside first, so that size costs little. */
export function unifiedDiff({ path, before, after, firstLine = 1 }: DiffSource): DiffSummary {
  if (before === after) return { text: "", added: 0, removed: 0 };
  const { start, beforeEnd, afterEnd } = differingLines(before, after);
  const old = linesOf(before.slice(start, beforeEnd));
  const runs = lineChanges(old, linesOf(after.slice(start, afterEnd)), maxSearch);
  if (runs === undefined) return replacedWhole({ path, before, after });
  let added = 0;
  let removed = 0;
  for (const { mark, lines } of runs) {
    if (mark === "+") added += lines.length;
    else if (mark === "-") removed += lines.length;
  }
  const name = quotedName(path);
  const hunks = hunksOf(runs, firstLine + newlinesBefore(before, start));
  return { text: cutAtLine(`--- ${name}\n+++ ${name}\n${hunks}`), added, removed };
}

/** Few lines are sooner compared than their letters. */
function differingLines(before: string, after: string): ChangedLines {
  const isShort = before.length + after.length <= maxWhole;
  return isShort
    ? { start: 0, beforeEnd: before.length, afterEnd: after.length }
    : changedLines(before, after, diffContextLines);
}

/** Changes with the lines around them; those with few lines between them are told together. */
function hunksOf(runs: readonly LineRun[], firstLine: number): string {
  let text = "";
  let hunk: Hunk | undefined;
  let oldLine = firstLine;
  let newLine = firstLine;
  let leading: readonly string[] = [];
  for (const [index, { mark, lines }] of runs.entries()) {
    if (mark !== " ") {
      hunk ??= new Hunk(oldLine - leading.length, newLine - leading.length, leading);
      hunk.add(mark, lines);
    } else if (hunk !== undefined) {
      const isBetween = index < runs.length - 1 && lines.length <= diffContextLines * 2;
      hunk.add(mark, isBetween ? lines : lines.slice(0, diffContextLines));
      if (!isBetween) {
        text += hunk.text;
        hunk = undefined;
      }
    }
    if (mark !== "+") oldLine += lines.length;
    if (mark !== "-") newLine += lines.length;
    leading = lines.slice(-diffContextLines);
  }
  return hunk === undefined ? text : text + hunk.text;
}

class Hunk {
  readonly #oldStart: number;
  readonly #newStart: number;
  #oldLines = 0;
  #newLines = 0;
  #body = "";

  constructor(oldStart: number, newStart: number, leading: readonly string[]) {
    this.#oldStart = oldStart;
    this.#newStart = newStart;
    this.add(" ", leading);
  }

  add(mark: LineRun["mark"], lines: readonly string[]): void {
    if (mark !== "+") this.#oldLines += lines.length;
    if (mark !== "-") this.#newLines += lines.length;
    for (const line of lines) {
      this.#body += mark + (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`);
    }
  }

  get text(): string {
    const old = `${startOf(this.#oldStart, this.#oldLines)},${this.#oldLines}`;
    const now = `${startOf(this.#newStart, this.#newLines)},${this.#newLines}`;
    return `@@ -${old} +${now} @@\n${this.#body}`;
  }
}

/** Of no lines at all, the one before them is told. */
function startOf(line: number, count: number): number {
  return count === 0 ? line - 1 : line;
}

/** Lines with their ends, which the last one may lack. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const whole = lines.map((line) => `${line}\n`);
  return last === "" ? whole : [...whole, last];
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
