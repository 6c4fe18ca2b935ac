import { partsOf, withPlainEndings } from "../lines.ts";
import { foldLookAlikes } from "../look-alikes.ts";
import { isBlank, occurrences, type Place } from "../place.ts";
import type { Source } from "../source.ts";

/** A place whose lines are those wanted but for their indentation. */
export interface ShiftedPlace extends Place {
  /** The lines of the place, the same number as those wanted. */
  readonly lines: readonly string[];
}

/** Places that hold the wanted lines with another indentation, uniformly or not; blanks at line ends are left out. */
export function findShifted(source: Source, wanted: string, lookAlikes: boolean): ShiftedPlace[] {
  const same = lookAlikes ? (line: string): string => trimBlanks(foldLookAlikes(line)) : trimBlanks;
  const lines = partsOf(withPlainEndings(wanted)).map((line) => same(line));
  const anchor = longest(lines);
  const content = lines[anchor] ?? "";
  const { text } = source;
  const folded = source.folded({ trailingSpace: false, lookAlikes });
  const starts = new Set<number>();
  for (const { start, end } of occurrences(folded.text, content)) {
    if (!standsAlone(folded.text, start, end)) continue;
    const place = folded.toOriginal({ start, end });
    if (place !== undefined) starts.add(text.lastIndexOf("\n", place.start - 1) + 1);
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

/** Compares the lines around one that is found, above it and below. */
function around(text: string, anchorStart: number, wanted: Wanted): ShiftedPlace | undefined {
  const { lines, anchor, same } = wanted;
  const found: string[] = [];
  // An empty first or last part stands for a line break alone: what else is on that line does not matter.
  const opensWithBreak = lines.length > 1 && lines[0] === "";
  const endsWithBreak = lines.length > 1 && lines.at(-1) === "";
  let start = anchorStart;
  for (let index = anchor - 1; index >= 0; index--) {
    if (start === 0) return undefined;
    const end = start - 1;
    if (index === 0 && opensWithBreak) {
      start = text[end - 1] === "\r" ? end - 1 : end;
      found.unshift("");
      break;
    }
    start = text.lastIndexOf("\n", end - 1) + 1;
    if (end === 0) start = 0;
    const line = withoutReturn(text.slice(start, end));
    if (same(line) !== lines[index]) return undefined;
    found.unshift(line);
  }
  let at = anchorStart;
  let end = anchorStart;
  for (let index = anchor; index < lines.length; index++) {
    if (index > anchor && at > text.length) return undefined;
    if (index === lines.length - 1 && endsWithBreak) {
      end = at;
      found.push("");
      break;
    }
    const feed = text.indexOf("\n", at);
    const lineEnd = feed === -1 ? text.length : feed;
    const line = withoutReturn(text.slice(at, lineEnd));
    if (same(line) !== lines[index]) return undefined;
    found.push(line);
    end = at + line.length;
    at = lineEnd + 1;
  }
  return end > text.length ? undefined : { start, end, lines: found };
}

function trimBlanks(line: string): string {
  let start = 0;
  let end = line.length;
  while (isBlank(line[start])) start++;
  while (end > start && isBlank(line[end - 1])) end--;
  return line.slice(start, end);
}

function standsAlone(text: string, start: number, end: number): boolean {
  let before = start - 1;
  while (isBlank(text[before])) before--;
  let after = end;
  while (isBlank(text[after]) || text[after] === "\r") after++;
  return (before < 0 || text[before] === "\n") && (after >= text.length || text[after] === "\n");
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
