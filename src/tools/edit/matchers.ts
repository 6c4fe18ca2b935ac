/** Ways to compare a candidate with the file, from strict to loose: each finds matches and their new texts. */
import { relaxationsOf, partlyUndone, type Candidate, type Pair } from "./candidate.ts";
import { compareIndents, replaceShifted } from "./indentation.ts";
import { indentText } from "./indent-maps.ts";
import { hasSpecial } from "./look-alikes.ts";
import {
  adaptLines,
  replaceLines,
  replaceLiterally,
  unclear,
  type Replacement,
} from "./replacement.ts";
import {
  countContentLines,
  cutsRun,
  endsLine,
  isBlank,
  isWhole,
  partsOf,
  sentLines,
  startsAfterIndentation,
  startsLine,
  withPlainEndings,
  type Place,
} from "./text.ts";
import { asViewed, visible, withoutIndentation, type Hidden, type ViewedText } from "./views.ts";
import { cutsFence, isBesideFence } from "./undo/wrapping.ts";

export interface Matcher {
  readonly relaxations: number;
  readonly labels: readonly string[];
  readonly match: (file: ViewedText, candidate: Candidate) => MatchResult;
}

/** Matches of a candidate, with the new text for each. */
export interface MatchResult {
  readonly places: readonly Place[];
  readonly replacement: (place: Place) => Replacement;
  /** Difference that was ignored, besides those of the matcher. */
  readonly label?: string;
  /** Whether the old text occurs byte by byte as sent. */
  readonly isLiteral?: boolean;
}

const spaceLabel = "blanks at line ends left out of account";
const alikeLabel = "characters that look alike taken as the same";
const indentLabel = "indentation taken from the file";

const space: Hidden = { ...visible, trailingSpace: true };
const alike: Hidden = { ...visible, lookAlikes: true };
const spaceAlike: Hidden = { ...space, lookAlikes: true };

const matchShifted = matchShiftedIn(space);
const matchShiftedAlike = matchShiftedIn(spaceAlike);

export const literalMatcher: Matcher = { relaxations: 0, labels: [], match: matchLiterally };

/** Matchers with the same number of relaxations are not ordered among themselves. */
const matchers: readonly Matcher[] = [
  literalMatcher,
  { relaxations: relaxationsOf("trailingSpace"), labels: [spaceLabel], match: matchIn(space) },
  { relaxations: relaxationsOf("lookAlikes"), labels: [alikeLabel], match: matchIn(alike) },
  {
    relaxations: relaxationsOf("trailingSpace", "lookAlikes"),
    labels: [spaceLabel, alikeLabel],
    match: matchIn(spaceAlike),
  },
  {
    relaxations: relaxationsOf("trailingSpace", "indentation"),
    labels: [indentLabel],
    match: matchShifted,
  },
  {
    relaxations: relaxationsOf("trailingSpace", "lookAlikes", "indentation"),
    labels: [indentLabel, alikeLabel],
    match: matchShiftedAlike,
  },
];

const plainMatchers = matchers.filter(
  ({ relaxations }) => (relaxations & relaxationsOf("lookAlikes")) === 0,
);

/**
 * Adds the match on the numbered line to those of a candidate without its line numbers, if it differs in indentation
 * only: the indentation as sent tells one place then, and the number the other.
 */
export function withNumberedLine(
  file: ViewedText,
  candidate: Candidate,
  { result, relaxations }: { readonly result: MatchResult; readonly relaxations: number },
): MatchResult {
  const { firstNumber } = candidate;
  if (firstNumber === undefined) return result;
  const isNumbered = ({ start }: Place): boolean => file.lineIndexOf(start) === firstNumber - 1;
  if (result.places.some((place) => isNumbered(place))) return result;
  const isAlike = (relaxations & relaxationsOf("lookAlikes")) !== 0;
  const shifted = (isAlike ? matchShiftedAlike : matchShifted)(file, candidate);
  const numbered = shifted.places.filter((place) => isNumbered(place));
  if (numbered.length === 0) return result;
  return {
    ...result,
    places: [...result.places, ...numbered].toSorted((one, other) => one.start - other.start),
    replacement: (place) => (numbered.includes(place) ? shifted : result).replacement(place),
  };
}

