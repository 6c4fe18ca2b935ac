import { ToolError } from "../../core/index.ts";

/** First and last number of a range, inclusive; Infinity for all that follow. */
export type PageRange = readonly [first: number, last: number];

/** Ranges in a list such as "3", "1-5", "2,7-9" or "12-". Numbers count from 1; 0 is treated as 1. */
export function pageRanges(pages: string, noun: string): readonly PageRange[] {
  return pages.split(",").map((part): PageRange => {
    const found = /^\s*(\d{1,9})\s*(?:(-)\s*(\d{0,9})\s*)?$/u.exec(part);
    const first = Math.max(1, Number(found?.[1]));
    const open = found?.[2] === "-" && found[3] === "";
    const last = open ? Number.POSITIVE_INFINITY : Number(found?.[3] ?? first);
    if (found !== null && last >= first) return [first, last];
    throw new ToolError("INVALID_INPUT", `${JSON.stringify(pages)} names no ${noun}s.`, {
      hint: `Write pages as "3", "1-5" or "2,7-9".`,
    });
  });
}

/** Numbers up to `total` that are in the ranges, in order, each once; all of them if no range is given. */
export function numbersIn(
  ranges: readonly PageRange[] | undefined,
  total: number,
): readonly number[] {
  const numbers = Array.from({ length: total }, (_, index) => index + 1);
  if (ranges === undefined) return numbers;
  return numbers.filter((number) =>
    ranges.some(([first, last]) => number >= first && number <= last),
  );
}

/** Error for ranges that contain no existing page. */
export function noneOf(total: number, noun: string, shown: string): ToolError {
  return new ToolError(
    "INVALID_INPUT",
    `${shown} has only ${total} ${noun}${total === 1 ? "" : "s"}.`,
    {
      hint: `Use pages between 1 and ${total}.`,
      data: { total },
    },
  );
}
