import { byName } from "./name-index.ts";
import { spellings, squashName } from "./names.ts";
import type { RegisteredTool } from "./registered-tool.ts";

/** More names than this help nobody choose. */
const maxNames = 3;

/** Half of the letters may differ, not more: beyond that a name is a guess. */
const maxShare = 0.5;

/** A name this long found inside the other is near whatever else differs: `Read` in `ReadTextFile`. */
const minContained = 3;

/** What is longer is no slip of a name, and comparing it would cost time. */
const maxLength = 128;

/** The names of the tools whose name or alias is closest to what was written, best first, at most three. */
export function nearestNames(name: string, tools: readonly RegisteredTool[]): readonly string[] {
  if (name.length > maxLength) return [];
  const wanted = spellings(name)
    .map(squashName)
    .filter((spelling) => spelling !== "");
  const near = tools.flatMap((tool) => {
    const own = [tool.name, ...(tool.traits.aliases ?? [])].map(squashName);
    const share = Math.min(1, ...wanted.flatMap((a) => own.map((b) => shareOfDifference(a, b))));
    return share <= maxShare ? [{ name: tool.name, share }] : [];
  });
  return near
    .toSorted((a, b) => a.share - b.share || byName(a, b))
    .slice(0, maxNames)
    .map((found) => found.name);
}

function shareOfDifference(a: string, b: string): number {
  const share = editDistance(a, b) / Math.max(a.length, b.length);
  const contained =
    Math.min(a.length, b.length) >= minContained && (a.includes(b) || b.includes(a));
  return contained ? Math.min(share, maxShare) : share;
}

/** Letters put in, left out, replaced, or swapped with their neighbour: the slip `Raed` is one step from `Read`. */
export function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let least = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, at(older, column - 2) + 1);
      }
      current.push(least);
    }
    older = previous;
    previous = current;
  }
  return at(previous, b.length);
}

/** Rows are filled up to the column asked for. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
