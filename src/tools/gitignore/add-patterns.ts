import { ToolError } from "../../core/index.ts";

export interface Added {
  readonly text: string;
  /** Those that were not there; the others were. */
  readonly added: readonly string[];
}

/**
 * An ignore file with patterns at its end, those left out that it has already. Line endings and the way it
 * ends, with a line break or without, stay as they are. Adding twice is adding once.
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

/** Whether a pattern has the last word among the lines that are it or its opposite. */
function holds(lines: readonly string[], pattern: string): boolean {
  const opposite = pattern.startsWith("!") ? pattern.slice(1) : `!${pattern}`;
  return lines.lastIndexOf(pattern) > lines.lastIndexOf(opposite);
}

/** A line as git reads it: without its ending and the blanks at its end that no backslash keeps. */
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
