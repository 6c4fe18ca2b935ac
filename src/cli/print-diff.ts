import type { Style, Terminal } from "./terminal.ts";
import { visibleText } from "./visible-text.ts";

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
