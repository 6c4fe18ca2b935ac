import type { WindowRequest } from "./line-window.ts";

/** Range of lines of a file, inclusive, from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface PageRequest {
  /** Ascending and disjoint; at least one. */
  readonly ranges: readonly LineRange[];
  /** Maximum UTF-8 bytes of the page, including line numbers. */
  readonly maxBytes: number;
  readonly window: WindowRequest;
  /** Whether to continue counting after the page is full. Costs a pass over the rest. */
  readonly countAll: boolean;
  /** Number of the line at which the bytes begin. Default 1. */
  readonly startLine?: number;
  /** Called for the line starts that an index stores, with their offset from the first byte. */
  readonly onLineStart?: (line: number, offset: number) => void;
}

export interface Page {
  /** Numbered lines, each with its line break; a line of dots separates parts that are not adjacent. */
  readonly text: string;
  /** Lines shown, as ranges. */
  readonly shown: readonly LineRange[];
  readonly shownLines: number;
  /** Number of lines of the whole file, if its end was reached. */
  readonly totalLines: number | undefined;
  readonly fullBecause: "limit" | "size" | undefined;
  /** First requested line that is not shown although it may exist, or the line after the last one shown. */
  readonly next: number | undefined;
  /** Lines that continue after the part shown; only the first few are listed. */
  readonly cutLines: readonly number[];
  /** Whether some line is shown only in part. */
  readonly isPartial: boolean;
  readonly lineEndings: "lf" | "crlf" | "mixed" | "none";
  /** Whether some bytes were not UTF-8 and are shown as U+FFFD. */
  readonly lossy: boolean;
}

/** Number of lines between two starts that an index stores. */
export const indexedLines = 1000;
