import type { HostClock } from "../core/index.ts";
import { findTools, type FindOptions, type FoundNow } from "./search/find-tools.ts";

/** Sources of tools that are not all there yet, such as servers. */
export interface ToolSources {
  readonly clock: Pick<HostClock, "sleep">;
  /** Settles when a source that is starting has listed its tools, or failed; undefined if none is starting. */
  nextListed(): Promise<void> | undefined;
  /** Sentences about sources that cannot be searched now. */
  notes(search: EndedSearch): readonly string[];
}

/** Search after which sources say what it could not find in them. */
export interface EndedSearch {
  readonly query: string;
  readonly isFound: boolean;
  /** Milliseconds after which it gave up waiting for a source that is still starting; absent if it did not. */
  readonly timedOutAfterMs?: number;
}

/** Longest wait for sources that are starting. */
const maxWaitMs = 2000;

/** Finds tools. Where none matches, waits a short time for sources that are starting, and searches their tools too. */
export async function findInSources(
  query: string,
  options: () => FindOptions,
  sources: ToolSources,
): Promise<FoundNow> {
  const search = async (): Promise<FoundNow> => await findTools(query, options());
  const first = await search();
  const { result, ...end } = hasMatch(first)
    ? { result: first }
    : await findAsListed(first, { search, sources, signal: options().means?.signal });
  const notes = sources.notes({ query, isFound: hasMatch(result), ...end });
  return notes.length === 0 ? result : { ...result, notes };
}

interface Waiting {
  readonly search: () => Promise<FoundNow>;
  readonly sources: ToolSources;
  readonly signal: AbortSignal | undefined;
}

/** Searches again each time that a source has listed its tools, until one matches, none is starting, or time is up. */
async function findAsListed(
  first: FoundNow,
  { search, sources, signal }: Waiting,
): Promise<{ readonly result: FoundNow } & Pick<EndedSearch, "timedOutAfterMs">> {
  let next = sources.nextListed();
  if (next === undefined) return { result: first };
  const ended = new AbortController();
  const stop = signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]);
  const late = sources.clock.sleep(maxWaitMs, { signal: stop }).then(timeIsUp, timeIsUp);
  let result = first;
  try {
    while (next !== undefined && !hasMatch(result)) {
      if ((await Promise.race([next, late])) === "late") {
        return signal?.aborted === true ? { result } : { result, timedOutAfterMs: maxWaitMs };
      }
      result = await search();
      next = sources.nextListed();
    }
    return { result };
  } finally {
    ended.abort();
  }
}

function timeIsUp(): "late" {
  return "late";
}

function hasMatch({ found, active }: FoundNow): boolean {
  return found.length + active.length > 0;
}
