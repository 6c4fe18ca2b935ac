import type { Lost, PathRecord, Skipped } from "./records.ts";

/** Changes of a call of which some were not kept. */
export interface PartlyKept {
  readonly paths: readonly PathRecord[];
  /** What it took away or wrote over and nobody kept. */
  readonly lost: readonly Lost[];
}

/**
 * What may be taken back, and what has to stay. A file the call made or wrote over may be one that it moved there: where
 * that one was not kept, it is the only copy, and taking it back would lose it. By its size it is told apart; where that
 * is not known, whatever the call made stays.
 */
export function withoutOnlyCopies({ paths, lost }: PartlyKept): {
  readonly paths: readonly PathRecord[];
  readonly skipped: readonly Skipped[];
} {
  const [first] = lost;
  if (first === undefined) return { paths, skipped: [] };
  const because = `it may hold what ${first.path} held, which was not kept`;
  const sizes = lost.map(({ size }) => size);
  const isOnlyCopy = ({ before, after }: PathRecord): boolean => {
    if (after?.kind !== "file" || after.size === 0) return false;
    if (before.kind === "absent" && sizes.includes(undefined)) return true;
    return sizes.includes(after.size) && !(before.kind === "file" && before.hash === after.hash);
  };
  return {
    paths: paths.filter((path) => !isOnlyCopy(path)),
    skipped: paths.filter(isOnlyCopy).map(({ path }) => ({ path, because })),
  };
}
