import type { GrepEvent, Span } from "../../core/index.ts";
import { cutLine, markedLine, plainLine } from "./marked-line.ts";

/** One line of the result in content mode. */
export interface ContentLine {
  readonly path: string;
  readonly line: number;
  readonly isMatch: boolean;
  /** Text of the file, shortened around the first match if it is long. */
  readonly text: string;
  /** The same text with each match between `>>` and `<<`. */
  readonly marked: string;
}

type LineEvent = Extract<GrepEvent, { kind: "match" | "context" }>;

export interface LineOptions {
  /** Whether to show only the matching parts. */
  readonly onlyMatching: boolean;
  readonly maxChars: number;
}

/** Lines of one event. A match across lines has several, each with its own part marked. */
export function contentLines(
  event: LineEvent,
  { onlyMatching, maxChars }: LineOptions,
): readonly ContentLine[] {
  const { path, line, kind, text, ranges } = event;
  const isMatch = kind === "match";
  if (onlyMatching) {
    if (!isMatch) return [];
    return ranges.map(({ start, end }) => {
      const part = plainLine(text.slice(start, end), maxChars);
      return { path, line: line + lineBreaks(text, start), isMatch, text: part, marked: part };
    });
  }
  if (!text.includes("\n")) {
    return [{ path, line, isMatch, ...bothTexts(withoutReturn(text), ranges, maxChars) }];
  }
  return splitWithOffsets(text).map(({ start, text: part }, index) => {
    const own = rangesWithin(ranges, start, start + part.length);
    return { path, line: line + index, isMatch, ...bothTexts(part, own, maxChars) };
  });
}

function bothTexts(text: string, ranges: readonly Span[], maxChars: number) {
  const marked = markedLine(text, ranges, maxChars);
  if (text.length <= maxChars) return { text, marked };
  return { text: cutLine(text, ranges, maxChars), marked };
}

function splitWithOffsets(text: string): { start: number; text: string }[] {
  let start = 0;
  const lines = text.replace(/\r?\n$/u, "").split("\n");
  return lines.map((line) => {
    const part = { start, text: withoutReturn(line) };
    start += line.length + 1;
    return part;
  });
}

function rangesWithin(ranges: readonly Span[], start: number, end: number): Span[] {
  return ranges
    .filter((range) => range.start <= end && range.end > start)
    .map((range) => ({
      start: Math.max(0, range.start - start),
      end: Math.min(end, range.end) - start,
    }));
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function lineBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

interface PrintShape {
  readonly shownPath: (path: string) => string;
  readonly numbers: boolean;
  readonly marks: boolean;
}

/** Prints lines under a heading for each file, with `12:` before a match and `12-` before its context. */
export function printContent(
  lines: readonly ContentLine[],
  { shownPath, numbers, marks }: PrintShape,
): string {
  const printed: string[] = [];
  let previous: ContentLine | undefined;
  for (const line of lines) {
    if (line.path !== previous?.path) {
      if (previous !== undefined) printed.push("");
      printed.push(shownPath(line.path));
    } else if (line.line > previous.line + 1 && hasContext(line, previous)) {
      printed.push("--");
    }
    const mark = line.isMatch ? ":" : "-";
    const text = marks ? line.marked : line.text;
    printed.push(numbers ? `${line.line}${mark} ${text}` : text);
    previous = line;
  }
  return printed.join("\n");
}

/**
 * Whether there are context lines. Without them every match is separate, and a separator would carry no information.
 */
function hasContext(line: ContentLine, previous: ContentLine): boolean {
  return !line.isMatch || !previous.isMatch;
}
