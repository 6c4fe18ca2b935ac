import { searchTerms, smallWords } from "./search-text.ts";

/** Places where one request may end and another begin. */
const partEnd =
  /[.?!;:]\s+|\n+|,?\s+(?:and then|after that|afterwards|additionally|also|then|finally|lastly|next|plus|as well as)\b,?|,\s+and\s+/giu;

/** Fewest words that carry a request; a shorter part belongs to the one before it. */
const minTelling = 2;

/**
 * Splits a request into its parts, as search terms: "find flights to Rome and then book a hotel" needs two tools, and
 * the words of one would hide the other. Reads only the first words.
 */
export function requestParts(query: string, maxWords: number): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let left = maxWords;
  for (const text of query.split(partEnd)) {
    const terms = searchTerms(text).slice(0, left);
    left -= terms.length;
    if (terms.length === 0) continue;
    const last = parts.at(-1);
    if (last !== undefined && (isThin(terms) || isThin(last))) last.push(...terms);
    else parts.push([...terms]);
  }
  return parts;
}

function isThin(terms: readonly string[]): boolean {
  return terms.filter((term) => !smallWords.has(term)).length < minTelling;
}
