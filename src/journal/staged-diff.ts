/** A file's bytes as text, with its byte order mark, and how its characters are kept. */
export interface ReadableText {
  readonly text: string;
  readonly encoding: "UTF-8" | "UTF-16LE" | "UTF-16BE";
}

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

/** The text of a file that a diff can show; undefined for what is none. */
export function readableText(bytes: Uint8Array): ReadableText | undefined {
  const encoding = encodingOf(bytes);
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : { text, encoding };
  } catch {
    return undefined;
  }
}

function encodingOf([first, second]: Uint8Array): ReadableText["encoding"] {
  if (first === 0xff && second === 0xfe) return "UTF-16LE";
  return first === 0xfe && second === 0xff ? "UTF-16BE" : "UTF-8";
}

/**
 * The difference of two texts; undefined where they are too different to show line by line. Lines equal at both ends
 * are set aside first, so that a small change of a large file costs little.
 */
export async function textDiff({ path, before, after }: TextChange): Promise<TextDiff | undefined> {
  const { formatPatch, structuredPatch } = await import("diff");
  const { start, beforeEnd, afterEnd, firstLine } = changedPart(before, after);
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

/** Whole lines: those that differ, with those a diff shows around them. */
function changedPart(before: string, after: string) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let same = 0;
  while (
    same < shorter - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  ) {
    same += 1;
  }
  for (let lines = 0; lines <= contextLines && start > 0; lines += 1) {
    start = before.lastIndexOf("\n", start - 2) + 1;
  }
  let end = before.length - same;
  for (let lines = 0; lines <= contextLines && end < before.length; lines += 1) {
    const newline = before.indexOf("\n", end);
    end = newline === -1 ? before.length : newline + 1;
  }
  return {
    start,
    beforeEnd: end,
    afterEnd: after.length - (before.length - end),
    firstLine: linesBefore(before, start),
  };
}

function linesBefore(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}
