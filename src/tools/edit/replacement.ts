/** New text for a match: unchanged lines keep the bytes of the file, changed ones get its format. */
import type { Pair } from "./candidate.ts";
import {
  applyCharacters,
  blanksAfter,
  foldLookAlikes,
  hasSpecial,
  isWrittenAs,
  learnCharacters,
  mixesQuotes,
} from "./look-alikes.ts";
import { lineEndingAt, sentLines, withPlainEndings, type Place } from "./text.ts";
import type { Hidden } from "./views.ts";

/** New text for a match, or the reason why it cannot be determined. */
export type Replacement =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unclear"; readonly because: string };

export function unclear(because: string): Replacement {
  return { kind: "unclear", because };
}

/**
 * Converts changed lines to the format of their match, which has the other lines; a string is the reason why the format
 * cannot be determined.
 */
export type AdaptLines = (
  changed: readonly string[],
  lines: readonly string[],
) => readonly string[] | string;

export interface LineReplacement {
  readonly pair: Pair;
  readonly adapt: AdaptLines;
}

/**
 * New text for a match that was found line by line but not literally. Lines that the edit leaves unchanged keep their
 * bytes, including the line ending; the others are adapted and get the line ending of the match.
 */
export function replaceLines(
  text: string,
  place: Place,
  { pair, adapt }: LineReplacement,
): Replacement {
  const old = sentLines(pair.oldText);
  const updated = sentLines(pair.newText);
  const file = text.slice(place.start, place.end).split("\n");
  const plainFile = file.map(withoutReturn);
  const { kept, added } = keptLines(old, updated, plainFile);
  const changed = updated.filter((_line, index) => kept[index] === undefined);
  const adapted = adapt(changed, plainFile);
  if (typeof adapted === "string") return unclear(adapted);
  const isUnclear = changed.some((line, index) =>
    added.get(line)?.some((there) => there !== adapted[index]),
  );
  if (isUnclear) return unclear(whichStays);
  if (changesForm(adapted, old, plainFile)) return unclear(whichForm);
  const ending = lineEndingAt(text, place.start) ?? "\n";
  let result = "";
  let next = 0;
  for (const [index, from] of kept.entries()) {
    const isLast = index === kept.length - 1;
    const line = from === undefined ? (adapted[next++] ?? "") : (file[from] ?? "");
    if (from !== undefined && !isLast && from < file.length - 1) {
      result += `${line}\n`;
      continue;
    }
    // The last line of a match is cut off before its ending, so it has none of its own.
    const content = from !== undefined && from < file.length - 1 ? withoutReturn(line) : line;
    result += isLast ? content : content + ending;
  }
  return { kind: "text", text: result };
}

const whichStays =
  "it is not clear which of several equal lines stays, and the file has them in different forms";

const whichForm =
  "a line of new_string that only its blanks or characters tell from one of old_string may have to stay as it is";

/**
 * Whether lines with the content of old ones would have other trailing blanks, or other characters, than in the file,
 * although the old text as sent already differs from the file.
 */
function changesForm(
  adapted: readonly string[],
  old: readonly string[],
  file: readonly string[],
): boolean {
  if (old.length !== file.length) return false;
  const differ = (of: (line: string) => string): boolean =>
    old.some((line, index) => of(line) !== of(file[index] ?? ""));
  const forms = [blanksAfter, (line: string) => line.trim()].filter((of) => differ(of));
  if (forms.length === 0) return false;
  const known = new Map(file.map((line) => [foldLookAlikes(line).trim(), line]));
  return adapted.some((line) => {
    const there = known.get(foldLookAlikes(line).trim());
    return there !== undefined && line.trim() !== "" && forms.some((of) => of(line) !== of(there));
  });
}

interface Kept {
  /** For each new line, the index of the old line that it equals, if any. */
  readonly kept: readonly (number | undefined)[];
  /** Lines for which it is unknown which of them are unchanged, with their forms in the file. */
  readonly added: ReadonlyMap<string, readonly string[]>;
}

/**
 * Finds unchanged lines: those at the end, then those at the start, and between them those that occur equally often in
 * both.
 */
