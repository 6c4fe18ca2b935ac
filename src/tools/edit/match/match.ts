import { countNewlines } from "./lines.ts";

/** Range of a text: UTF-16 offsets, half-open. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** All occurrences of `wanted`; with `apart`, from left to right without overlap. */
export function occurrences(text: string, wanted: string, apart = false): Place[] {
  const places: Place[] = [];
  if (wanted === "") return places;
  const step = apart ? wanted.length : 1;
  let before = -1;
  for (let at = text.indexOf(wanted); at !== -1;) {
    places.push({ start: at, end: at + wanted.length });
    const distance = at - before;
    const isRepeated = before !== -1 && !apart && repeatsAfter(text, wanted, { at, distance });
    before = at;
    at = isRepeated ? at + distance : text.indexOf(wanted, at + step);
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
