import { entryProblem } from "../../policy/index.ts";
import { visibleText } from "../../text/index.ts";

/** The field `allowed-tools` of a skill or command. */
export interface AllowedTools {
  /** Entries as written; undefined for no limit: without the field, and with an entry `*`. */
  readonly allowedTools: readonly string[] | undefined;
  /** Reasons for which nothing with this limit can be used. */
  readonly faults: readonly string[];
  /** Entries that permit nothing. */
  readonly notes: readonly string[];
}

/**
 * Reads `allowed-tools`. An entry that cannot be read may have been meant to be anything, and a lost parenthesis hides the
 * entries after it, so that it is a fault. One that names no tool permits nothing and is noted: files for several programs
 * name tools that only some of them have.
 */
export function readAllowedTools(value: unknown): AllowedTools {
  if (value === undefined) return { allowedTools: undefined, faults: [], notes: [] };
  const entries = entriesOf(value);
  if (entries === undefined) {
    const faults = ["`allowed-tools` is not a text or a list of texts."];
    return { allowedTools: undefined, faults, notes: [] };
  }
  const faults: string[] = [];
  const notes: string[] = [];
  for (const entry of entries) {
    if (entry === anyTool) continue;
    // A path of a skill or plugin is known later; for the form of the entry every path is the same.
    const problem = entryProblem(entry.replaceAll(/\$\{CLAUDE_\w+\}/gu, "/directory"));
    if (problem === undefined || problem.kind === "elsewhere") continue;
    const { kind, message, hint } = problem;
    const next = hint === undefined ? "" : ` ${hint}`;
    const named = `\`${visibleText(entry.slice(0, 80))}\` in \`allowed-tools\``;
    if (kind === "unreadable") faults.push(`${named} cannot be read: ${message}${next}`);
    else notes.push(`${named} permits nothing: ${visibleText(message)}${next}`);
  }
  const allowedTools = entries.includes(anyTool) ? undefined : entries;
  return { allowedTools, faults, notes };
}

const anyTool = "*";

/** Entries of a list, or of a text that separates them by blanks or commas outside of parentheses. */
function entriesOf(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return splitEntries(value);
  const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
  return isList ? value.map((each) => each.trim()).filter((each) => each !== "") : undefined;
}

function splitEntries(text: string): readonly string[] {
  const entries: string[] = [];
  let entry = "";
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (depth === 0 && /[\s,]/u.test(char)) {
      if (entry !== "") entries.push(entry);
      entry = "";
    } else entry += char;
  }
  return entry === "" ? entries : [...entries, entry];
}

/** Line of a field, from 1; the first line for one that is missing. */
export function lineOfField(key: string, lines: readonly string[]): number {
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith("---"));
  const fields = end === -1 ? lines : lines.slice(0, end);
  const found = fields.findIndex((line) => key !== "" && line.startsWith(`${key}:`));
  return Math.max(0, found) + 1;
}
