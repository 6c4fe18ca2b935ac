import type { CodeFinding } from "../../core/index.ts";
import { diffArrays } from "diff";

/** Number of changed lines above which they are not compared with each other: it would take seconds. */
const maxEdits = 500;

/**
 * Lines of a new text by their numbers in the old one, both counting from 1. A line that the edit changed has no
 * counterpart.
 */
function lineMap(before: readonly string[], after: readonly string[]): Map<number, number> {
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

/** Texts and problems of one file before and after an edit. */
export interface CheckedEdit {
  readonly before: string;
  readonly after: string;
  readonly found: {
    readonly before: readonly CodeFinding[];
    readonly after: readonly CodeFinding[];
  };
}

/**
 * Problems that the edit caused. A problem that was there before is not new, although its line has moved or was edited:
 * each problem after the edit that a problem before it explains is dropped with that one.
 */
export function newFindings({ before, after, found }: CheckedEdit): readonly CodeFinding[] {
  if (found.after.length === 0) return [];
  const [old, now] = [before.split("\n"), after.split("\n")];
  const map = lineMap(old, now);
  const left = new Set(found.before);
  const explained = (isSame: (one: CodeFinding) => boolean): boolean => {
    for (const each of left) {
      if (!isSame(each)) continue;
      left.delete(each);
      return true;
    }
    return false;
  };
  // An unchanged line keeps its problem, even if the message counts something.
  const moved = found.after.filter(
    (finding) =>
      !explained(
        (one) =>
          map.get(one.line) === finding.line &&
          one.code === finding.code &&
          withoutNumbers(one.message) === withoutNumbers(finding.message),
      ),
  );
  return moved.filter(
    (finding) =>
      !explained(
        (one) =>
          one.code === finding.code &&
          one.message === finding.message &&
          (!map.has(one.line) || old[one.line - 1]?.trim() === now[finding.line - 1]?.trim()),
      ),
  );
}

function withoutNumbers(message: string): string {
  return message.replaceAll(/\d+/gu, "0");
}
