import type { Span } from "../../core/index.ts";
import { counted } from "../files/paths/display-path.ts";

/** Line with its matches between `>>` and `<<`, shortened around the first of them if it is longer than `maxChars`. */
export function markedLine(text: string, ranges: readonly Span[], maxChars: number): string {
  return withMarks(text, ranges, { maxChars, open: ">>", close: "<<" });
}

/** The same line without marks. */
export function cutLine(text: string, ranges: readonly Span[], maxChars: number): string {
  return withMarks(text, ranges, { maxChars, open: "", close: "" });
}

interface Marks {
  readonly maxChars: number;
  readonly open: string;
  readonly close: string;
}

function withMarks(
  text: string,
  ranges: readonly Span[],
  { maxChars, open, close }: Marks,
): string {
  const window = windowOf(text, ranges, maxChars);
  let marked = "";
  let at = window.start;
  let hidden = 0;
  for (const range of ranges) {
    const start = Math.max(range.start, at);
    const end = Math.min(range.end, window.end);
    if (range.start >= window.end && !(range.start === range.end && range.start === window.end)) {
      hidden++;
      continue;
    }
    if (end < start) continue;
    marked += `${text.slice(at, start)}${open}${text.slice(start, end)}${close}`;
    at = end;
  }
  marked += text.slice(at, window.end);
  return window.isCut ? framed(marked, { text, window, hidden }) : marked;
}

/** Line without matches, shortened if it is long. */
export function plainLine(text: string, maxChars: number): string {
  return markedLine(text, [], maxChars);
}

interface Window {
  readonly start: number;
  readonly end: number;
  readonly isCut: boolean;
}

function windowOf(text: string, ranges: readonly Span[], maxChars: number): Window {
  if (text.length <= maxChars) return { start: 0, end: text.length, isCut: false };
  const first = ranges[0]?.start ?? 0;
  // Most of the text shown comes after the start of the match.
  const lead = Math.floor(maxChars * 0.3);
  const wanted = Math.min(Math.max(0, first - lead), text.length - maxChars);
  const start = isLowSurrogate(text, wanted) ? wanted + 1 : wanted;
  const end = wanted + maxChars;
  return { start, end: isLowSurrogate(text, end) ? end - 1 : end, isCut: true };
}

interface Cut {
  readonly text: string;
  readonly window: Window;
  readonly hidden: number;
}

function framed(marked: string, { text, window, hidden }: Cut): string {
  const before = window.start > 0 ? "…" : "";
  const after = window.end < text.length ? "…" : "";
  const more = hidden > 0 ? `, ${counted(hidden, "more match")}` : "";
  return `${before}${marked}${after} [line of ${text.length} characters cut${more}]`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000;
}
