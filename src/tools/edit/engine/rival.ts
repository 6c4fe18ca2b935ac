import { distance } from "fastest-levenshtein";
import { LineSearch } from "./line-search.ts";
import { countNewlines, partsOf, withPlainEndings } from "./lines.ts";
import { foldLookAlikes } from "./look-alikes.ts";
import type { Place } from "./place.ts";

/** Lines that share less with each other are no two versions of one. */
const leastSimilarity = 0.6;
const maxComparedChars = 200;
/** Parts of the file that are compared line by line, those with most of the old text first. */
const maxCandidates = 50;

/**
 * Finds the line, from 1, of another part of the file than a place in which the old text stands as it was sent,
 * indentation included, but for lines that are no more than similar. A place with another indentation is then no
 * shifted one for certain: the part that was meant may have changed since.
 */
export function rivalFinder(text: string, oldText: string): (place: Place) => number | undefined {
  let starts: readonly number[] | undefined;
  return (place) => {
    starts ??= startsOf(text, oldText);
    let own: number | undefined;
    const rival = starts.find((start) => start !== (own ??= countNewlines(text, 0, place.start)));
    return rival === undefined ? undefined : Math.max(0, rival) + 1;
  };
}

/** The lines, from 0, at which the old text would begin where most of it stands as it was sent. */
function startsOf(text: string, oldText: string): readonly number[] {
  const file = new LineSearch(foldLookAlikes(text));
  const wanted = partsOf(withPlainEndings(foldLookAlikes(oldText)))
    .map((line, offset) => ({ line: line.trimEnd(), offset, weight: line.trim().length }))
    .filter(({ weight }) => weight > 0);
  const placesOf = new Map<string, readonly number[]>();
  const equal = new Map<number, number>();
  for (const { line, offset, weight } of wanted) {
    const isMeant = (own: string): boolean => own.trimEnd() === line;
    const places = placesOf.get(line) ?? file.find({ piece: line, isMeant });
    placesOf.set(line, places);
    for (const at of places) {
      equal.set(at - offset, (equal.get(at - offset) ?? 0) + weight);
    }
  }
  const all = wanted.reduce((sum, { weight }) => sum + weight, 0);
  return [...equal]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, maxCandidates)
    .map(([start]) => start)
    .filter((start) => {
      const shared = wanted.reduce(
        (sum, { line, offset, weight }) =>
          sum + weight * likeness(line, file.line(start + offset)?.trimEnd() ?? ""),
        0,
      );
      return shared * 2 >= all;
    });
}

/** How much of a line, which is not blank, another one has; nothing where it is indented otherwise. */
function likeness(line: string, other: string): number {
  if (/^[ \t]*/u.exec(line)?.[0] !== /^[ \t]*/u.exec(other)?.[0]) return 0;
  const [one, two] = [
    line.trim().slice(0, maxComparedChars),
    other.trim().slice(0, maxComparedChars),
  ];
  const similarity = 1 - distance(one, two) / Math.max(one.length, two.length);
  return similarity < leastSimilarity ? 0 : similarity;
}
