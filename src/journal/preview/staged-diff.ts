import { changedLines, newlinesBefore } from "../../text/index.ts";

export interface TextChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface TextDiff {
  /** Unified, whole. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
}

const contextLines = 3;
/** Texts further apart share nothing worth showing, and finding out takes seconds. */
const maxEditLength = 2000;

/**
 * The difference of two texts; undefined where they are too different to show line by line. Lines equal at both ends
 * are set aside first, so that a small change of a large file costs little.
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
