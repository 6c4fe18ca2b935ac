import type { ParseArgsOptionsConfig } from "node:util";
import { parseWords } from "./parse-arguments.ts";

/**
 * Returns the first words of a command line that are not options, and the position after the last of them; undefined if
 * there are fewer. For a line whose end belongs to another program, whose options are not known.
 */
export function leadingWords(
  line: readonly string[],
  count: number,
  options: ParseArgsOptionsConfig,
): { readonly words: readonly string[]; readonly end: number } | undefined {
  for (let end = count; end <= line.length; end += 1) {
    const words = wordsOf(line.slice(0, end), options);
    if (words !== undefined && words.length === count) return { words, end };
  }
  return undefined;
}

/** Undefined for a line that cannot be parsed, such as one that ends before the value of its last option. */
function wordsOf(
  line: readonly string[],
  options: ParseArgsOptionsConfig,
): readonly string[] | undefined {
  try {
    return parseWords(line, options).words;
  } catch {
    return undefined;
  }
}
