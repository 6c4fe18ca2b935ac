import type { Terminal } from "./terminal.ts";
import { visibleText } from "./visible-text.ts";

/** A unified diff, indented, with added and removed lines in colour where the terminal shows colours. */
export function printDiff(diff: string, terminal: Terminal): string {
  const lines = visibleText(diff)
    .replace(/\n$/u, "")
    .split("\n")
    .map((line) => `  ${colour(line, terminal)}`);
  return `${lines.join("\n")}\n`;
}

function colour(line: string, terminal: Terminal): string {
  if (line.startsWith("+") && !line.startsWith("+++")) return terminal.style("green", line);
  if (line.startsWith("-") && !line.startsWith("---")) return terminal.style("red", line);
  return line.startsWith("@@") ? terminal.style("cyan", line) : line;
}
