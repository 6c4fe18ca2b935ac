import { readsAs } from "./look-alikes.ts";

/**
 * What makes new lines look as if they carried an artefact of which the old text shows nothing. It counts
 * only for an edit that was not written as the file stands: one that is mangled in one way may well be
 * mangled in another, and nothing can prove it.
 */
export function suspicionOf(lines: readonly string[], file: string): string | undefined {
  if (lines.length === 0) return undefined;
  const text = lines.join("\n");
  if (hasForeignCharacters(text, file)) {
    return "new_string has typographic quotes or blanks that the file has nowhere";
  }
  if (lines.some((line) => hasOnlyEscapedQuotes(line))) {
    return "new_string has backslashes before all its quotes";
  }
  if (entities.some((entity) => isForeignEntity(entity, text, file))) {
    return "new_string has HTML entities that the file has nowhere";
  }
  if (hasBareEscape(lines) && !hasBareEscape(file.split("\n"))) {
    return "new_string has \\n outside of quotes, where a line break may be meant";
  }
  if (hasForeignIndentation(text, file)) {
    return "new_string is indented by other blanks than any line of the file";
  }
  return undefined;
}

function hasForeignCharacters(text: string, file: string): boolean {
  const special = new Set(text.match(/[^\0-\u007F]/gu));
  return [...special].some((character) => {
    const plain = readsAs(character);
    if (plain === undefined || !foreignKinds.has(plain) || file.includes(character)) return false;
    return plain === " " || !text.includes(plain);
  });
}

const foreignKinds = new Set(["'", '"', " "]);

function hasOnlyEscapedQuotes(line: string): boolean {
  return line.includes('\\"') && !/['`]/u.test(line) && !line.replaceAll('\\"', "").includes('"');
}

const entities = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
  ["&quot;", '"'],
] as const;

function isForeignEntity(
  [entity, plain]: (typeof entities)[number],
  text: string,
  file: string,
): boolean {
  if (!text.includes(entity) || file.includes(entity)) return false;
  return !text.replaceAll(/&[a-z]+;/gu, "").includes(plain);
}

/** A `\n` that stands neither in quotes nor, as far as can be seen, in a pattern. */
function hasBareEscape(lines: readonly string[]): boolean {
  return lines.some((line) => {
    for (let at = line.indexOf("\\n"); at !== -1; at = line.indexOf("\\n", at + 2)) {
      const before = line.slice(0, at);
      if (!before.includes("/") && !isInQuotes(before)) return true;
    }
    return false;
  });
}

/** Whether a quote is still open at the end of a text; an apostrophe inside a word opens none. */
export function isInQuotes(before: string): boolean {
  const plain = before.replaceAll(/\\./gu, "").replaceAll(/(?<=\w)'(?=\w)/gu, "");
  return ['"', "'", "`"].some((quote) => (plain.split(quote).length - 1) % 2 === 1);
}

function hasForeignIndentation(text: string, file: string): boolean {
  const usesTabs = /^\t/mu.test(file);
  const usesSpaces = /^ {2}/mu.test(file);
  if (usesTabs === usesSpaces) return false;
  return usesTabs ? /^ {2}/mu.test(text) : /^ *\t/mu.test(text);
}
