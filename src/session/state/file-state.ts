import type { SeenFiles, FileView } from "../../core/index.ts";

/**
 * Maximum number of files remembered for one session; beyond it the file not seen for the longest time is forgotten and
 * must be read again.
 */
const maxFiles = 10_000;

/** Files seen by each session, in memory. */
export interface FileStates {
  /** Returns the state of a session, always the same object. Calls without a session share one. */
  of(sessionId: string | undefined): SeenFiles;
  /** Forgets all files that a session has seen. */
  end(sessionId: string | undefined): void;
}

export function memoryFileStates(): FileStates {
  const states = new Map<string | undefined, SeenFiles>();
  return {
    of(sessionId) {
      const known = states.get(sessionId);
      if (known !== undefined) return known;
      const state = memoryFileState();
      states.set(sessionId, state);
      return state;
    },
    end(sessionId) {
      states.delete(sessionId);
    },
  };
}

/** File state of one session. Views of the same content are merged; another hash or encoding starts over. */
export function memoryFileState(): SeenFiles {
  const views = new Map<string, FileView>();
  return {
    saw(path, view) {
      const merged = merge(views.get(path), view);
      views.delete(path);
      views.set(path, merged);
      if (views.size > maxFiles) {
        const [oldest] = views.keys();
        if (oldest !== undefined) views.delete(oldest);
      }
    },
    view: (path) => views.get(path),
    forget(path) {
      views.delete(path);
    },
  };
}

function merge(before: FileView | undefined, now: FileView): FileView {
  if (before?.hash !== now.hash || before.encoding?.name !== now.encoding?.name) return now;
  const isNamed = before.encoding?.isConcluded !== true;
  // An encoding that the caller named stays in effect when a later read only detects the same one.
  const encoding = isNamed ? before.encoding : now.encoding;
  const seen = { hash: now.hash, ...(encoding === undefined ? {} : { encoding }) };
  if (now.ranges === undefined || before.ranges === undefined) return seen;
  if (encoding === before.encoding && isWithin(before.ranges, now.ranges)) return before;
  return { ...seen, ranges: union([...before.ranges, ...now.ranges]) };
}

type Range = readonly [first: number, last: number];

/** Whether the ranges add nothing new. This avoids work for files that are edited and read repeatedly. */
function isWithin(known: readonly Range[], seen: readonly Range[]): boolean {
  return seen.every(([first, last]) => known.some(([from, to]) => from <= first && last <= to));
}

/** Sorts ranges and merges those that overlap or touch. */
function union(ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = [];
  for (const [first, last] of ranges.toSorted((left, right) => left[0] - right[0])) {
    const previous = joined.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) {
      joined[joined.length - 1] = [previous[0], Math.max(previous[1], last)];
    } else {
      joined.push([first, last]);
    }
  }
  return joined;
}
