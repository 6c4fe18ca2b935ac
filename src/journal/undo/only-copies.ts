import type { Lost, PathRecord, Skipped } from "../records.ts";

/** Changes of a call of which some were not kept. */
export interface PartlyKept {
  readonly paths: readonly PathRecord[];
  /** What it took away or wrote over and nobody kept. */
  readonly lost: readonly Lost[];
}

/**
 * Parts what undo may change from what has to stay. A file that the call made or wrote over may be one that it moved
 * there: where that one was not kept, it is the only copy, and undo would lose it. The content tells them apart, else the
 * size; where neither is known, whatever the call made stays.
 */
export function withoutOnlyCopies({ paths, lost }: PartlyKept): {
  readonly paths: readonly PathRecord[];
  readonly skipped: readonly Skipped[];
} {
  const [first] = lost;
  if (first === undefined) return { paths, skipped: [] };
  const hashes = new Map<string, string>();
  const sizes = new Map<number | undefined, string>();
  for (const { path, size, hash } of lost) {
    if (hash === undefined) sizes.set(size, sizes.get(size) ?? path);
    else hashes.set(hash, hashes.get(hash) ?? path);
  }
  /** The lost file of which this may be the only copy. */
  const originalOf = ({ before, after }: PathRecord): string | undefined => {
    if (after?.kind !== "file" || after.size === 0) return undefined;
    const unknown = before.kind === "absent" ? sizes.get(undefined) : undefined;
    if (unknown !== undefined) return unknown;
    if (before.kind === "file" && before.hash === after.hash) return undefined;
    return hashes.get(after.hash) ?? sizes.get(after.size);
  };
  const skipped: Skipped[] = [];
  const free = paths.filter((each) => {
    const original = originalOf(each);
    if (original === undefined) return true;
    skipped.push({
      path: each.path,
      because: `it may hold what ${original} held, which was not kept`,
    });
    return false;
  });
  return { paths: free, skipped };
}
