import type { WindowRequest } from "./line-window.ts";

/** Lines of a file, both ends among them, from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface PageRequest {
  /** Ascending and apart from each other; at least one. */
  readonly ranges: readonly LineRange[];
  /** UTF-8 bytes of the page, numbers included. */
  readonly maxBytes: number;
  readonly window: WindowRequest;
  /** Go on counting after the page is full. Costs a pass over the rest. */
  readonly countAll: boolean;
  /** Number of the line the bytes begin with. Default 1. */
  readonly startLine?: number;
  /** Told of the line starts that an index keeps, by their distance from the first byte. */
  readonly onLineStart?: (line: number, offset: number) => void;
}

export interface Page {
  /** Numbered, each with its newline; parts that do not follow each other have a line of dots between them. */
  readonly text: string;
  /** The lines shown, in ranges. */
  readonly shown: readonly LineRange[];
  readonly shownLines: number;
  /** Lines of the whole file, where its end was seen. */
  readonly totalLines: number | undefined;
  readonly fullBecause: "limit" | "size" | undefined;
  /** The first line asked for that is not shown although it may exist, or the one after the last one shown. */
  readonly next: number | undefined;
  /** Lines that go on after what is shown of them, the first few. */
  readonly cutLines: readonly number[];
  /** Some line is shown only in part. */
  readonly isPartial: boolean;
  readonly lineEndings: "lf" | "crlf" | "mixed" | "none";
  /** Some bytes were not UTF-8 and are shown as U+FFFD. */
  readonly lossy: boolean;
}

/** An index keeps the start of every so many lines. */
export const indexedLines = 1000;
