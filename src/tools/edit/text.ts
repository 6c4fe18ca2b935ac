/** Lines of a text and places in it: the terms in which all other files of the engine describe a text. */

/** Number of line breaks in `text` from `start` up to `end`. */
export function countNewlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}

/** Lines without their endings; text that ends with a line break has no empty last line. */
export function splitLines(text: string): string[] {
  const lines = partsOf(text);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Number of lines that are not blank. */
export function countContentLines(text: string): number {
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

/** Lines whose trimmed content is unique, by that content. */
export function linesOnce(lines: readonly string[]): ReadonlyMap<string, string> {
  const once = new Map<string, string>();
  const twice = new Set<string>([""]);
  for (const line of lines) {
    const content = line.trim();
    if (once.delete(content)) twice.add(content);
    else if (!twice.has(content)) once.set(content, line);
  }
  return once;
}

/** Parts between the line breaks of a text; one that ends with a line break has an empty last part. */
export function partsOf(text: string): string[] {
  const parts = text.split("\n");
  if (!text.includes("\r")) return parts;
  return parts.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** Lines of a text as sent, in which carriage returns before a line break mean nothing. */
export function sentLines(text: string): string[] {
  return partsOf(withPlainEndings(text));
}

/** Replaces every `\r\n` by `\n`. */
export function withPlainEndings(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

/** First line ending at or after an offset, otherwise the last one before it; undefined in a text of one line. */
export function lineEndingAt(text: string, start: number): string | undefined {
  const after = text.indexOf("\n", start);
  const at = after === -1 ? text.lastIndexOf("\n") : after;
  if (at === -1) return undefined;
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}

/** Range of a text: UTF-16 offsets, half-open. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A range with the text that replaces it. */
export interface NewText extends Place {
  readonly newText: string;
}

/** A text, or a part of it, after replacements in it; they must not overlap, and must be in order of position. */
export function splice(
  text: string,
  changes: readonly NewText[],
  { start, end }: Place = { start: 0, end: text.length },
): string {
  const parts: string[] = [];
  let at = start;
  for (const change of changes) {
    parts.push(text.slice(at, change.start), change.newText);
    at = change.end;
  }
  parts.push(text.slice(at, end));
  return parts.join("");
}

/** All occurrences of a text, which may overlap. */
export function occurrences(text: string, wanted: string): Place[] {
  const places: Place[] = [];
  if (wanted === "") return places;
  let before = -1;
  for (let at = text.indexOf(wanted); at !== -1;) {
    places.push({ start: at, end: at + wanted.length });
    const distance = at - before;
    const isRepeated = before !== -1 && repeatsAfter(text, wanted, { at, distance });
    before = at;
    at = isRepeated ? at + distance : text.indexOf(wanted, at + 1);
  }
  return places;
}

/**
 * Whether a text that occurs twice, with the second occurrence beginning in the first half of the first, occurs again
 * at the same distance. The text then has this distance as its smallest period, so only its end is compared: otherwise
 * thousands of equal lines would be compared with thousands at each of them.
 */
function repeatsAfter(
  text: string,
  wanted: string,
  { at, distance }: { readonly at: number; readonly distance: number },
): boolean {
  if (distance * 2 > wanted.length) return false;
  return text.startsWith(wanted.slice(-distance), at + wanted.length);
}

/** Of ranges that may overlap, those that do not, from left to right. */
export function withoutOverlap(places: readonly Place[]): Place[] {
  const kept: Place[] = [];
  let end = 0;
  for (const place of places) {
    if (place.start < end) continue;
    kept.push(place);
    ({ end } = place);
  }
  return kept;
}

const insideWord = /(?<=[\p{L}\p{N}\p{M}_])[\p{L}\p{N}\p{M}_]/uy;

/**
 * Whether neither end of a range splits a word or an indentation. A relaxed candidate may match only such ranges: the
 * remainder after the change might otherwise be matched inside a longer name.
 */
export function isWhole(text: string, { start, end }: Place): boolean {
  return !cutsWord(text, start) && !cutsWord(text, end) && !cutsIndentation(text, start);
}

function cutsWord(text: string, at: number): boolean {
  insideWord.lastIndex = at;
  return insideWord.test(text);
}

/**
 * Whether a range that was found through a look-alike at an edge of the sent text begins or ends between equal
 * characters: a dash may represent both of two hyphens.
 */
export function cutsRun(text: string, { start, end }: Place, sent: string): boolean {
  const [first = "", last = ""] = [sent[0], sent.at(-1)];
  return (
    (first > "~" && text[start - 1] === text[start]) || (last > "~" && text[end - 1] === text[end])
  );
}

/** Whether a range starts within the indentation of a line. */
function cutsIndentation(text: string, at: number): boolean {
  return isBlank(text[at]) && isBlank(text[at - 1]) && startsAfterIndentation(text, at);
}

/** Whether the text before an offset on its line consists of at least one blank and nothing else. */
export function startsAfterIndentation(text: string, at: number): boolean {
  let before = at - 1;
  while (isBlank(text[before])) before--;
  return before < at - 1 && (before < 0 || text[before] === "\n");
}

export function startsLine(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === "\n" || (at === 1 && text[0] === "\uFEFF");
}

/** Start of the line that contains an offset. */
export function startOfLine(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** Whether a line ends here, ignoring blanks. */
export function endsLine(text: string, at: number): boolean {
  let after = at;
  while (isBlank(text[after])) after++;
  return (
    after >= text.length ||
    text[after] === "\n" ||
    (text[after] === "\r" && text[after + 1] === "\n")
  );
}

export function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/** The only range nearest to a line, from 1; undefined if two are equally near. */
export function nearestPlace(
  text: string,
  places: readonly Place[],
  line: number,
): Place | undefined {
  let nearest: Place[] = [];
  let least = Number.POSITIVE_INFINITY;
  let counted = 0;
  let current = 1;
  for (const place of places.toSorted((one, other) => one.start - other.start)) {
    current += countNewlines(text, counted, place.start);
    counted = place.start;
    const distance = Math.abs(current - Math.max(1, line));
    if (distance > least) continue;
    nearest = distance < least ? [place] : [...nearest, place];
    least = distance;
  }
  return nearest.length === 1 ? nearest[0] : undefined;
}

/** Offsets at which the lines of a text begin. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the line that contains an offset. */
export function lineIndexAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
