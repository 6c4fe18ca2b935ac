import type { ToolError } from "../../index.ts";
import type { Terminal } from "../terminal.ts";
import { visibleText } from "./visible-text.ts";

/** Prints a failure and its next step; text of packages and servers in it cannot control the terminal. */
export function printToolError({ message, hint }: ToolError, terminal: Terminal): void {
  const next = hint === undefined ? "" : `${visibleText(hint)}\n`;
  terminal.err(`haft: ${visibleText(message)}\n${next}`);
}
