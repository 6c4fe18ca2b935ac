import { fold } from "./fold-characters.ts";
import { inCharacters } from "./file-format.ts";
import { mayBeOwnFence } from "../normalize/code-fence.ts";
import { findShifted, type ShiftedPlace } from "../normalize/indentation.ts";
import { partsOf, withPlainEndings } from "./lines.ts";
import { hasSpecial } from "./look-alikes.ts";
import {
  cutsRun,
  endsLine,
  isBlank,
  isWhole,
  startsAfterIndentation,
  startsLine,
  type Place,
} from "./match.ts";
import { partlyUndone, waysOf, type Reading } from "../normalize/candidate.ts";
import { indentPairs } from "../reindent/reindent.ts";
import {
  replaceLines,
  replaceLiterally,
  unclear,
  type Pair,
  type Replacement,
} from "./replacement.ts";
import { replaceShifted } from "../reindent/replace-shifted.ts";
import { withoutSentBlanks } from "./file-format.ts";
import type { Source } from "./indexed-text.ts";

/** Strictness with which a text is compared with the file. */
export interface Level {
  readonly ways: number;
  readonly labels: readonly string[];
  readonly find: (source: Source, reading: Reading) => Finding;
}

/** Matches of a candidate on a level, with the replacement for each. */
export interface Finding {
  readonly places: readonly Place[];
  readonly replacement: (place: Place) => Replacement;
  /** Difference that was ignored, besides the artifacts removed from the edit. */
  readonly label?: string;
  /** Whether the old text occurs byte by byte as sent. */
  readonly isLiteral?: boolean;
}

const spaceLabel = "blanks at line ends left out of account";
const alikeLabel = "characters that look alike taken as the same";
const indentLabel = "indentation taken from the file";

/** From strict to loose; levels with the same number of relaxations are not ordered among themselves. */
export const levels: readonly [Level, ...Level[]] = [
  { ways: 0, labels: [], find: findLiterally },
  { ways: waysOf("trailingSpace"), labels: [spaceLabel], find: folding(true, false) },
  { ways: waysOf("lookAlikes"), labels: [alikeLabel], find: folding(false, true) },
  {
    ways: waysOf("trailingSpace", "lookAlikes"),
    labels: [spaceLabel, alikeLabel],
    find: folding(true, true),
  },
  { ways: waysOf("trailingSpace", "indentation"), labels: [indentLabel], find: shifting(false) },
  {
    ways: waysOf("trailingSpace", "lookAlikes", "indentation"),
    labels: [indentLabel, alikeLabel],
    find: shifting(true),
  },
];

const plainLevels = levels.filter(({ ways }) => (ways & waysOf("lookAlikes")) === 0);

/**
 * Levels on which a candidate may match; without look-alikes, a level that ignores them can match no more than one that
 * does not.
 */
export function levelsFor({ traits }: Source, { oldText }: Reading): readonly Level[] {
  return traits.hasSpecial || hasSpecial(oldText) ? levels : plainLevels;
}

/** Finds the text unchanged, or with other line endings. */
function findLiterally(source: Source, reading: Reading): Finding {
  const { text } = source;
  // A match that begins between the two characters of a line ending is invalid.
  const exact = source.traits.unfolded
    .find(reading.oldText)
    .filter(({ start }) => !cutsEnding(text, start));
  const plain = withPlainEndings(reading.oldText);
  const folded = source.folded({ trailingSpace: false, lookAlikes: false });
  // Line endings are invisible, so a match that differs in nothing else counts as much as an exact one.
  const hasTwins =
    source.traits.hasReturns && plain.includes("\n") && folded.find(plain).length > exact.length;
  if (exact.length > 0 && !hasTwins) {
    return {
      places: reading.ways === 0 ? exact : fitting(text, exact, { reading, trailingSpace: false }),
      replacement: written(reading, (place, pair) => replaceLiterally(text, place, pair)),
      isLiteral: reading.ways === 0,
    };
  }
  const places = folded.find(plain);
  const isNatural = reading.ways === 0 && (hasTwins || plain === reading.oldText);
  return {
    // Several occurrences are as ambiguous as in a file with other line endings.
    places:
      isNatural && places.length > 1
        ? places
        : fitting(text, places, { reading, trailingSpace: false }),
    replacement: written(reading, (place, pair) =>
      replaceLines(text, place, { pair, adapt: (lines) => lines }),
    ),
    label: "line endings taken as those of the file",
  };
}

function cutsEnding(text: string, at: number): boolean {
  return text[at] === "\n" && text[at - 1] === "\r";
}

