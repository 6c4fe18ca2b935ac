/** Lines that stand together and all went, came or stayed. */
export interface LineRun {
  readonly mark: "-" | "+" | " ";
  readonly lines: readonly string[];
}

/**
 * What has to go from lines and to come to them to make others of them, in order: as few lines as can be, or undefined
 * where that are more than `most`. Of several ways it is the one that goes furthest in the lines before.
 */
export function lineChanges(
  before: readonly string[],
  after: readonly string[],
  most: number,
): readonly LineRun[] | undefined {
  const last = lastPath(before, after, Math.min(most, before.length + after.length));
  return last && runsOf(last, before, after);
}

/** A way to some place in both texts: the one before, one line that goes or comes, and the equal lines behind it. */
interface Path {
  /** Lines of the text before that are behind it. */
  readonly old: number;
  readonly equal: number;
  readonly isAdded: boolean;
  readonly from: Path | undefined;
}

/** The search goes on from the furthest place on each diagonal: lines before less lines after. */
function lastPath(
  before: readonly string[],
  after: readonly string[],
  most: number,
): Path | undefined {
  const equalFrom = (old: number, now: number): number => {
    let count = 0;
    const room = Math.min(before.length - old, after.length - now);
    while (count < room && before[old + count] === after[now + count]) count += 1;
    return count;
  };
  const start = equalFrom(0, 0);
  const first: Path = { old: start, equal: start, isAdded: false, from: undefined };
  if (start === before.length && start === after.length) return first;
  // Diagonals below zero as well.
  const middle = most + 1;
  const furthest = Array.from<Path | undefined>({ length: middle + middle + 1 });
  furthest[middle] = first;
  // Behind the end of one text only the other one goes on, which diagonals nearer to it do with fewer lines.
  let lowest = start === after.length ? 1 : Number.NEGATIVE_INFINITY;
  let highest = start === before.length ? -1 : Number.POSITIVE_INFINITY;
  for (let changes = 1; changes <= most; changes += 1) {
    const end = Math.min(highest, changes);
    let diagonal = Math.max(lowest, -changes);
    // Each change leads to the next diagonal.
    if ((diagonal - changes) % 2 !== 0) diagonal += 1;
    for (; diagonal <= end && diagonal <= highest; diagonal += 2) {
      const removing = furthest[middle + diagonal - 1];
      const adding = furthest[middle + diagonal + 1];
      const canRemove = removing !== undefined && removing.old < before.length;
      const canAdd = adding !== undefined && adding.old - diagonal - 1 < after.length;
      const isAdded = canAdd && (!canRemove || removing.old < adding.old);
      const from = isAdded ? adding : removing;
      if (from === undefined || !(canAdd || canRemove)) {
        furthest[middle + diagonal] = undefined;
        continue;
      }
      const reached = from.old + (isAdded ? 0 : 1);
      const equal = equalFrom(reached, reached - diagonal);
      const old = reached + equal;
      const path = { old, equal, isAdded, from };
      const isAtEnd = old === before.length;
      if (isAtEnd && old - diagonal === after.length) return path;
      furthest[middle + diagonal] = path;
      if (isAtEnd) highest = Math.min(highest, diagonal - 1);
      if (old - diagonal === after.length) lowest = Math.max(lowest, diagonal + 1);
    }
  }
  return undefined;
}

function runsOf(last: Path, before: readonly string[], after: readonly string[]): LineRun[] {
  const steps: Path[] = [];
  for (let path: Path | undefined = last; path !== undefined; path = path.from) steps.push(path);
  const runs: { readonly mark: LineRun["mark"]; readonly lines: string[] }[] = [];
  const add = (mark: LineRun["mark"], line: string | undefined): void => {
    if (line === undefined) return;
    const run = runs.at(-1);
    if (run?.mark === mark) run.lines.push(line);
    else runs.push({ mark, lines: [line] });
  };
  let old = 0;
  let now = 0;
  for (const { equal, isAdded, from } of steps.toReversed()) {
    if (from !== undefined) {
      if (isAdded) add("+", after[now++]);
      else add("-", before[old++]);
    }
    for (let count = 0; count < equal; count += 1) {
      add(" ", before[old++]);
      now += 1;
    }
  }
  return runs;
}
