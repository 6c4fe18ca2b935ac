import { distance } from "fastest-levenshtein";
import { countNewlines, partsOf, withPlainEndings } from "./lines.ts";
import type { Place } from "./place.ts";

/** Lines that share less with each other are no two versions of one. */
const leastSimilarity = 0.6;
const maxComparedChars = 200;
const maxCandidates = 50;

/**
 * The line, from 1, of another part of the file in which the old text stands as it was sent, indentation
 * included, but for lines that are no more than similar. A place with another indentation is then no shifted one
 * for certain: the part that was meant may have changed since.
 */
export function rivalLine(text: string, place: Place, oldText: string): number | undefined {
  const wanted = partsOf(withPlainEndings(oldText)).map((line) => line.trimEnd());
  // Most often none of them does, and the lines of the file need not be told apart.
  if (!wanted.some((line) => line !== "" && beginsLine(text, line))) return undefined;
  const own = countNewlines(text, 0, place.start);
  const file = partsOf(text).map((line) => line.trimEnd());
  const positions = new Map<string, number[]>();
  for (const line of wanted) positions.set(line, []);
  for (const [at, line] of file.entries()) positions.get(line)?.push(at);
  const starts = new Set<number>();
  for (const [offset, line] of wanted.entries()) {
    if (line === "") continue;
    for (const at of positions.get(line) ?? []) if (at - offset !== own) starts.add(at - offset);
  }
  const all = wanted.reduce((sum, line) => sum + line.trim().length, 0);
  for (const start of [...starts].slice(0, maxCandidates)) {
    const shared = wanted.reduce(
      (sum, line, offset) => sum + line.trim().length * likeness(line, file[start + offset] ?? ""),
      0,
    );
    if (shared * 2 >= all) return Math.max(0, start) + 1;
  }
  return undefined;
}

function beginsLine(text: string, line: string): boolean {
  return text.startsWith(line) || text.includes(`\n${line}`);
}

function likeness(line: string, other: string): number {
  if (line === other) return 1;
  if (/^[ \t]*/u.exec(line)?.[0] !== /^[ \t]*/u.exec(other)?.[0]) return 0;
  const [one, two] = [
    line.trim().slice(0, maxComparedChars),
    other.trim().slice(0, maxComparedChars),
  ];
  const similarity = 1 - distance(one, two) / Math.max(one.length, two.length, 1);
  return similarity < leastSimilarity ? 0 : similarity;
}