/** Matchers for a candidate; without special characters, those that hide look-alikes find nothing more than others. */
export function matchersFor({ isPlain }: ViewedText, { oldText }: Candidate): readonly Matcher[] {
  return isPlain && !hasSpecial(oldText) ? plainMatchers : matchers;
}

/** Finds the text unchanged, or with other line endings. */
function matchLiterally(file: ViewedText, candidate: Candidate): MatchResult {
  const { text } = file;
  const { relaxations, oldText } = candidate;
  // A match that begins between the two characters of a line ending is invalid.
  const exact = file.literal
    .find(oldText)
    .filter(({ start }) => text[start] !== "\n" || text[start - 1] !== "\r");
  const plain = withPlainEndings(oldText);
  const places = file.hasReturns || exact.length === 0 ? file.view(visible).find(plain) : exact;
  // Line endings are invisible, so a match that differs in nothing else counts as much as an exact one.
  const hasTwins = plain.includes("\n") && places.length > exact.length;
  const isWritten = relaxations === 0;
  if (exact.length > 0 && !hasTwins) {
    return {
      places: isWritten ? exact : meantAmong(file, exact, { candidate, hidden: visible }),
      replacement: replacing(candidate, (place, pair) => replaceLiterally(text, place, pair)),
      isLiteral: isWritten,
    };
  }
  // Several occurrences are as ambiguous as in a file with other line endings.
  const isAmbiguous = isWritten && places.length > 1 && (hasTwins || plain === oldText);
  return {
    places: isAmbiguous ? places : meantAmong(file, places, { candidate, hidden: visible }),
    replacement: replacing(candidate, (place, pair) =>
      replaceLines(text, place, { pair, adapt: (lines) => lines }),
    ),
    label: "line endings taken as those of the file",
  };
}

/** Finds the text in a view that hides blanks at line ends, or look-alikes. */
function matchIn(hidden: Hidden): Matcher["match"] {
  const { trailingSpace, lookAlikes } = hidden;
  return (file, candidate) => {
    const { text } = file;
    const { oldText } = candidate;
    const wanted = asViewed(oldText, hidden);
    if (wanted.trim() === "") return noMatch;
    const lastLine = partsOf(oldText).at(-1) ?? "";
    const endsWithBlanks = trailingSpace && lastLine.trim() !== "" && /\s$/u.test(lastLine);
    const found = file
      .view(hidden)
      .find(wanted)
      .filter((place) => !lookAlikes || !cutsRun(text, place, oldText));
    const meant = meantAmong(file, found, {
      candidate: endsWithBlanks ? { ...candidate, endsLine: true } : candidate,
      hidden,
    });
    return {
      // Blanks until the end of the line belong to the match.
      places: wanted.endsWith("\n") ? meant : meant.map((place) => withBlanksAfter(text, place)),
      replacement: replacing(candidate, (place, pair) =>
        replaceLines(text, place, {
          pair,
          adapt: (changed, lines) => adaptLines(changed, { pair, lines, hidden }),
        }),
      ),
    };
  };
}

/** Finds whole lines that are indented otherwise, all of them by the same. */
function matchShiftedIn(hidden: Hidden): Matcher["match"] {
  return (file, candidate) => {
    const { text } = file;
    const { relaxations, oldText } = candidate;
    const places = shiftedPlaces(file, sentLines(oldText), hidden).filter(
      (place) => !isOwnFence(file, place, candidate),
    );
    const wasOneLine = (relaxations & relaxationsOf("escapes")) !== 0;
    return {
      places,
      replacement: replacing(candidate, (place, pair) =>
        replaceShifted(text, place, { pair, lines: linesAt(text, place), hidden, wasOneLine }),
      ),
    };
  };
}

/** Maximum number of lines whose indentation is compared in one search; further places count as found. */
const maxComparedLines = 2_000_000;

