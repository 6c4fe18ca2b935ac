import type { Outcome } from "../../index.ts";
import type { Terminal } from "../terminal.ts";
import { visibleText } from "./visible-text.ts";

/** Says that the rule which came with somebody's yes was not saved, and why; empty where all went well. */
export function unsavedLine({ metadata }: Outcome, terminal: Terminal): string {
  const { unsaved } = metadata;
  if (typeof unsaved !== "string") return "";
  return `  ${terminal.style("yellow", visibleText(unsaved))}\n`;
}
