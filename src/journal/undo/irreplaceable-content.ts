import type { LostContent, PathRecord, NotCaptured } from "../records.ts";

/** Changes of a call of which some were not stored. */
export interface PartlyStored {
  readonly paths: readonly PathRecord[];
  /** Files that the call removed or overwrote without a stored copy. */
  readonly lost: readonly LostContent[];
}

/**
 * Separates the paths that undo may change from those that have to stay. A file that the call created or overwrote may
 * be the moved original of a lost file: then it is the only copy, and undo would lose it. They are matched by content,
 * else by size; if neither is known, every file that the call created stays.
 */
export function withoutOnlyCopies({ paths, lost }: PartlyStored): {
  readonly paths: readonly PathRecord[];
  readonly skipped: readonly NotCaptured[];
} {
  const [first] = lost;
  if (first === undefined) return { paths, skipped: [] };
  const hashes = new Map<string, string>();
  const sizes = new Map<number | undefined, string>();
  for (const { path, size, hash } of lost) {
    if (hash === undefined) sizes.set(size, sizes.get(size) ?? path);
    else hashes.set(hash, hashes.get(hash) ?? path);
  }
  /** LostContent file of which this path may be the only copy. */
  const originalOf = ({ before, after }: PathRecord): string | undefined => {
    if (after?.kind !== "file" || after.size === 0) return undefined;
    const unknown = before.kind === "absent" ? sizes.get(undefined) : undefined;
    if (unknown !== undefined) return unknown;
    if (before.kind === "file" && before.hash === after.hash) return undefined;
    return hashes.get(after.hash) ?? sizes.get(after.size);
  };
  const skipped: NotCaptured[] = [];
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
