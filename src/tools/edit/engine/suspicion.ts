import { isFullWidth, readsAs } from "./look-alikes.ts";
import { waysOf } from "./reading.ts";

/**
 * What makes new lines look as if they carried an artefact of which the old text shows nothing. It counts
 * only for an edit that was not written as the file stands: one that is mangled in one way may well be
 * mangled in another, and nothing can prove it.
 */
export function suspicionOf(
  lines: readonly string[],
  file: string,
  undone: number,
): string | undefined {
  const text = lines.join("\n");
  // What is left of a kind that was undone was written so on purpose.
  const isLeft = (kinds: number): boolean => (undone & kinds) === 0;
  if (hasForeignCharacters(text, file)) {
    return "new_string has typographic quotes, blanks, full-width forms or unseen characters that the file has nowhere";
  }
  if (isLeft(waysOf("escapes", "escapedQuotes")) && lines.some((line) => escapesAllQuotes(line))) {
    return "new_string has backslashes before all its quotes";
  }
  if (isLeft(waysOf("entities")) && entities.some((each) => isForeignEntity(each, text, file))) {
    return "new_string has HTML entities that the file has nowhere";
  }
  if (isLeft(waysOf("escapes")) && hasBreaks(lines, file)) {
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
    const isTyped = isFullWidth(character) || (plain !== undefined && foreignKinds.has(plain));
    if (plain === undefined || !isTyped || file.includes(character)) return false;
    return plain.trim() === "" || !text.includes(plain);
  });
}

const foreignKinds = new Set(["'", '"', " ", ""]);

function escapesAllQuotes(line: string): boolean {
  const plain = line.replaceAll('\\"', "").replaceAll(/(?<=\w)'(?=\w)/gu, "");
  return line.includes('\\"') && !/["'`]/u.test(plain);
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

/** Whether a `\n` may stand for a line break: what is followed by an indentation does even in a file that has others. */
function hasBreaks(lines: readonly string[], file: string): boolean {
  const bare = bareEscapes(lines);
  if (bare.some((after) => /^(?:\\t| {2})/u.test(after))) return true;
  return bare.length > 0 && bareEscapes(file.split("\n")).length === 0;
}

/** What follows each `\n` that stands neither in quotes nor, as far as can be seen, in a pattern. */
function bareEscapes(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const found: string[] = [];
    for (let at = line.indexOf("\\n"); at !== -1; at = line.indexOf("\\n", at + 2)) {
      const before = line.slice(0, at);
      if (!openPattern.test(before) && !isInQuotes(before)) found.push(line.slice(at + 2));
    }
    return found;
  });
}

const openPattern = /(?:^|[\s=(,:!&|[])\/(?![/*\s])[^/]*$/u;

/** Whether a quote is still open at the end of a text; an apostrophe inside a word opens none. */
export function isInQuotes(before: string): boolean {
  const plain = before.replaceAll(/\\./gu, "").replaceAll(/(?<=\w)'(?=\w)/gu, "");
  return ['"', "'", "`"].some((quote) => (plain.split(quote).length - 1) % 2 === 1);
}

function hasForeignIndentation(text: string, file: string): boolean {
  // A file that has the same blanks shows them soon; that it has none is only known at its end.
  return (
    (/^ {2}/mu.test(text) && !begins(file, "  ") && begins(file, "\t")) ||
    (/^ *\t/mu.test(text) && !begins(file, "\t") && begins(file, "  "))
  );
}

/** Whether some line begins with these blanks. */
function begins(file: string, blanks: string): boolean {
  return file.startsWith(blanks) || file.includes(`\n${blanks}`);
}
