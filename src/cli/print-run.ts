import type { HaftEvent } from "../index.ts";
import { printDiff } from "./print-diff.ts";
import type { Terminal } from "./terminal.ts";

/** Lines of an answer shown under its call; the model sees all of it, the log keeps it. */
const shownLines = 12;

/** Prints a run as it happens: each call with its decision, what it changed, and how it ended. */
export function runPrinter(terminal: Terminal): (event: HaftEvent) => void {
  let isInText = false;
  const endText = (): void => {
    if (isInText) terminal.err("\n");
    isInText = false;
  };
  return (event) => {
    if (event.type === "model-text") {
      isInText = true;
      terminal.err(event.text);
      return;
    }
    const text = describe(event, terminal);
    if (text === "") return;
    endText();
    terminal.err(text);
  };
}

function describe(event: HaftEvent, terminal: Terminal): string {
  switch (event.type) {
    case "run-start":
      return `${terminal.style("bold", `Task: ${event.task}`)}\n${terminal.style("dim", `Model: ${event.model}`)}\n`;
    case "call-decided": {
      const { decision } = event;
      const why =
        decision.rule === undefined ? "" : ` by ${decision.rule.rule} (${decision.rule.scope})`;
      return `\n${terminal.style("cyan", "●")} ${terminal.style("bold", event.tool)} ${shortInput(event.input)}\n  ${terminal.style("dim", `${decision.kind}${why}`)}\n`;
    }
    case "call-end":
      return describeEnd(event, terminal);
    case "turn-end":
      return "";
    case "call-start":
    case "permission-ask":
    case "permission-answer":
    case "call-progress":
    case "call-output":
    case "mode-change":
    case "tools-change":
    case "turn-start":
    case "model-text":
    case "model-reasoning":
    case "run-end":
      return "";
  }
}

function describeEnd(
  { outcome }: Extract<HaftEvent, { type: "call-end" }>,
  terminal: Terminal,
): string {
  const { diff } = outcome.metadata;
  const mark = outcome.isError ? terminal.style("red", "✗") : terminal.style("green", "✓");
  const head = `  ${mark} ${outcome.summary === "" ? outcome.status : outcome.summary}\n`;
  if (typeof diff === "string" && diff !== "") return head + printDiff(diff, terminal);
  const lines = outcome.text.trimEnd().split("\n");
  const shown = lines.length > shownLines ? lines.slice(-shownLines) : lines;
  const more = lines.length > shownLines ? `    … ${lines.length - shownLines} lines before\n` : "";
  return `${head}${more}${shown.map((line) => `    ${terminal.style("dim", line)}\n`).join("")}`;
}

function shortInput(input: unknown): string {
  if (typeof input !== "object" || input === null) return JSON.stringify(input) ?? "";
  const parts = Object.entries(input).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const line = text.replaceAll(/\s+/gu, " ");
    return `${key}=${line.length > 60 ? `${line.slice(0, 60)}…` : line}`;
  });
  return parts.join(" ");
}
