import { ToolError } from "../../core/index.ts";

export interface Added {
  readonly text: string;
  /** Patterns that were missing; the others already existed. */
  readonly added: readonly string[];
}

/**
 * Appends patterns to an ignore file, without those that it already contains. Line endings, and the presence of a final
 * line break, are preserved. Idempotent.
 */
export function addPatterns(before: string, patterns: readonly string[]): Added {
  const ending = /\r?\n/u.exec(before)?.[0] ?? "\n";
  const isOpen = before !== "" && !before.endsWith("\n");
  const lines = before.split("\n").map((line) => plainPattern(line));
  const added: string[] = [];
  for (const pattern of patterns.map((each) => checked(each))) {
    if (holds([...lines, ...added], pattern)) continue;
    added.push(pattern);
  }
  if (added.length === 0) return { text: before, added };
  const block = added.join(ending);
  return { text: isOpen ? before + ending + block : before + block + ending, added };
}

/** Whether a pattern comes last among the lines that equal it or its opposite, and therefore decides. */
function holds(lines: readonly string[], pattern: string): boolean {
  const opposite = pattern.startsWith("!") ? pattern.slice(1) : `!${pattern}`;
  return lines.lastIndexOf(pattern) > lines.lastIndexOf(opposite);
}

/** Line as git reads it: without its line ending and trailing blanks that no backslash escapes. */
function plainPattern(line: string): string {
  return line.replace(/\r$/u, "").replace(/(?<!\\) +$/u, "");
}

function checked(pattern: string): string {
  if (/[\r\n\0]/u.test(pattern)) {
    throw new ToolError("INVALID_INPUT", "A pattern is one line.", {
      hint: "Give several patterns as several entries of patterns.",
    });
  }
  const plain = plainPattern(pattern);
  if (plain === "" || plain === "!") {
    throw new ToolError("INVALID_INPUT", "A pattern is empty.", {
      hint: "Name what to ignore: dist/, *.log, /coverage.",
    });
  }
  if (plain.startsWith("#")) {
    throw new ToolError("INVALID_INPUT", `${plain} is a comment and ignores nothing.`, {
      hint: "Write \\# for a name that begins with #.",
    });
  }
  return plain;
}
