/** Returns the words of `known` that `word` was most likely meant to be, best first, at most three. */
export function nearestWords(word: string, known: readonly string[]): readonly string[] {
  const typed = bare(word);
  if (typed === "") return [];
  const limit = Math.max(1, Math.floor(typed.length / 3));
  const close = known
    .map((candidate) => ({ candidate, far: distance(typed, bare(candidate)) }))
    .filter(({ far, candidate }) => far <= limit || bare(candidate).startsWith(typed))
    .toSorted((one, other) => one.far - other.far);
  const [best] = close;
  // If a known word differs by one letter, one that differs by two was not meant.
  const within = best !== undefined && best.far <= limit ? best.far : Number.POSITIVE_INFINITY;
  return close
    .filter(({ far }) => far <= within)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Returns " Did you mean X?", or an empty text if no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestWords(word, known);
  return nearest.length === 0 ? "" : ` Did you mean ${nearest.join(" or ")}?`;
}

/** Ignores letter case and leading dashes, which are not typing errors. */
function bare(word: string): string {
  return word.toLowerCase().replace(/^-+/u, "");
}

/**
 * Counts insertions, deletions, replacements and swaps of neighbors; verbs are short, so the full table is fast enough.
 */
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
