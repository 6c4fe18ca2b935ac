/**
 * Finds the only match that an edit can mean. The edit may be relaxed in several ways, each a bit in `ways`: in how it
 * is compared with the file (levels: literally except for line endings; blanks at line ends; look-alike characters; a
 * uniform shift of the indentation), and in which known artifacts of writing it are removed (readings: code fence, line
 * numbers, escapes, HTML entities, blank lines around it).
 *
 * Candidates are ordered by inclusion: one with a subset of the relaxations is stricter.
 * 1. The text as written is final if it occurs, once or several times.
 * 2. Of all other candidates that match anywhere, those count for which no stricter one matches.
 * 3. Each of them must have exactly one match and a determined new text there, and all of them must give the same
 *    result.
 * Otherwise the edit is refused. No measure of similarity is involved.
 */
import { levels, levelsFor, type Finding } from "./match/matchers.ts";
import { nearestPlace, withoutOverlap, type Place } from "./match/match.ts";
import { unclear, type Pair, type Replacement } from "./match/replacement.ts";
import { partlyUndone, waysOf, type Reading } from "./normalize/candidate.ts";
import { readingsOf, writtenReading } from "./normalize/candidates.ts";
import {
  edgeTrouble,
  foreignIndentation,
  leavesOutBlankLines,
  mayBeDedented,
  shiftsAll,
} from "./refuse/boundaries.ts";
import type { Source } from "./match/indexed-text.ts";

export interface PlacedText extends Place {
  readonly newText: string;
}

export type Interpretation =
  | {
      readonly kind: "found";
      readonly changes: readonly PlacedText[];
      /** Normalizations of the edit; empty if it was used as written. */
      readonly labels: readonly string[];
    }
  | {
      readonly kind: "none";
      /** Candidates that were searched for. */
      readonly readings: readonly Reading[];
    }
  | {
      readonly kind: "several";
      readonly places: readonly Place[];
      readonly labels: readonly string[];
    }
  | {
      readonly kind: "unclear";
      readonly place: Place;
      readonly because: string;
      readonly labels: readonly string[];
    }
  | {
      readonly kind: "conflict";
      readonly readings: readonly { readonly place: Place; readonly labels: readonly string[] }[];
    };

export interface Wish {
  readonly pair: Pair;
  readonly replaceAll: boolean;
  readonly nearLine: number | undefined;
}

/** Maximum number of relaxations combined. */
const maxWays = 4;

export function interpret(source: Source, wish: Wish): Interpretation {
  return asWritten(source, wish) ?? inOtherWays(source, wish);
}

/** Matches the edit as written. Most edits equal the file, and no other candidate is considered for them. */
function asWritten(source: Source, wish: Wish): Interpretation | undefined {
  const [literally] = levels;
  const reading = writtenReading(wish.pair);
  const finding = literally.find(source, reading);
  if (finding.places.length === 0) return undefined;
  return outcomeOf(source, wish, { finding, labels: literally.labels, reading, ways: 0 });
}

function inOtherWays(source: Source, wish: Wish): Interpretation {
  const readings = readingsOf(wish.pair);
  const candidates = readings
    .flatMap((reading) =>
      levelsFor(source, reading).map((level) => {
        const ways = reading.ways | level.ways;
        return { reading, level, ways, count: countBits(ways) };
      }),
    )
    .filter(({ count }) => count !== 0 && count <= maxWays)
    .toSorted((one, other) => one.count - other.count);
  const matched: number[] = [];
  const outcomes: Interpretation[] = [];
  for (const { reading, level, ways } of candidates) {
    if (matched.some((stricter) => stricter !== ways && (stricter & ways) === stricter)) continue;
    const finding = level.find(source, reading);
    if (finding.places.length === 0) continue;
    matched.push(ways);
    const labels = [...reading.labels, ...level.labels];
    outcomes.push(outcomeOf(source, wish, { finding, labels, reading, ways }));
  }
  return joined(source.text, outcomes) ?? { kind: "none", readings };
}

