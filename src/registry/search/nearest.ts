import { byName } from "../name-index.ts";
import { spellings, squashName } from "../names.ts";
import type { RegisteredTool } from "../registered-tool.ts";

/** Maximum number of names suggested; more would not help to choose. */
const maxNames = 3;

/** Maximum share of letters that may differ; beyond half, a suggestion would be a guess. */
const maxShare = 0.5;

/**
 * Minimum length at which a name contained in the other counts as near, whatever else differs: `Read` in
 * `ReadTextFile`.
 */
const minContained = 3;

/** Maximum length compared. A longer text is not a mistyped name, and comparing it would cost time. */
const maxLength = 128;

/** Tools whose name or alias is closest to the text written, best first, at most three. */
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

/** Number of letters inserted, omitted, replaced, or swapped with a neighbor: `Raed` is one step from `Read`. */
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

/** Distance at a column, or infinity: rows are filled only up to the column requested. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
