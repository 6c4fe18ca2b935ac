/** The words of `known` that `word` was most likely meant to be, best first, at most three. */
export function nearestWords(word: string, known: readonly string[]): readonly string[] {
  const limit = Math.max(2, Math.floor(word.length / 3));
  return known
    .map((candidate) => ({
      candidate,
      distance: distance(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ distance: far, candidate }) => far <= limit || candidate.startsWith(word))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Insertions, deletions, replacements and swaps of neighbours; verbs are short, so the plain table will do. */
function distance(one: string, other: string): number {
  let above: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let left = 1; left <= one.length; left += 1) {
    const next = [left];
    for (let right = 1; right <= other.length; right += 1) {
      const isSame = one[left - 1] === other[right - 1];
      let best = Math.min(
        (row[right] ?? 0) + 1,
        (next[right - 1] ?? 0) + 1,
        (row[right - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (one[left - 1] === other[right - 2] && one[left - 2] === other[right - 1]) {
        best = Math.min(best, (above[right - 2] ?? Number.POSITIVE_INFINITY) + 1);
      }
      next.push(best);
    }
    above = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