/** Whole lines that equal those of a text except for what is hidden, and for an indentation that is shifted. */
function shiftedPlaces(file: ViewedText, sent: readonly string[], hidden: Hidden): Place[] {
  const lines = asViewed(sent.join("\n"), hidden).split("\n").map(withoutIndentation);
  // An empty first or last line represents a line break only: the rest of that line does not matter.
  const opens = lines[0] === "" ? 1 : 0;
  const closes = lines.at(-1) === "" ? 1 : 0;
  const block = lines.slice(opens, lines.length - closes);
  if (block.every((line) => line === "")) return [];
  const indents = sent.map((line) => (line.trim() === "" ? undefined : indentText(line)));
  let compared = 0;
  return file
    .view(hidden)
    .blocksOf(block)
    .flatMap((index) => {
      const first = file.lineAt(index - opens);
      const last = file.lineAt(index + block.length - 1 + closes);
      if (first === undefined || last === undefined) return [];
      const start = opens > 0 ? first.end : first.start;
      const end = closes > 0 ? last.start : last.end;
      if (compared > maxComparedLines) return [{ start, end }];
      const shift = compareIndents(file.view(visible).indents, { indents, at: index - opens });
      compared += shift.compared;
      return shift.isUniform ? [{ start, end }] : [];
    });
}

function linesAt(text: string, { start, end }: Place): string[] {
  return partsOf(text.slice(start, end));
}

function replacing(
  { oldText, newText }: Candidate,
  replace: (place: Place, pair: Pair) => Replacement,
): (place: Place) => Replacement {
  return (place) =>
    newText === undefined ? unclear(partlyUndone) : replace(place, { oldText, newText });
}

const noMatch: MatchResult = { places: [], replacement: () => unclear("nothing matches") };

interface Comparison {
  readonly candidate: Candidate;
  readonly hidden: Hidden;
}

/**
 * Matches that a relaxed candidate may mean. Several new lines, or none, in place of one without its indentation would
 * leave that indentation behind: such matches are left to the matchers that shift the indentation. Alongside other
 * matches they stay, so that the others do not appear to be the only ones.
 */
function meantAmong(
  file: ViewedText,
  places: readonly Place[],
  comparison: Comparison,
): readonly Place[] {
  if (places.length === 0) return places;
  const { oldText, newText } = comparison.candidate;
  const meant = places.filter((place) => isMeant(file, place, comparison));
  const staysOneLine =
    countContentLines(oldText) !== 1 || newText === undefined || countContentLines(newText) === 1;
  if (staysOneLine) return meant;
  return meant.every(({ start }) => startsAfterIndentation(file.text, start)) ? [] : meant;
}

/** Whether a match may be meant by a relaxed candidate. */
function isMeant(file: ViewedText, place: Place, { candidate, hidden }: Comparison): boolean {
  const { text } = file;
  const { start, end } = place;
  if (!isWhole(text, place)) return false;
  const isAtStart = text[start] === "\n" || text.startsWith("\r\n", start);
  if (candidate.startsLine && !isAtStart && !startsLine(text, start)) return false;
  const isAtEnd = text[end - 1] === "\n";
  if (candidate.endsLine && !isAtEnd && !endsLine(text, end)) return false;
  if (isOwnFence(file, place, candidate) || cutsFence(text, place)) return false;
  // Blanks until the end of the line belong to it, which is a looser comparison.
  return hidden.trailingSpace || isAtEnd || !isBlank(text[end]) || !endsLine(text, end);
}

function isOwnFence(file: ViewedText, place: Place, { oldOnly, relaxations }: Candidate): boolean {
  // A fence that both texts have around them is not changed, whatever it is.
  if ((oldOnly & relaxationsOf("codeFence")) === 0) return false;
  const isHalf = (relaxations & relaxationsOf("halfFence")) !== 0;
  return isHalf ? file.hasFences : isBesideFence(file.text, place);
}

function withBlanksAfter(text: string, place: Place): Place {
  if (!endsLine(text, place.end)) return place;
  let { end } = place;
  while (isBlank(text[end])) end++;
  return { start: place.start, end };
}
