import { shownPath } from "./history-entry.ts";
import type { Style, Terminal } from "../terminal.ts";
import { visibleText } from "./visible-text.ts";

/** Names the file in a diff as other lines do: relative to the workspace, if it is inside. */
export function namedFromWorkspace(diff: string, path: string, workspace: string): string {
  const named = shownPath(path, workspace).replace(/^\//u, "");
  // A name that would break the line stays quoted; others, including those beyond ASCII, are easier to read unquoted.
  if (/["\\\p{Cc}]/u.test(named)) return diff;
  return diff.replace(/^--- .*\n\+\+\+ .*\n/u, () => `--- a/${named}\n+++ b/${named}\n`);
}

/** Prints a unified diff, indented, with added and removed lines in color if the terminal shows colors. */
export function printDiff(diff: string, terminal: Terminal, stream: "out" | "err" = "err"): string {
  const lines = visibleText(diff)
    .replace(/\n$/u, "")
    .split("\n")
    .map((line) => `  ${colour(line, (style, text) => terminal.style(style, text, stream))}`);
  return `${lines.join("\n")}\n`;
}

function colour(line: string, styled: (style: Style, text: string) => string): string {
  if (line.startsWith("+") && !line.startsWith("+++")) return styled("green", line);
  if (line.startsWith("-") && !line.startsWith("---")) return styled("red", line);
  return line.startsWith("@@") ? styled("cyan", line) : line;
}
