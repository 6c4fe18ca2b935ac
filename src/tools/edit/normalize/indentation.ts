import { partsOf, withPlainEndings } from "../match/lines.ts";
import { foldLookAlikes } from "../match/look-alikes.ts";
import {
  endsLine,
  isBlank,
  occurrences,
  startOfLine,
  startsAfterIndentation,
  startsLine,
  type Place,
} from "../match/match.ts";
import type { Source } from "../match/indexed-text.ts";

/** A match whose lines equal the wanted ones except for their indentation. */
export interface ShiftedPlace extends Place {
  /** Lines of the match, as many as wanted. */
  readonly lines: readonly string[];
}

/** Finds matches of the wanted lines with another indentation, uniform or not; blanks at line ends are ignored. */
export function findShifted(source: Source, wanted: string, lookAlikes: boolean): ShiftedPlace[] {
  const same = lookAlikes ? (line: string): string => trimBlanks(foldLookAlikes(line)) : trimBlanks;
  const lines = partsOf(withPlainEndings(wanted)).map((line) => same(line));
  const anchor = longest(lines);
  const content = lines[anchor] ?? "";
  const { text } = source;
  const folded = source.folded({ trailingSpace: false, lookAlikes });
  const starts = new Set<number>();
  for (const { start, end } of occurrences(folded.text, content)) {
    const isAtStart = startsLine(folded.text, start) || startsAfterIndentation(folded.text, start);
    if (!isAtStart || !endsLine(folded.text, end)) continue;
    starts.add(startOfLine(text, folded.toOriginal({ start, end })?.start ?? 0));
  }
  const found: ShiftedPlace[] = [];
  for (const start of starts) {
    const place = around(text, start, { lines, anchor, same });
    if (place !== undefined) found.push(place);
  }
  return found;
}

interface Wanted {
  readonly lines: readonly string[];
  readonly anchor: number;
  readonly same: (line: string) => string;
}

/** Compares the lines around the anchor line, from the first to the last. */
function around(text: string, anchorStart: number, wanted: Wanted): ShiftedPlace | undefined {
  const { lines, anchor, same } = wanted;
  let at = anchorStart;
  for (let above = 0; above < anchor; above++) {
    if (at === 0) return undefined;
    at = startOfLine(text, at - 1);
  }
  let start = at;
  let end = at;
  const found: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (at > text.length) return undefined;
    const feed = text.indexOf("\n", at);
    const lineEnd = feed === -1 ? text.length : feed;
    const own = withoutReturn(text.slice(at, lineEnd));
    // An empty first or last part represents a line break only: the rest of that line does not matter.
    const isBreak = line === "" && (index === 0 || index === lines.length - 1);
    if (!isBreak && same(own) !== line) return undefined;
    if (isBreak && index === 0) start = at + own.length;
    end = isBreak ? at : at + own.length;
    found.push(isBreak ? "" : own);
    at = lineEnd + 1;
  }
  return { start, end, lines: found };
}

function trimBlanks(line: string): string {
  let start = 0;
  let end = line.length;
  while (isBlank(line[start])) start++;
  while (isBlank(line[end - 1])) end--;
  return line.slice(start, end);
}

function longest(lines: readonly string[]): number {
  let best = 0;
  for (const [index, line] of lines.entries()) {
    if (line.length > (lines[best] ?? "").length) best = index;
  }
  return best;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
