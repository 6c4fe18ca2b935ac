/** The closest of `names` to a misspelt one, or undefined where none is close. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(left: string, right: string): number {
  let older: number[] = [];
  let old = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (old[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (old[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1] &&
        column > 1
      ) {
        cost = Math.min(cost, (older[column - 2] ?? 0) + 1);
      }
      line.push(cost);
    }
    older = old;
    old = line;
  }
  return old[right.length] ?? 0;
}
