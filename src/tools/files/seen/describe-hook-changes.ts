import type { FileView, HookChange, HookChangeSide, SeenFiles } from "../../../core/index.ts";
import { changedLines, namedPaths, newlinesBefore } from "../../../text/index.ts";
import { decodeText } from "../encodings/text-encoding.ts";
import { displayPath } from "../paths/display-path.ts";
import { lineCount, unifiedDiff } from "../unified-diff.ts";
import { mergeRanges, rangesAfter, type LineChange, type LineRange } from "./seen-lines.ts";

/** Characters of an answer for the sentences around the diffs. */
const sentenceChars = 1000;

/** Maximum characters of the diff of one file, and of all of them. */
const maxDiffChars = 3000;
const maxTotalChars = 6000;

/**
 * Text for a model about what hooks changed, with the differences as far as they are short. The session has seen what
 * the text shows; lines that changed and are not shown must be read before they are edited.
 */
export function describeHookChanges(
  changes: readonly HookChange[],
  {
    seen,
    cwd,
    maxChars,
  }: {
    readonly seen: SeenFiles | undefined;
    readonly cwd: string;
    /** Characters of the text that are not cut from the answer. */
    readonly maxChars: number;
  },
): string {
  const parts: string[] = [];
  const others: { readonly path: string; readonly during: string; readonly how: string }[] = [];
  const most = Math.min(maxTotalChars, maxChars - sentenceChars);
  let chars = 0;
  for (const hookChange of changes) {
    const { path, isPart, before, after } = hookChange;
    const shown = displayPath(path, cwd);
    const view = seen?.view(path);
    const during = whileRan(hookChange);
    if (!isPart) {
      const how = after.kind === before.kind ? "changed" : becameOf(after);
      others.push({ path, during, how: `${how}, ${unsure}` });
      continue;
    }
    if (after.hash === undefined) {
      seen?.forget(path);
      parts.push(`(${during}, ${shown} ${becameOf(after)}.)`);
      continue;
    }
    // A file whose state after the call the session has not seen needs to be read anyway.
    if (view === undefined || view.hash !== before.hash) {
      others.push({ path, during, how: "changed." });
      continue;
    }
    const change = textChange(shown, { view, before, after });
    const { hunks } = change ?? {};
    const isShown =
      change !== undefined &&
      hunks !== undefined &&
      change.diff.length <= Math.min(maxDiffChars, most - chars);
    if (isShown) {
      chars += change.diff.length;
      parts.push(`(${during}, ${shown} changed:)\n${change.diff}`);
      seen?.saw(path, viewWith(view, after.hash, hunks));
    } else {
      parts.push(`(${during}, ${shown} changed${linesOf(change)}.)`);
      seen?.saw(path, viewWithout(view, after.hash, change));
    }
  }
  for (const same of Map.groupBy(others, ({ during, how }) => `${during}, ${how}`).values()) {
    const named = namedPaths(
      same.map(({ path }) => path),
      cwd,
    );
    parts.push(
      ...same
        .slice(0, 1)
        .map(
          ({ during, how }) =>
            `(${during}, ${named} ${same.length === 1 ? how : how.replace(/^was /u, "were ")})`,
        ),
    );
  }
  return parts.join("\n");
}

const unsure = "perhaps by another program; undo does not cover that. Read before the next edit.";

/** Maximum number of hooks that are named. */
const maxHooks = 3;

function whileRan({ hooks }: HookChange): string {
  const named = hooks
    .slice(0, maxHooks)
    .map((hook) => `\`${hook}\``)
    .join(" and ");
  const more = hooks.length - maxHooks;
  const rest = more > 0 ? ` and ${more} more` : "";
  return `While the ${hooks.length === 1 ? "hook" : "hooks"} ${named}${rest} ran`;
}

function becameOf({ kind }: HookChangeSide): string {
  switch (kind) {
    case "absent":
      return "was deleted or moved";
    case "symlink":
      return "was replaced by a link";
    case "directory":
      return "was replaced by a directory";
    case "special":
      return "was replaced by a special file";
    case "file":
      return "changed";
  }
}

interface TextChange {
  readonly diff: string;
  /** From the first to the last change: lines before, and the number of lines in their place. */
  readonly first: number;
  readonly last: number;
  readonly lines: number;
  readonly totalBefore: number;
  /** Hunks of the diff; missing where it does not show every change. */
  readonly hunks?: readonly LineChange[];
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
  const { text, hunks } = unifiedDiff({ path: shown, before: from.text, after: to.text });
  return {
    diff: text.replaceAll("\r\n", "\n").trimEnd(),
    first,
    last: first + removed - 1,
    lines: lineCount(to.text.slice(start, afterEnd)),
    totalBefore: lineCount(from.text),
    ...(hunks === undefined ? {} : { hunks }),
  };
}

function linesOf(change: TextChange | undefined): string {
  if (change === undefined || change.lines === 0) return "; read it before the next edit";
  const last = change.first + change.lines - 1;
  return `; read lines ${change.first} to ${last} again before you edit them`;
}

/** The view after a change of which every hunk was shown. */
function viewWith(view: FileView, hash: string, hunks: readonly LineChange[]): FileView {
  const { ranges: _ranges, ...rest } = view;
  const ranges = rangesAfter(view, hunks);
  return { ...rest, hash, ...(ranges === undefined ? {} : { ranges }) };
}

/** The view after a change that was not shown: nothing of the changed part was seen. */
function viewWithout(view: FileView, hash: string, change: TextChange | undefined): FileView {
  if (change === undefined) return { ...view, hash, ranges: [] };
  const known = { ...view, ranges: view.ranges ?? [[1, change.totalBefore] as const] };
  const region: LineRange = [change.first, change.first + change.lines - 1];
  return { ...view, hash, ranges: without(rangesAfter(known, [change]) ?? [], region) };
}

function without(ranges: readonly LineRange[], [first, last]: LineRange): readonly LineRange[] {
  const parts = ranges.flatMap(([from, to]): readonly LineRange[] => [
    [from, Math.min(to, first - 1)],
    [Math.max(from, last + 1), to],
  ]);
  return mergeRanges(parts.filter(([from, to]) => from <= to));
}
