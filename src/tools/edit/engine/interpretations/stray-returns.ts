import { waysOf, type Undone } from "../reading.ts";

const stray = /\r(?=[ \t]+(?:\n|$))/gu;

/** Undoes returns behind which a line has blanks before it ends, as blanks stand that were added to `\r\n`. */
export function undoStrayReturns(oldText: string, newText: string): Undone[] {
  const old = oldText.replaceAll(stray, "");
  if (old === oldText) return [];
  return [
    {
      ways: waysOf("trailingSpace"),
      oldText: old,
      newText: newText.replaceAll(stray, ""),
      label: "without returns before blanks at line ends",
    },
  ];
}
