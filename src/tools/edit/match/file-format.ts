import { partsOf, withPlainEndings } from "./lines.ts";
import {
  applyCharacters,
  hasLookAlikes,
  isWrittenAs,
  learnCharacters,
  mixesQuotes,
} from "./look-alikes.ts";
import type { Pair } from "./replacement.ts";
import { blanksAfter } from "./fold-characters.ts";

/**
 * Converts changed lines to the characters used at the match; a string is the reason why those cannot be determined.
 */
export function inCharacters(
  changed: readonly string[],
  { oldText, newText }: Pair,
  lines: readonly string[],
): readonly string[] | string {
  const old = partsOf(withPlainEndings(oldText));
  if (mixesQuotes(old, lines, partsOf(withPlainEndings(newText)))) {
    return "plain quotes of old_string are plain and typographic ones in the file";
  }
  if (!hasLookAlikes(changed) || isWrittenAs(lines, old, newText)) return changed;
  const map = learnCharacters(old, lines);
  const adapted = map === undefined ? undefined : applyCharacters(map, changed);
  return (
    adapted ?? "it is not clear which characters of new_string only look like those of the file"
  );
}

/** Gives a line the indentation of another one. */
export function indentedAs(model: string, line: string): string {
  const from = /^\s*/u.exec(model)?.[0] ?? "";
  return from + line.trimStart();
}

/**
 * Changed lines for a match that was found without regard to trailing blanks. If old lines have such blanks and the
 * file does not, those of new lines may be unintended; on blank lines they always are.
 */
export function withoutSentBlanks(
  changed: readonly string[],
  oldText: string,
  lines: readonly string[],
): readonly string[] | string {
  const sent = partsOf(withPlainEndings(oldText));
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
