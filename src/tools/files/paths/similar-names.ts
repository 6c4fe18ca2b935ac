import { distance } from "fastest-levenshtein";

/**
 * Names most similar to the wanted one, best first, at most three. Names that differ only in letter case or in
 * characters that look alike (composed or not, curly quotes, kinds of space) come before all others.
 */
export function similarNames(wanted: string, names: Iterable<string>): readonly string[] {
  const folded = foldName(wanted);
  const scored: { name: string; score: number }[] = [];
  for (const name of names) {
    const score = nameDistance(folded, foldName(name));
    if (score !== undefined) scored.push({ name, score });
  }
  scored.sort((one, other) => one.score - other.score || (one.name < other.name ? -1 : 1));
  return scored.slice(0, 3).map(({ name }) => name);
}

/** Whether two names look the same to a human although their characters differ. */
export function looksAlike(one: string, other: string): boolean {
  return one !== other && foldCharacters(one) === foldCharacters(other);
}

function nameDistance(wanted: string, name: string): number | undefined {
  if (wanted === name) return 0;
  if (withoutExtension(wanted) === withoutExtension(name)) return 0.5;
  if (sortedLetters(wanted) === sortedLetters(name)) return 1;
  const edits = distance(wanted, name);
  if (edits <= Math.max(1, Math.floor(wanted.length / 3))) return edits;
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  // Half a name is a useful hint, one or two letters are not.
  return short.length >= 3 && long.includes(short) ? 100 + long.length - short.length : undefined;
}

/** Letters in sorted order: equal if only their order differs, the most frequent error in a short name. */
function sortedLetters(name: string): string {
  return Array.from(name).toSorted().join("");
}

function withoutExtension(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

function foldName(name: string): string {
  return foldCharacters(name).toLowerCase();
}

function foldCharacters(name: string): string {
  return (
    name
      .replaceAll("\u00B4", "'")
      .normalize("NFKC")
      .replaceAll(/[\u2018-\u201B\u2032\u02B9\u02BC\u0060]/gu, "'")
      .replaceAll(/[\u201C-\u201F\u2033]/gu, '"')
      .replaceAll(/[\u2010-\u2015\u2212]/gu, "-")
      .replaceAll(/\p{Zs}/gu, " ")
      // Invisible characters, which users cannot see and therefore do not type.
      .replaceAll(/[\u00AD\u200B-\u200F\u2060\uFEFF]/gu, "")
  );
}
