import { startOfLine, type Place } from "../match/match.ts";
import { waysOf, type Undone } from "./candidate.ts";

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
      ways:
        opened !== undefined && isClosed ? waysOf("codeFence") : waysOf("codeFence", "halfFence"),
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

/**
 * Whether a removed fence may be one of the file that the edit changes: there is a fence next to the match, or only
 * half of one was removed and the file has fences.
 */
export function mayBeOwnFence(text: string, place: Place, isHalf: boolean): boolean {
  if (isHalf) return /^[ \t]*(?:`{3,}|~{3,})/mu.test(text);
  const start = startOfLine(text, place.start);
  const after = text[place.end - 1] === "\n" ? place.end : text.indexOf("\n", place.end) + 1;
  return (
    (start > 0 && isFence(text, startOfLine(text, start - 1))) ||
    (after > 0 && isFence(text, after))
  );
}

function isFence(text: string, at: number): boolean {
  const fence = /[ \t]*(?:`{3,}|~{3,})/uy;
  fence.lastIndex = at;
  return fence.test(text);
}
