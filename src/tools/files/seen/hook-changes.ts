import type { FileView, SeenFiles } from "../../../core/index.ts";
import { changedLines, namedPaths, newlinesBefore } from "../../../text/index.ts";
import { decodeText } from "../encodings/text-encoding.ts";
import { displayPath } from "../paths/display-path.ts";
import { lineCount, unifiedDiff } from "../unified-diff.ts";
import { mergeRanges, rangesAfter, type LineRange } from "./seen-lines.ts";

/** Change that a hook made to a file after a call had changed it. */
export interface HookChange {
  readonly path: string;
  readonly before: FileSide;
  readonly after: FileSide;
}

interface FileSide {
  /** Missing where there is no file. */
  readonly hash?: string;
  /** Missing where the file is large. */
  readonly bytes?: Uint8Array;
}

/** Maximum characters of the diff of one file, and of all of them. */
const maxDiffChars = 3000;
const maxTotalChars = 6000;

/**
 * Text for a model about what hooks changed, with the differences as far as they are short. The session has seen what
 * the text shows; lines that changed and are not shown must be read before they are edited.
 */
export function describeHookChanges(
  changes: readonly HookChange[],
  { seen, cwd }: { readonly seen: SeenFiles | undefined; readonly cwd: string },
): string {
  const parts: string[] = [];
  const others: string[] = [];
  let chars = 0;
  for (const { path, before, after } of changes) {
    const shown = displayPath(path, cwd);
    const view = seen?.view(path);
    if (after.hash === undefined) {
      seen?.forget(path);
      parts.push(`(A hook of this call deleted ${shown}.)`);
      continue;
    }
    // A file whose state after the call the session has not seen needs to be read anyway.
    if (view === undefined || view.hash !== before.hash) {
      others.push(path);
      continue;
    }
    const change = textChange(shown, { view, before, after });
    const isShown =
      change !== undefined && change.diff.length <= Math.min(maxDiffChars, maxTotalChars - chars);
    if (change !== undefined && isShown) {
      chars += change.diff.length;
      parts.push(
        `(A hook of this call changed ${shown}, which now differs from it:)\n${change.diff}`,
      );
    } else {
      parts.push(`(A hook of this call changed ${shown}${linesOf(change)}.)`);
    }
    seen?.saw(path, viewNow(view, after.hash, { change, isShown }));
  }
  if (others.length > 0) parts.push(`(A hook of this call changed ${namedPaths(others, cwd)}.)`);
  return parts.join("\n");
}

interface TextChange {
  readonly diff: string;
  /** Lines before the change, and the number of lines in their place. */
  readonly first: number;
  readonly last: number;
  readonly lines: number;
  readonly totalBefore: number;
}

function textChange(
  shown: string,
  { view, before, after }: Pick<HookChange, "before" | "after"> & { readonly view: FileView },
): TextChange | undefined {
  if (view.encoding !== undefined || before.bytes === undefined || after.bytes === undefined)
    return undefined;
  const [from, to] = [decodeText(before.bytes), decodeText(after.bytes)];
  if (!("text" in from) || !("text" in to)) return undefined;
  const { start, beforeEnd, afterEnd } = changedLines(from.text, to.text, 0);
  const first = newlinesBefore(from.text, start) + 1;
  const removed = lineCount(from.text.slice(start, beforeEnd));
  const { text } = unifiedDiff({ path: shown, before: from.text, after: to.text });
  return {
    diff: text.replaceAll("\r\n", "\n").trimEnd(),
    first,
    last: first + removed - 1,
    lines: lineCount(to.text.slice(start, afterEnd)),
    totalBefore: lineCount(from.text),
  };
}

function linesOf(change: TextChange | undefined): string {
  if (change === undefined || change.lines === 0) return "; read it before the next edit";
  const last = change.first + change.lines - 1;
  return `; read lines ${change.first} to ${last} again before you edit them`;
}

function viewNow(
  view: FileView,
  hash: string,
  { change, isShown }: { readonly change: TextChange | undefined; readonly isShown: boolean },
): FileView {
  const { ranges: _ranges, ...rest } = view;
  if (change === undefined) return { ...rest, hash, ranges: [] };
  if (isShown) {
    const ranges = rangesAfter(view, [change]);
    return { ...rest, hash, ...(ranges === undefined ? {} : { ranges }) };
  }
  const known = { ...view, ranges: view.ranges ?? [[1, change.totalBefore] as const] };
  const region: LineRange = [change.first, change.first + change.lines - 1];
  return { ...rest, hash, ranges: without(rangesAfter(known, [change]) ?? [], region) };
}

function without(ranges: readonly LineRange[], [first, last]: LineRange): readonly LineRange[] {
  const parts = ranges.flatMap(([from, to]): readonly LineRange[] => [
    [from, Math.min(to, first - 1)],
    [Math.max(from, last + 1), to],
  ]);
  return mergeRanges(parts.filter(([from, to]) => from <= to));
}
