import { isBlank } from "../match/match.ts";
import { waysOf, type Undone } from "./candidate.ts";

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
      ways: waysOf("edgeLines"),
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
