/** Ways to compare a candidate with the file, from strict to loose: each finds matches and their new texts. */
import { relaxationsOf, partlyUndone, type Candidate, type Pair } from "./candidate.ts";
import { indentPairs, replaceShifted } from "./indentation.ts";
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
import { mayBeOwnFence } from "./undo/wrapping.ts";

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
    match: matchShiftedIn(space),
  },
  {
    relaxations: relaxationsOf("trailingSpace", "lookAlikes", "indentation"),
    labels: [indentLabel, alikeLabel],
    match: matchShiftedIn(spaceAlike),
  },
];

const plainMatchers = matchers.filter(
  ({ relaxations }) => (relaxations & relaxationsOf("lookAlikes")) === 0,
);

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
  const hasTwins = file.hasReturns && plain.includes("\n") && places.length > exact.length;
  const isWritten = relaxations === 0;
  if (exact.length > 0 && !hasTwins) {
    return {
      places: isWritten ? exact : meantAmong(text, exact, { candidate, hidden: visible }),
      replacement: replacing(candidate, (place, pair) => replaceLiterally(text, place, pair)),
      isLiteral: isWritten,
    };
  }
  // Several occurrences are as ambiguous as in a file with other line endings.
  const isAmbiguous = isWritten && places.length > 1 && (hasTwins || plain === oldText);
  return {
    places: isAmbiguous ? places : meantAmong(text, places, { candidate, hidden: visible }),
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
    const meant = meantAmong(text, found, {
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
    const places = shiftedPlaces(file, sentLines(oldText).join("\n"), hidden).filter(
      (place) =>
        indentPairs(oldText, linesAt(text, place)) !== undefined &&
        !isOwnFence(text, place, candidate),
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

/** Whole lines that equal those of a text except for their indentation and what is hidden. */
function shiftedPlaces(file: ViewedText, oldText: string, hidden: Hidden): Place[] {
  const lines = asViewed(oldText, hidden).split("\n").map(withoutIndentation);
  const longest = lines.reduce((one, other) => (other.length > one.length ? other : one));
  const anchor = lines.indexOf(longest);
  const anchors = file.view({ ...hidden, trailingSpace: false }).linesWith(longest);
  return [...anchors].flatMap((index) => {
    const first = file.lineAt(index - anchor);
    const last = file.lineAt(index - anchor + lines.length - 1);
    if (first === undefined || last === undefined) return [];
    const isSame = lines.every((line, at) => {
      // An empty first or last line represents a line break only: the rest of that line does not matter.
      if (line === "" && (at === 0 || at === lines.length - 1)) return true;
      const { start, end } = file.lineAt(index - anchor + at) ?? first;
      return withoutIndentation(asViewed(file.text.slice(start, end), hidden)) === line;
    });
    const start = lines[0] === "" ? first.end : first.start;
    const end = lines.at(-1) === "" ? last.start : last.end;
    return isSame ? [{ start, end }] : [];
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
  text: string,
  places: readonly Place[],
  comparison: Comparison,
): readonly Place[] {
  if (places.length === 0) return places;
  const { oldText, newText } = comparison.candidate;
  const meant = places.filter((place) => isMeant(text, place, comparison));
  const staysOneLine =
    countContentLines(oldText) !== 1 || newText === undefined || countContentLines(newText) === 1;
  if (staysOneLine) return meant;
  return meant.every(({ start }) => startsAfterIndentation(text, start)) ? [] : meant;
}

/** Whether a match may be meant by a relaxed candidate. */
function isMeant(text: string, place: Place, { candidate, hidden }: Comparison): boolean {
  const { start, end } = place;
  if (!isWhole(text, place)) return false;
  const isAtStart = text[start] === "\n" || text.startsWith("\r\n", start);
  if (candidate.startsLine && !isAtStart && !startsLine(text, start)) return false;
  const isAtEnd = text[end - 1] === "\n";
  if (candidate.endsLine && !isAtEnd && !endsLine(text, end)) return false;
  if (isOwnFence(text, place, candidate)) return false;
  // Blanks until the end of the line belong to it, which is a looser comparison.
  return hidden.trailingSpace || isAtEnd || !isBlank(text[end]) || !endsLine(text, end);
}

function isOwnFence(text: string, place: Place, { oldOnly, relaxations }: Candidate): boolean {
  // A fence that both texts have around them is not changed, whatever it is.
  if ((oldOnly & relaxationsOf("codeFence")) === 0) return false;
  return mayBeOwnFence(text, place, (relaxations & relaxationsOf("halfFence")) !== 0);
}

function withBlanksAfter(text: string, place: Place): Place {
  if (!endsLine(text, place.end)) return place;
  let { end } = place;
  while (isBlank(text[end])) end++;
  return { start: place.start, end };
}
