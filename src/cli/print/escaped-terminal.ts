import type { Terminal } from "../terminal.ts";
import { visibleText } from "./visible-text.ts";

/**
 * Wraps a terminal so that control characters in printed text become visible: file names, rules of a project and output
 * of programs are not trusted. Results for a pipe stay unchanged, and so does `raw`.
 */
export function guardedTerminal(terminal: Terminal): Terminal {
  return {
    ...terminal,
    out(text) {
      terminal.out(terminal.isOutputShown ? readable(text, terminal, "out") : text);
    },
    err(text) {
      terminal.err(readable(text, terminal, "err"));
    },
  };
}

/**
 * Escape sequences of `style`. They stay unchanged wherever they come from, because a color hides and moves nothing.
 */
const ownStyles = new RegExp(String.raw`(\u001B\[(?:1|2|22|3[1236]|39)m)`, "u");

function readable(text: string, terminal: Terminal, stream: "out" | "err"): string {
  const hasColours = terminal.style("dim", "", stream) !== "";
  if (!hasColours) return visibleText(text);
  return text
    .split(ownStyles)
    .map((part, at) => (at % 2 === 1 ? part : visibleText(part)))
    .join("");
}
