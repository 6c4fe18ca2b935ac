import type { Outcome } from "../../index.ts";
import type { Terminal } from "../terminal.ts";
import { visibleText } from "./visible-text.ts";

/** Returns a line that says that the rule the user approved was not saved, and why; empty if it was saved. */
export function unsavedLine({ metadata }: Outcome, terminal: Terminal): string {
  const { unsaved } = metadata;
  if (typeof unsaved !== "string") return "";
  return `  ${terminal.style("yellow", visibleText(unsaved))}\n`;
}
