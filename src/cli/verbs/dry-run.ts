import type { Call, CallPreview, Kit } from "../../index.ts";
import { describeExplanation } from "../print/describe-explanation.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { exitCodeOfExplanation } from "./explain/explain.ts";
import { printDiff } from "../print/print-diff.ts";
import type { Terminal } from "../terminal.ts";
import { visibleText } from "../print/visible-text.ts";

export interface DryRun {
  readonly kit: Kit;
  readonly call: Call;
  readonly json: boolean;
  /** Whether the user approves beforehand, including a dry run of a program. */
  readonly approved: boolean;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** `haft call --dry-run`: shows the decision on a call and what it would do, without doing it. */
export async function dryRun(given: DryRun): Promise<ExitCode> {
  const { kit, call, json, approved, terminal, signal } = given;
  const shown = await kit.preview(call, { approved, signal });
  if (json) terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
  else {
    terminal.out(describeExplanation(shown, call, { workspace: kit.workspace.path, terminal }));
    terminal.out(described(shown, terminal));
  }
  const isAnswered = approved && shown.decision?.kind === "ask" && shown.error === undefined;
  return isAnswered ? exitCodes.ok : exitCodeOfExplanation(shown);
}

const bases = {
  run: "What it would do",
  reported: "What the tool says it would do",
  declared: "What it would do is not known exactly",
} as const;

function described({ preview, error, effects }: CallPreview, terminal: Terminal): string {
  if (preview === undefined || error !== undefined) return "";
  const { summary, diff, content, refused = [], passthrough = [], basis = "reported" } = preview;
  const heading = terminal.style("bold", bases[basis], "out");
  const lines = [
    `\n${heading}\n  ${visibleText(summary)}\n`,
    ...refused.map(({ path, because }) => `  cannot be done: ${visibleText(path)}: ${because}\n`),
    ...passthrough.map((path) => `  changed directly, so not shown: ${visibleText(path)}\n`),
    ...(diff === undefined ? [] : ["\n", printDiff(diff, terminal, "out")]),
  ];
  // The result of a change repeats the diff; the output of a program does not.
  const isNews = diff === undefined || effects.some(({ kind }) => kind === "execute");
  if (content !== undefined && isNews) {
    lines.push(`\n${terminal.style("bold", "What it would answer", "out")}\n`);
    lines.push(content.endsWith("\n") ? content : `${content}\n`);
  }
  return lines.join("");
}
