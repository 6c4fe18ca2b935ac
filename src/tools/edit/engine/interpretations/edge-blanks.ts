import { waysOf, type Undone } from "../reading.ts";

/** Undoes one space that both texts have before and after them, as a text has that was set apart from marks. */
export function undoEdgeBlanks(oldText: string, newText: string): Undone[] {
  const old = withoutEdges(oldText);
  const undone = withoutEdges(newText);
  if (old === undefined || undone === undefined) return [];
  return [
    {
      ways: waysOf("edgeBlanks"),
      oldText: old,
      newText: undone,
      label: "without the space at both ends",
    },
  ];
}

function withoutEdges(text: string): string | undefined {
  const isApart = text.startsWith(" ") && text.endsWith(" ") && text.trim() !== "";
  return isApart ? text.slice(1, -1) : undefined;
}

/** Whether a text has a space at both ends. */
export function isSetApart(text: string): boolean {
  return withoutEdges(text) !== undefined;
}

/** Whether both texts have a space at both ends, which the lines between do not have at their ends. */
export function mayBeSetApart({
  oldText,
  newText = "",
}: {
  readonly oldText: string;
  readonly newText: string | undefined;
}): boolean {
  if (!isSetApart(oldText) || !isSetApart(newText)) return false;
  const lines = oldText.split("\n").filter((line) => line.trim() !== "");
  return lines.length === 1 || lines.some((line) => !line.endsWith(" "));
}
