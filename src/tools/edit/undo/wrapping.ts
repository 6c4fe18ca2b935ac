/** Undoes lines around both texts that are none of the file: a code fence, or blank lines. */
import { relaxationsOf, type Undone } from "../candidate.ts";
import { endsLine, isBlank, startOfLine, type Place } from "../text.ts";

const opening = /^[ \t]*(?:`{3,}|~{3,})[^\n`]*\n/u;
const closing = /\n[ \t]*(?:`{3,}|~{3,})[ \t]*$/u;
const fenceLine = /^[ \t]*(?:`{3,}|~{3,})/gmu;

/**
 * Removes a code fence around a text, or half of one. In the new text, a fence is removed only if it is that of the old
 * text and the fences inside are paired as before.
 */
export function undoCodeFence(oldText: string, newText: string): Undone[] {
  const opened = opening.exec(oldText)?.[0];
  const isClosed = closing.test(oldText);
  if (opened === undefined && !isClosed) return [];
  const inner = withoutFence(oldText, { opens: opened !== undefined, closes: isClosed });
  return [
    {
      relaxations:
        opened !== undefined && isClosed
          ? relaxationsOf("codeFence")
          : relaxationsOf("codeFence", "halfFence"),
      oldText: inner,
      newText: newTextWithout(newText, { opened, isClosed, inner }),
      label: "without the code fence",
      endsLine: isClosed,
    },
  ];
}

interface Fence {
  readonly opened: string | undefined;
  readonly isClosed: boolean;
  /** Old text without the fence. */
  readonly inner: string;
}

function newTextWithout(
  newText: string,
  { opened, isClosed, inner: old }: Fence,
): string | undefined {
  // Trailing blanks after the fence are easily added to one of the two.
  const opens = opened !== undefined && opening.exec(newText)?.[0].trimEnd() === opened.trimEnd();
  const closes = isClosed && closing.test(newText);
  const opensOtherwise = opened !== undefined && !opens && opening.test(newText);
  if (opensOtherwise) return undefined;
  if (!opens && !closes) return newText;
  // The other half is missing, or the fence at the end may belong to a block of the new text.
  if (opens !== (opened !== undefined) || closes !== isClosed) return undefined;
  const inner = withoutFence(newText, { opens, closes });
  // A fence inside the old text may be the one that the new text has.
  const losesOwn =
    (opening.test(old) && !opening.test(inner)) || (closing.test(old) && !closing.test(inner));
  const isPaired = countFences(inner) % 2 === countFences(old) % 2;
  return isPaired && !losesOwn ? inner : undefined;
}

function countFences(text: string): number {
  return text.match(fenceLine)?.length ?? 0;
}

interface Halves {
  readonly opens: boolean;
  readonly closes: boolean;
}

function withoutFence(text: string, { opens, closes }: Halves): string {
  const start = opens ? (opening.exec(text)?.[0].length ?? 0) : 0;
  const end = closes ? (closing.exec(text)?.index ?? text.length) : text.length;
  // Both halves around an empty block share a line break, so its end is before its start.
  return text.slice(start, end);
}

/** Whether there is a fence next to a match, so that a removed one may be one of the file that the edit changes. */
export function isBesideFence(text: string, place: Place): boolean {
  const start = startOfLine(text, place.start);
  const after = text[place.end - 1] === "\n" ? place.end : text.indexOf("\n", place.end) + 1;
  return (
    (start > 0 && isFence(text, startOfLine(text, start - 1))) ||
    (after > 0 && isFence(text, after))
  );
}

/** Whether a match ends with the marks of a fence and leaves the rest of that line: a fence is a whole line. */
export function cutsFence(text: string, { start, end }: Place): boolean {
  const line = startOfLine(text, end);
  return (
    start < line && /^[ \t]*(?:`{3,}|~{3,})$/u.test(text.slice(line, end)) && !endsLine(text, end)
  );
}

function isFence(text: string, at: number): boolean {
  const fence = /[ \t]*(?:`{3,}|~{3,})/uy;
  fence.lastIndex = at;
  return fence.test(text);
}

const leading = /^(?:[ \t]*\n)+/u;

/**
 * Removes blank lines around both texts; those of the file stay. If the new text has none of those of the old text,
 * they may have been meant to be removed, unless the file has none.
 */
export function undoEdgeLines(oldText: string, newText: string): Undone[] {
  const before = countBreaks(leading.exec(oldText)?.[0]);
  const after = countBreaks(trailing(oldText));
  const core = withoutEdges(oldText, { before, after });
  if (core === undefined || (before === 0 && after === 0)) return [];
  // If the old text has none at one edge, one may have been lost there that the new text still has.
  const hasOthers =
    (before === 0 && leading.test(newText)) || (after === 0 && trailing(newText) !== "");
  const leavesOutBefore = before > 0 && !leading.test(newText);
  const leavesOutAfter = after > 0 && trailing(newText) === "";
  return [
    {
      relaxations: relaxationsOf("edgeLines"),
      oldText: core,
      newText: hasOthers
        ? undefined
        : withoutEdges(newText, {
            before: leavesOutBefore ? 0 : before,
            after: leavesOutAfter ? 0 : after,
          }),
      label: "without the blank lines around it",
      startsLine: before > 0,
      endsLine: after > 0,
      noBlankBefore: leavesOutBefore,
      noBlankAfter: leavesOutAfter,
    },
  ];
}

interface Edges {
  /** Number of line breaks to remove before and after the text. */
  readonly before: number;
  readonly after: number;
}

/** Removes that many line breaks at the edges, so that any others belong to the text; undefined if it has fewer. */
function withoutEdges(text: string, { before, after }: Edges): string | undefined {
  if (text.trim() === "") return undefined;
  const head = leading.exec(text)?.[0] ?? "";
  const first = cut(head.split("\n"), before);
  if (first === undefined) return undefined;
  const rest = first.join("\n") + text.slice(head.length);
  const tail = trailing(rest);
  const last = cut(tail.split("\n").toReversed(), after);
  if (last === undefined) return undefined;
  return rest.slice(0, rest.length - tail.length) + last.toReversed().join("\n");
}

/**
 * Line breaks at the end of a text, with the blanks after each; scanned from the end, because a pattern would try every
 * line.
 */
function trailing(text: string): string {
  let end = text.length;
  while (isBlank(text[end - 1]) || text[end - 1] === "\n") end--;
  const first = text.indexOf("\n", end);
  return first === -1 ? "" : text.slice(first);
}

/** Blank lines without the first ones; the text after the last line break stays. */
function cut(parts: readonly string[], breaks: number): string[] | undefined {
  return parts.length > breaks ? parts.slice(breaks) : undefined;
}

function countBreaks(text = ""): number {
  return text.split("\n").length - 1;
}
