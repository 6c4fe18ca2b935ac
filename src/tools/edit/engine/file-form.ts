import { partsOf, withPlainEndings } from "./lines.ts";
import {
  applyCharacters,
  hasLookAlikes,
  isWrittenAs,
  learnCharacters,
  mixesQuotes,
  replaceCharacters,
} from "./look-alikes.ts";
import type { Pair } from "./replacement.ts";
import { blanksAfter } from "./fold.ts";

/**
 * Old lines in the characters of the file, and without the blanks at their ends where those are not the
 * file's. Where a line has other blanks than the file, or none of its, and no new line has any, none were meant.
 */
export function withoutArtefacts(
  { oldText, newText }: Pair,
  file: readonly string[],
  lookAlikes: boolean,
): readonly string[] {
  const old = partsOf(withPlainEndings(oldText));
  const map = lookAlikes ? learnCharacters(old, file) : undefined;
  const plain =
    map === undefined
      ? old
      : old.map(
          (line, index) => replaceCharacters(map, line) ?? withinBlanks(line, file[index] ?? ""),
        );
  const differs = plain.map((line, index) => blanksAfter(line) !== blanksAfter(file[index] ?? ""));
  const dropsAll = differs.includes(true) && !/[^ \t\n\r][ \t]+\r?(?:\n|$)/u.test(newText);
  return plain.map((line, index) =>
    dropsAll || differs[index] === true
      ? line.slice(0, line.length - blanksAfter(line).length)
      : line,
  );
}

/** What the file has where a line was sent, within the blanks that were sent around it. */
function withinBlanks(line: string, file: string): string {
  return (
    indentedAs(line, file.slice(0, file.length - blanksAfter(file).length)) + blanksAfter(line)
  );
}

/** Changed lines in the characters of their place; a string says why it cannot be told which those are. */
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

/** A line behind the indentation of another one. */
export function indentedAs(model: string, line: string): string {
  const from = /^\s*/u.exec(model)?.[0] ?? "";
  return from + line.trimStart();
}
