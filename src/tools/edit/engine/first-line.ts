import type { IndentPair } from "./indent-map.ts";
import { indentText } from "./indent-style.ts";
import { partsOf, withPlainEndings } from "./lines.ts";
import type { Pair } from "./replacement.ts";

/**
 * The indentation of the first line of the old text, as sent and in the file, where it is the only one that differs:
 * blanks were added before a text, or lost there, and not before each of its lines.
 */
export function firstLineShift(oldText: string, lines: readonly string[]): IndentPair | undefined {
  const [first, ...others] = partsOf(withPlainEndings(oldText)).flatMap((line, index) => {
    if (line.trim() === "") return [];
    return [{ sent: indentText(line), file: indentText(lines[index] ?? "") }];
  });
  const isOnly = others.length > 0 && others.every(({ sent, file }) => sent === file);
  return isOnly && first !== undefined && first.sent !== first.file ? first : undefined;
}

/**
 * New text with the first line indented as that of the file, if it is indented as the old one was sent and its other
 * lines are indented as the others of the file; a string in `because` says why that is not so.
 */
export function withFirstLine(
  { oldText, newText }: Pair,
  { sent, file }: IndentPair,
): { readonly newText: string } | { readonly because: string } {
  const updated = partsOf(withPlainEndings(newText));
  const start = updated.findIndex((line) => line.trim() !== "");
  const first = updated[start];
  if (first === undefined) return { newText };
  const old = partsOf(withPlainEndings(oldText)).filter((line) => line.trim() !== "");
  const known = new Map(old.slice(1).map((line) => [line.trim(), indentText(line)]));
  const indents = new Set(known.values());
  const isOther = (line: string): boolean => {
    const indent = indentText(line);
    const own = known.get(line.trim());
    return own === undefined ? indent === sent && !indents.has(indent) : own !== indent;
  };
  const others = updated.slice(start + 1).filter((line) => line.trim() !== "");
  if (indentText(first) !== sent || others.some((line) => isOther(line))) {
    return { because: otherFirst };
  }
  const fixed = file + first.slice(sent.length);
  return { newText: updated.with(start, fixed).join("\n") };
}

const otherFirst =
  "only the first line of old_string is indented otherwise, and it is not clear whether that of new_string is, too";
