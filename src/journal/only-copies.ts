import type { PathRecord, Skipped } from "./records.ts";

/** Changes of a call of which some were not kept. */
export interface PartlyKept {
  readonly paths: readonly PathRecord[];
  /** What it took away or wrote over and nobody kept. */
  readonly lost: readonly { readonly path: string; readonly size?: number }[];
}

/**
 * What may be taken back, and what has to stay. A file the call made may be one that it moved there: where that one
 * was not kept, the file that was made is the only copy, and taking it back would lose it. By its size it is told
 * apart, where that is known.
 */
export function withoutOnlyCopies({ paths, lost }: PartlyKept): {
  readonly paths: readonly PathRecord[];
  readonly skipped: readonly Skipped[];
} {
  const [first] = lost;
  if (first === undefined) return { paths, skipped: [] };
  const because = `it may hold what ${first.path} held, which was not kept`;
  const sizes = lost.map(({ size }) => size);
  const isOnlyCopy = ({ before, after }: PathRecord): boolean =>
    before.kind === "absent" &&
    after?.kind === "file" &&
    after.size > 0 &&
    sizes.some((size) => size === undefined || size === after.size);
  return {
    paths: paths.filter((path) => !isOnlyCopy(path)),
    skipped: paths.filter(isOnlyCopy).map(({ path }) => ({ path, because })),
  };
}
