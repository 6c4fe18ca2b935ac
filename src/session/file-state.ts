import type { FileState, FileView } from "../core/index.ts";

/** Files remembered for one session; past it the longest unseen is forgotten, and must be read again. */
const maxFiles = 10_000;

/** What each session has seen of its files, kept in memory. */
export interface FileStates {
  /** The same state for the same session, always. Calls of no session share one. */
  of(sessionId: string | undefined): FileState;
  /** Forgets all that a session has seen. */
  end(sessionId: string | undefined): void;
}

export function memoryFileStates(): FileStates {
  const states = new Map<string | undefined, FileState>();
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

/** What one session has seen. Views of the same content add up; another hash or encoding starts over. */
export function memoryFileState(): FileState {
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
  // Once somebody said what it is, a look that only concludes the same takes nothing back.
  const encoding = isNamed ? before.encoding : now.encoding;
  const seen = { hash: now.hash, ...(encoding === undefined ? {} : { encoding }) };
  if (now.ranges === undefined || before.ranges === undefined) return seen;
  if (encoding === before.encoding && isWithin(before.ranges, now.ranges)) return before;
  return { ...seen, ranges: union([...before.ranges, ...now.ranges]) };
}

type Range = readonly [first: number, last: number];

/** Nothing new was seen: what is edited over and over is read over and over. */
function isWithin(known: readonly Range[], seen: readonly Range[]): boolean {
  return seen.every(([first, last]) => known.some(([from, to]) => from <= first && last <= to));
}

/** Sorted, with ranges that overlap or touch made one. */
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
