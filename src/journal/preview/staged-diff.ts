import { changedLines, newlinesBefore } from "../../text/index.ts";

export interface TextChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface TextDiff {
  /** Complete unified diff. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
}

const contextLines = 3;
/** Maximum edit distance: texts that differ more share nothing worth showing, and comparing them takes seconds. */
const maxEditLength = 2000;

/**
 * Diff of two texts; undefined if they differ too much to show line by line. Equal lines at both ends are skipped
 * first, so that a small change in a large file costs little.
 */
export async function textDiff({ path, before, after }: TextChange): Promise<TextDiff | undefined> {
  const { formatPatch, structuredPatch } = await import("diff");
  const { start, beforeEnd, afterEnd } = changedLines(before, after, contextLines);
  const firstLine = newlinesBefore(before, start);
  const patch = structuredPatch(
    path,
    path,
    before.slice(start, beforeEnd),
    after.slice(start, afterEnd),
    undefined,
    undefined,
    { context: contextLines, maxEditLength },
  );
  if (patch === undefined) return undefined;
  let added = 0;
  let removed = 0;
  for (const hunk of patch.hunks) {
    hunk.oldStart += firstLine;
    hunk.newStart += firstLine;
    for (const line of hunk.lines) {
      if (line.startsWith("+")) added += 1;
      else if (line.startsWith("-")) removed += 1;
    }
  }
  const diff = formatPatch(patch, {
    includeIndex: false,
    includeUnderline: false,
    includeFileHeaders: true,
  });
  return { diff, added, removed };
}