function folding(trailingSpace: boolean, lookAlikes: boolean): Level["find"] {
  return (source, reading) => {
    const { text } = source;
    const options = { trailingSpace, lookAlikes };
    const folded = source.folded(options);
    const wanted = fold(reading.oldText, options).text;
    if (wanted.trim() === "") return noFinding;
    const sentLast = partsOf(reading.oldText).at(-1) ?? "";
    const endsWithBlanks = trailingSpace && sentLast.trim() !== "" && /\s$/u.test(sentLast);
    const strict = endsWithBlanks ? { ...reading, endsLine: true } : reading;
    const found = folded
      .find(wanted)
      .filter((place) => !lookAlikes || !cutsRun(text, place, reading.oldText));
    const places = fitting(text, found, { reading: strict, trailingSpace })
      // If a comparison includes trailing blanks, blanks after the match make it invalid.
      .map((place) => (wanted.endsWith("\n") ? place : withBlanksAfter(text, place)));
    return {
      places,
      replacement: written(reading, (place, pair) =>
        replaceLines(text, place, {
          pair,
          adapt: (changed) => {
            const lines = partsOf(text.slice(place.start, place.end));
            const adapted = lookAlikes ? inCharacters(changed, pair, lines) : changed;
            if (typeof adapted === "string" || !trailingSpace) return adapted;
            return withoutSentBlanks(adapted, pair.oldText, lines);
          },
        }),
      ),
    };
  };
}

function shifting(lookAlikes: boolean): Level["find"] {
  return (source, reading) => {
    const { text } = source;
    const wasOneLine = (reading.ways & waysOf("escapes")) !== 0;
    const found = new Map<Place, ShiftedPlace>();
    for (const shifted of findShifted(source, reading.oldText, lookAlikes)) {
      if (indentPairs(reading.oldText, shifted.lines) === undefined) continue;
      if (!isOwnFence(text, shifted, reading)) found.set(shifted, shifted);
    }
    return {
      places: [...found.keys()],
      replacement: written(reading, (place, pair) => {
        const lines = found.get(place)?.lines ?? [];
        return replaceShifted(text, place, { pair, lines, lookAlikes, wasOneLine });
      }),
    };
  };
}

function written(
  { oldText, newText }: Reading,
  replace: (place: Place, pair: Pair) => Replacement,
): (place: Place) => Replacement {
  return (place) =>
    newText === undefined ? unclear(partlyUndone) : replace(place, { oldText, newText });
}

const noFinding: Finding = { places: [], replacement: () => unclear("nothing matches") };

interface Fit {
  readonly reading: Reading;
  readonly trailingSpace: boolean;
}

/**
 * Matches that a relaxed candidate may mean. Several new lines, or none, in place of one without its indentation would
 * leave that indentation behind: such matches are left to the level that shifts the indentation. Alongside other
 * matches they stay, so that the others do not appear to be the only ones.
 */
function fitting(text: string, places: readonly Place[], fit: Fit): readonly Place[] {
  if (places.length === 0) return places;
  const { oldText, newText } = fit.reading;
  const fits = places.filter((place) => isFit(text, place, fit));
  const isOneLine = countLines(oldText) === 1;
  const staysOne = newText === undefined || countLines(newText) === 1;
  if (!isOneLine || staysOne) return fits;
  return fits.every(({ start }) => startsAfterIndentation(text, start)) ? [] : fits;
}

/** Whether a match may be meant by a relaxed candidate. */
function isFit(text: string, place: Place, { reading, trailingSpace }: Fit): boolean {
  if (!isWhole(text, place)) return false;
  const isAtStart = text[place.start] === "\n" || text.startsWith("\r\n", place.start);
  if (reading.startsLine && !isAtStart && !startsLine(text, place.start)) return false;
  const isAtEnd = text[place.end - 1] === "\n" || endsLine(text, place.end);
  if (reading.endsLine && !isAtEnd) return false;
  if (isOwnFence(text, place, reading)) return false;
  return !leavesBlanks(text, place) || trailingSpace;
}

/** Whether blanks follow until the end of the line: they belong to it, which is a looser comparison. */
function leavesBlanks(text: string, { end }: Place): boolean {
  return text[end - 1] !== "\n" && isBlank(text[end]) && endsLine(text, end);
}

function isOwnFence(text: string, place: Place, reading: Reading): boolean {
  // A fence that both texts have around them is not changed, whatever it is.
  if ((reading.oldOnly & waysOf("codeFence")) === 0) return false;
  return mayBeOwnFence(text, place, (reading.ways & waysOf("halfFence")) !== 0);
}

function countLines(text: string): number {
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

function withBlanksAfter(text: string, place: Place): Place {
  if (!endsLine(text, place.end)) return place;
  let { end } = place;
  while (isBlank(text[end])) end++;
  return { start: place.start, end };
}
