import { ToolError, type GrepQuery, type ToolContext } from "../../core/index.ts";

/** Matches where a search that found nothing did not look. */
export interface Elsewhere {
  /** Files that are not visible. */
  readonly ignored: readonly string[];
  /** Binary files, visible or not. */
  readonly binary: readonly string[];
  /** Whether it was stopped, by time or number, before it had looked everywhere. */
  readonly isCut: boolean;
}

/** Nobody waits longer for a hint. */
const maxMs = 2000;
const maxFiles = 1000;

/**
 * Looks for the pattern in ignored and binary files, so that "no match" is never taken for "nowhere". It costs
 * another search, and is worth it only where the first found nothing.
 */
export async function findElsewhere(
  query: GrepQuery,
  { host, signal }: ToolContext,
): Promise<Elsewhere> {
  const ignored: string[] = [];
  const binary: string[] = [];
  const stop = new AbortController();
  const cancel = host.clock.timer(maxMs, () => {
    stop.abort();
  });
  const either = AbortSignal.any([signal, stop.signal]);
  // What git keeps for itself is full of words and holds no file of the project.
  const globs = [...(query.globs ?? []), "!.git"];
  const wider = { ...query, globs, includeIgnored: true, presenceOnly: true };
  let isCut = true;
  try {
    for await (const event of host.search.grep(wider, { signal: either })) {
      if (event.kind === "end") isCut = false;
      else if (event.kind === "binary") binary.push(event.path);
      else ignored.push(event.path);
      if (ignored.length + binary.length >= maxFiles) break;
    }
  } catch (error) {
    if (signal.aborted || !ToolError.is(error) || !stop.signal.aborted) throw error;
  } finally {
    cancel();
  }
  return { ignored, binary, isCut };
}
