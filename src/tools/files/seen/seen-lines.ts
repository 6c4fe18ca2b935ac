import type { FileView } from "../../../core/index.ts";

/** An inclusive range of line numbers, from 1. */
export type LineRange = readonly [first: number, last: number];

/** A change that replaces the lines `first` to `last` by `lines` lines. */
export interface LineChange {
  readonly first: number;
  readonly last: number;
  readonly lines: number;
}

/** Sorts ranges and joins those that overlap or touch. */
export function mergeRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const previous = merged.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) {
      previous[1] = Math.max(previous[1], last);
    } else if (last >= first) {
      merged.push([first, last]);
    }
  }
  return merged;
}

/** The first lines of `wanted` that were not shown, or undefined if all were. */
export function firstUnseen(view: FileView, [first, last]: LineRange): LineRange | undefined {
  if (view.ranges === undefined) return undefined;
  let line = first;
  for (const [from, to] of mergeRanges(view.ranges)) {
    if (line > last) return undefined;
    if (from > line) return [line, Math.min(last, from - 1)];
    line = Math.max(line, to + 1);
  }
  return line > last ? undefined : [line, last];
}

/** Known lines of a file after changes: lines seen before, at their new numbers, and the new ones. */
export function rangesAfter(
  view: FileView,
  changes: readonly LineChange[],
): readonly LineRange[] | undefined {
  if (view.ranges === undefined) return undefined;
  const seen: LineRange[] = [];
  let shift = 0;
  let line = 1;
  for (const change of changes.toSorted((one, other) => one.first - other.first)) {
    seen.push(...partOf(view.ranges, [line, change.first - 1], shift));
    if (change.lines > 0) {
      seen.push([change.first + shift, change.first + shift + change.lines - 1]);
    }
    shift += change.lines - (change.last - change.first + 1);
    line = change.last + 1;
  }
  seen.push(...partOf(view.ranges, [line, Number.MAX_SAFE_INTEGER], shift));
  return mergeRanges(seen);
}

function partOf(
  ranges: readonly LineRange[],
  [first, last]: LineRange,
  shift: number,
): LineRange[] {
  return ranges
    .map(([from, to]): LineRange => [Math.max(from, first), Math.min(to, last)])
    .filter(([from, to]) => from <= to)
    .map(([from, to]) => [from + shift, to + shift]);
}
