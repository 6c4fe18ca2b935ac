import { shownPath } from "./history-entry.ts";
import type { Style, Terminal } from "../terminal.ts";
import { visibleText } from "./visible-text.ts";

/** Names the file of a diff as the other lines do: from the workspace, where it lies there. */
export function namedFromWorkspace(diff: string, path: string, workspace: string): string {
  const named = shownPath(path, workspace).replace(/^\//u, "");
  // A name that would break the line stays as it was quoted; others, also beyond ASCII, are read better plain.
  if (/["\\\p{Cc}]/u.test(named)) return diff;
  return diff.replace(/^--- .*\n\+\+\+ .*\n/u, () => `--- a/${named}\n+++ b/${named}\n`);
}

/** A unified diff, indented, with added and removed lines in colour where the terminal shows colours. */
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