interface Match {
  readonly finding: Finding;
  readonly labels: readonly string[];
  readonly reading: Reading;
  /** Relaxations of the candidate and of the level on which it matched. */
  readonly ways: number;
}

function outcomeOf(
  source: Source,
  { replaceAll, nearLine }: Wish,
  { finding, labels: ownLabels, reading, ways }: Match,
): Interpretation {
  const { text } = source;
  const labels = finding.label === undefined ? ownLabels : [...ownLabels, finding.label];
  const { places } = finding;
  let chosen: readonly Place[] = places;
  if (replaceAll) chosen = withoutOverlap(places);
  else if (places.length > 1) {
    const nearest = nearLine === undefined ? undefined : nearestPlace(text, places, nearLine);
    if (nearest === undefined) return { kind: "several", places, labels };
    chosen = [nearest];
  }
  const changes: PlacedText[] = [];
  for (const place of chosen) {
    const replacement = checked(text, place, { finding, reading, ways });
    if (replacement.kind === "unclear") {
      return { kind: "unclear", place, because: replacement.because, labels };
    }
    changes.push({ start: place.start, end: place.end, newText: replacement.text });
  }
  return { kind: "found", changes, labels };
}

/** Replacement for a match, unless the result shows that the match cannot be the intended one. */
function checked(
  text: string,
  place: Place,
  { finding, reading, ways }: Omit<Match, "labels">,
): Replacement {
  if (leavesOutBlankLines(text, place, reading)) return unclear(partlyUndone);
  const replacement = finding.replacement(place);
  if (replacement.kind === "unclear" || finding.isLiteral === true) return replacement;
  const newLines = { newText: replacement.text, sent: reading.newText ?? "" };
  if (
    ((reading.oldOnly & waysOf("lineNumbers", "escapes", "codeFence")) !== 0 &&
      shiftsAll(text, place, newLines)) ||
    ((reading.oldOnly & waysOf("escapes")) !== 0 && mayBeDedented(text, place, replacement.text))
  ) {
    return unclear("all lines of new_string are indented otherwise than those of the file");
  }
  const trouble =
    edgeTrouble(text, place, replacement.text) ??
    // A candidate that differs from the file in line endings only shows no other mistake.
    (ways === 0 ? undefined : foreignIndentation(text, place, replacement.text));
  return trouble === undefined ? replacement : unclear(trouble);
}

/** Combines the results of candidates of which none is stricter than another; undefined if there are none. */
function joined(text: string, outcomes: readonly Interpretation[]): Interpretation | undefined {
  const found = outcomes.flatMap((outcome) => (outcome.kind === "found" ? [outcome] : []));
  const [first, ...others] = found;
  if (first === undefined || found.length < outcomes.length) {
    return outcomes.find(({ kind }) => kind !== "found");
  }
  const agrees = others.every((other) => givesTheSame(text, first.changes, other.changes));
  if (agrees) return first;
  return {
    kind: "conflict",
    readings: found.flatMap(({ changes, labels }) => {
      const [place] = changes;
      return place === undefined ? [] : [{ place, labels }];
    }),
  };
}

function givesTheSame(
  text: string,
  one: readonly PlacedText[],
  other: readonly PlacedText[],
): boolean {
  const starts = [...one, ...other].map(({ start }) => start);
  const ends = [...one, ...other].map(({ end }) => end);
  const around = { start: Math.min(...starts), end: Math.max(...ends) };
  return within(text, one, around) === within(text, other, around);
}

/** Range of the text after changes that are all inside it. */
function within(text: string, changes: readonly PlacedText[], { start, end }: Place): string {
  const parts: string[] = [];
  let at = start;
  for (const change of changes) {
    parts.push(text.slice(at, change.start), change.newText);
    at = change.end;
  }
  parts.push(text.slice(at, end));
  return parts.join("");
}

function countBits(ways: number): number {
  let count = 0;
  for (let left = ways; left !== 0; left &= left - 1) count++;
  return count;
}