function keptLines(
  old: readonly string[],
  updated: readonly string[],
  file: readonly string[],
): Kept {
  const kept: (number | undefined)[] = updated.map(() => undefined);
  const added = new Map<string, readonly string[]>();
  if (old.length !== file.length) return { kept, added };
  const shorter = Math.min(old.length, updated.length);
  let tail = 0;
  while (tail < shorter && old.at(-1 - tail) === updated.at(-1 - tail)) {
    tail++;
    kept[updated.length - tail] = old.length - tail;
  }
  let head = 0;
  while (head < shorter - tail && old[head] === updated[head]) kept[head] = head++;
  const before = placesOf(old, head, tail);
  for (const [line, places] of placesOf(updated, head, tail)) {
    const own = before.get(line) ?? [];
    // A line with only a bracket may correspond to any other bracket.
    const isTold = own.length === places.length && (/\w/u.test(line) || line.trim() === "");
    if (isTold) {
      for (const [index, at] of places.entries()) kept[at] = own[index];
    } else if (own.length > 0) {
      added.set(
        line,
        own.map((at) => file[at] ?? ""),
      );
    }
  }
  return { kept, added };
}

/** Positions of each line of a text, excluding the given number of lines at its start and end. */
function placesOf(lines: readonly string[], head: number, tail: number): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = head; at < lines.length - tail; at++) {
    const line = lines[at] ?? "";
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else known.push(at);
  }
  return places;
}

/** New text that is used as written, except for its line endings. */
export function replaceLiterally(text: string, place: Place, pair: Pair): Replacement {
  const { oldText, newText } = pair;
  // An edit that changes only line endings means them.
  const plain = withPlainEndings(newText);
  if (oldText.includes("\r") && plain === withPlainEndings(oldText)) {
    return { kind: "text", text: newText };
  }
  const ending = lineEndingAt(text, place.start);
  if (ending === undefined) return { kind: "text", text: newText };
  return { kind: "text", text: ending === "\n" ? plain : plain.replaceAll("\n", ending) };
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

export interface LineFormat {
  readonly pair: Pair;
  /** Lines of the match, one for each line of the old text. */
  readonly lines: readonly string[];
  /** Differences that were hidden when the match was found. */
  readonly hidden: Hidden;
}

/** Converts changed lines to the characters and the blanks at line ends of their match. */
export function adaptLines(
  changed: readonly string[],
  { pair, lines, hidden }: LineFormat,
): readonly string[] | string {
  const adapted = hidden.lookAlikes ? inCharacters(changed, pair, lines) : changed;
  if (typeof adapted === "string" || !hidden.trailingSpace) return adapted;
  return withoutSentBlanks(adapted, pair.oldText, lines);
}

function inCharacters(
  changed: readonly string[],
  { oldText, newText }: Pair,
  lines: readonly string[],
): readonly string[] | string {
  const old = sentLines(oldText);
  if (mixesQuotes(old, lines, sentLines(newText))) {
    return "plain quotes of old_string are plain and typographic ones in the file";
  }
  const isPlain = !changed.some((line) => hasSpecial(line));
  if (isPlain || isWrittenAs(lines, old, newText)) return changed;
  const map = learnCharacters(old, lines);
  const adapted = map === undefined ? undefined : applyCharacters(map, changed);
  return (
    adapted ?? "it is not clear which characters of new_string only look like those of the file"
  );
}

/**
 * Changed lines for a match that was found without regard to trailing blanks. If old lines have such blanks and the
 * file does not, those of new lines may be unintended; on blank lines they always are.
 */
function withoutSentBlanks(
  changed: readonly string[],
  oldText: string,
  lines: readonly string[],
): readonly string[] | string {
  const sent = sentLines(oldText);
  const differing = sent.filter((line, index) => {
    const blanks = blanksAfter(line);
    return blanks !== "" && blanks !== blanksAfter(lines[index] ?? "");
  });
  const emptied = differing.filter((line) => line.trim() === "");
  const plain = changed.map((line) => (emptied.includes(line) ? "" : line));
  return differing.length > 0 &&
    plain.some((line) => blanksAfter(line) !== "" && !lines.includes(line))
    ? "new_string has blanks at line ends, as old_string has where the file has none"
    : plain;
}
