import { formatPatch, structuredPatch } from "diff";

const contextLines = 3;
/** Maximum edit distance: texts that differ more are shown one after the other. */
const maxEditLength = 2000;

/** Difference of two texts in lines that begin with + and -. */
export function lineDifference(before: string, after: string): string {
  const options = { context: contextLines, maxEditLength };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  if (patch === undefined) return `Before:\n${before}\n\nNow:\n${after}`;
  if (patch.hunks.length === 0) return "(none)";
  return formatPatch(patch, {
    includeIndex: false,
    includeUnderline: false,
    includeFileHeaders: false,
  });
}
