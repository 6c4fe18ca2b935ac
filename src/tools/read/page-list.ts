import { ToolError } from "../../core/index.ts";

export interface PageListRequest {
  /** As in "3", "1-5", "2,7-9" or "12-". Left out: all of them. */
  readonly pages: string | undefined;
  /** How many there are. */
  readonly total: number;
  /** What is counted: "page" or "cell". */
  readonly noun: string;
  readonly shown: string;
}

/** The numbers a list names, in order, each once. */
export function pageList({ pages, total, noun, shown }: PageListRequest): readonly number[] {
  if (pages === undefined) return Array.from({ length: total }, (_, index) => index + 1);
  const wanted = new Set<number>();
  for (const part of pages.split(",")) {
    const found = /^\s*(\d+)\s*(?:(-)\s*(\d*)\s*)?$/u.exec(part);
    const first = Math.max(1, Number(found?.[1]));
    const last = found?.[2] === undefined ? first : found[3] === "" ? total : Number(found[3]);
    if (found === null || last < first) {
      throw new ToolError("INVALID_INPUT", `${JSON.stringify(pages)} names no ${noun}s.`, {
        hint: `Write pages as "3", "1-5" or "2,7-9".`,
      });
    }
    for (let page = first; page <= Math.min(last, total); page++) wanted.add(page);
  }
  if (wanted.size === 0) {
    throw new ToolError("INVALID_INPUT", `${shown} has only ${total} ${noun}s.`, {
      hint: `Use pages between 1 and ${total}.`,
      data: { total },
    });
  }
  return [...wanted].toSorted((one, other) => one - other);
}
