import { z } from "zod";
import { defaultLimits, ToolError } from "../../core/index.ts";
import type { LineRange } from "./page.ts";

const offset = z.int().min(0).optional();
const limit = z.int().min(1).max(100_000).optional();

export const ReadInput = z.strictObject({
  file_path: z.string().min(1).describe("Absolute, or relative to the working directory."),
  offset: offset.describe("First line, from 1."),
  limit: limit.describe(`Number of lines. Default ${defaultLimits.read.lines}.`),
  ranges: z
    .array(z.strictObject({ offset, limit }))
    .min(1)
    .max(50)
    .optional()
    .describe("Several parts in one call, instead of offset and limit."),
  column: z
    .int()
    .min(0)
    .optional()
    .describe("First character to show of lines too long to show whole."),
  pages: z.string().optional().describe('Of a PDF, or cells of a notebook: "3", "1-5", "2,7-9".'),
  encoding: z
    .string()
    .optional()
    .describe("Where the one detected is wrong: gb18030, big5, shift_jis, windows-1251."),
  format: z.enum(["markdown"]).optional().describe("For HTML."),
});

export type ReadInput = z.infer<typeof ReadInput>;

/** Whether the call requests specific lines. */
export function namesLines({ offset: first, limit: count, ranges }: ReadInput): boolean {
  return first !== undefined || count !== undefined || ranges !== undefined;
}

/** Lines that a call requests, ascending and disjoint. */
export function wantedLines(input: ReadInput, defaultLines: number): readonly LineRange[] {
  const { ranges, offset: first, limit: count } = input;
  if (ranges === undefined) return [lineRange({ offset: first, limit: count }, defaultLines)];
  if (first !== undefined || count !== undefined) {
    throw new ToolError("INVALID_INPUT", "Read takes either offset and limit, or ranges.", {
      hint: "Put every part into ranges, each with its own offset and limit.",
    });
  }
  return apart(ranges.map((range) => lineRange(range, defaultLines)));
}

type Span = NonNullable<ReadInput["ranges"]>[number];

function lineRange(span: Span, defaultLines: number): LineRange {
  const first = Math.max(1, span.offset ?? 1);
  return { first, last: first + (span.limit ?? defaultLines) - 1 };
}

function apart(ranges: readonly LineRange[]): readonly LineRange[] {
  const joined: LineRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.first - other.first)) {
    const previous = joined.at(-1);
    if (previous !== undefined && range.first <= previous.last + 1) {
      joined[joined.length - 1] = {
        first: previous.first,
        last: Math.max(previous.last, range.last),
      };
    } else joined.push(range);
  }
  return joined;
}
