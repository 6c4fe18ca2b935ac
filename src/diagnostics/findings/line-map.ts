import { diffArrays } from "diff";

/** Number of changed lines above which they are not compared with each other: it would take seconds. */
const maxEdits = 500;

/**
 * Lines of a new text by their numbers in the old one, both counting from 1. A line that the edit changed has no
 * counterpart.
 */
export function lineMap(before: readonly string[], after: readonly string[]): Map<number, number> {
  const map = new Map<number, number>();
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    start += 1;
    map.set(start, start);
  }
  const shorter = Math.min(before.length, after.length) - start;
  let same = 0;
  while (same < shorter && before.at(-1 - same) === after.at(-1 - same)) {
    map.set(before.length - same, after.length - same);
    same += 1;
  }
  const changes = diffArrays(
    before.slice(start, before.length - same),
    after.slice(start, after.length - same),
    { maxEditLength: maxEdits },
  );
  let old = start;
  let now = start;
  for (const { count, added, removed } of changes ?? []) {
    if (added) now += count;
    else if (removed) old += count;
    else {
      for (let step = 1; step <= count; step += 1) map.set(old + step, now + step);
      old += count;
      now += count;
    }
  }
  return map;
}
