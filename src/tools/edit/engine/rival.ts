import { countNewlines, partsOf, withPlainEndings } from "./lines.ts";
import type { Place } from "./place.ts";

/**
 * The line, from 1, of another part of the file in which most of the old text stands just as it was sent,
 * indentation included. A place with another indentation is then no shifted one for certain: the part that was
 * meant may have changed since.
 */
export function rivalLine(text: string, place: Place, oldText: string): number | undefined {
  const own = countNewlines(text, 0, place.start);
  const positions = new Map<string, number[]>();
  const wanted = partsOf(withPlainEndings(oldText)).map((line) => line.trimEnd());
  for (const line of wanted) positions.set(line, []);
  for (const [at, line] of partsOf(text).entries()) positions.get(line.trimEnd())?.push(at);
  const found = new Map<number, number>();
  let all = 0;
  for (const [offset, line] of wanted.entries()) {
    const weight = line.trim().length;
    all += weight;
    for (const at of positions.get(line) ?? []) {
      const start = at - offset;
      if (start !== own) found.set(start, (found.get(start) ?? 0) + weight);
    }
  }
  for (const [start, weight] of found) if (weight * 2 >= all) return Math.max(0, start) + 1;
  return undefined;
}
