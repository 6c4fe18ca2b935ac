import type { CodeFinding } from "../../core/index.ts";
import { lineMap } from "./line-map.ts";

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
