/** Above this many comparisons only lines at the start and the end are found to be the same. */
const maxComparisons = 1_000_000;

/**
 * For each new line the old line it is, if any. Lines at the end go first, then those at the start; with
 * "all" a longest common subsequence of what is left, too.
 */
export function keptLines(
  old: readonly string[],
  updated: readonly string[],
  which: "all" | "edges",
): (number | undefined)[] {
  const kept: (number | undefined)[] = updated.map(() => undefined);
  const shorter = Math.min(old.length, updated.length);
  let tail = 0;
  while (tail < shorter && old.at(-1 - tail) === updated.at(-1 - tail)) {
    tail++;
    kept[updated.length - tail] = old.length - tail;
  }
  let head = 0;
  while (head < shorter - tail && old[head] === updated[head]) kept[head] = head++;
  if (which === "edges") return kept;
  const before = old.slice(head, old.length - tail);
  const after = updated.slice(head, updated.length - tail);
  if (before.length * after.length > maxComparisons) return kept;
  for (const [oldIndex, newIndex] of commonSubsequence(before, after)) {
    kept[head + newIndex] = head + oldIndex;
  }
  return kept;
}

function commonSubsequence(
  before: readonly string[],
  after: readonly string[],
): (readonly [number, number])[] {
  const width = after.length + 1;
  // How long the common subsequence of what is left of both is, for each pair of starts.
  const lengths = new Uint32Array((before.length + 1) * width);
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) pairs.push([row++, column++]);
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}
