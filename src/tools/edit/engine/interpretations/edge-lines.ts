import { ways, type Undone } from "../reading.ts";

const leading = /^(?:[ \t]*\n)+/u;
const trailing = /(?:\n[ \t]*)+$/u;

/** Undoes blank lines around both texts; those of the file stay as they are. */
export function undoEdgeLines(oldText: string, newText: string): Undone[] {
  const old = edges(oldText);
  if (old.core === "" || (old.before === 0 && old.after === 0)) return [];
  const updated = edges(newText);
  const isClear =
    updated.core !== "" &&
    isSameEdge(old.before, updated.before) &&
    isSameEdge(old.after, updated.after);
  return [
    {
      ways: ways.edgeLines,
      oldText: old.core,
      newText: isClear ? updated.core : undefined,
      label: "without the blank lines around it",
      startsLine: old.before > 0,
      endsLine: old.after > 0,
    },
  ];
}

interface Edges {
  readonly core: string;
  /** Line breaks before and after the core. */
  readonly before: number;
  readonly after: number;
}

function edges(text: string): Edges {
  const head = leading.exec(text)?.[0] ?? "";
  const rest = text.slice(head.length);
  const tail = trailing.exec(rest)?.[0] ?? "";
  return {
    core: rest.slice(0, rest.length - tail.length),
    before: head.split("\n").length - 1,
    after: tail.split("\n").length - 1,
  };
}

/** Blank lines that only the new text has are wanted, and a single line break at most goes without saying. */
function isSameEdge(old: number, updated: number): boolean {
  return updated === old || (updated <= 1 && updated < old);
}
