import type { Call, Explanation, Kit } from "../../../index.ts";
import { describeExplanation } from "../../print/describe-explanation.ts";
import { explainCommandText, type ExplainedText } from "./explain-command-text.ts";
import { explainLines } from "./explain-lines.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { openKit } from "../../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../../options.ts";
import { parseWords } from "../../input/parse-arguments.ts";
import type { Terminal } from "../../terminal.ts";
import { toolInput } from "../../input/tool-input.ts";
import { UsageError } from "../../usage-error.ts";
import { shellQuoted } from "../../print/describe-effect.ts";
import { visibleText } from "../../print/visible-text.ts";

const help = `Usage: haft explain '<shell command>' [options]
       haft explain --call TOOL [key=text | key:=json | JSON | -]... [options]
       haft explain --jsonl < lines

Shows what a call would touch, what the rules decide, and why. Nothing runs. A single word that names no tool is
treated as a shell command. Exits with 0 for allow, 3 for deny, 4 for ask, 1 for an invalid call.

  haft explain 'npm test && git push'
  haft explain --call Write '{"file_path": "notes.txt", "content": "hello"}'

      --call            the first word is a tool, even if no tool has that name
      --jsonl           read a command, {"command": "…"} or {"tool": "…", "input": {…}} from each line of
                        standard input; print one line of JSON for each, in the same order
${kitOptionsHelp}`;

/** `haft explain`: shows a call's effects and decision, without running it. */
export async function explain(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const parsed = parseWords(words, {
    ...kitOptions,
    call: { type: "boolean" },
    jsonl: { type: "boolean" },
  });
  const { values } = parsed;
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [name, ...rest] = parsed.words;
  if (values.jsonl === true) {
    if (name !== undefined) {
      throw new UsageError("--jsonl reads from standard input and takes no arguments.");
    }
    const kit = await openKit(values, terminal);
    try {
      return await explainLines(kit, terminal);
    } finally {
      await kit.dispose();
    }
  }
  if (name === undefined) {
    throw new UsageError(
      "Explain what?",
      "haft explain Read file_path=README.md, or haft explain 'rm -r build'.",
    );
  }
  const isCall = values.call === true || rest.length > 0;
  const kit = await openKit(values, terminal);
  try {
    const isCommand = !isCall && kit.registry.resolve(name) === undefined;
    if (isCommand) noteTool(name, kit, terminal);
    if (isCommand) {
      const explained = await explainCommandText(kit, name, terminal.env);
      terminal.out(
        values.json === true
          ? `${JSON.stringify(explained, null, 2)}\n`
          : describeCommand(explained, { workspace: kit.workspace.path, terminal }),
      );
      return exitCodeOfExplanation(explained);
    }
    const call = { name, input: await toolInput(kit, { name, words: rest, terminal }) };
    return await explainCall({ kit, call, json: values.json === true, terminal });
  } finally {
    await kit.dispose();
  }
}

/** Warns about a mistyped tool: it must not be taken for a command silently. */
function noteTool(name: string, kit: Kit, terminal: Terminal): void {
  const nearest = /^[A-Za-z]+$/u.test(name) ? kit.registry.nearest(name) : [];
  if (nearest.length === 0) return;
  terminal.err(
    `haft: no tool is named ${name}; treated as a shell command. Did you mean ${nearest.join(" or ")}?\n`,
  );
}

async function explainCall(given: {
  readonly kit: Kit;
  readonly call: Call;
  readonly json: boolean;
  readonly terminal: Terminal;
}): Promise<ExitCode> {
  const { kit, call, json, terminal } = given;
  const explanation = await kit.explain(call);
  terminal.out(
    json
      ? `${JSON.stringify(explanation, null, 2)}\n`
      : describeExplanation(explanation, call, { workspace: kit.workspace.path, terminal }),
  );
  return exitCodeOfExplanation(explanation);
}

/** Returns the exit code for the decision on a call. */
export function exitCodeOfExplanation({
  error,
  decision,
}: Pick<Explanation, "error" | "decision">): ExitCode {
  if (error !== undefined) return exitCodes.failed;
  switch (decision?.kind) {
    case "deny":
      return exitCodes.denied;
    case "ask":
      return exitCodes.approvalNeeded;
    case "allow":
    case undefined:
      return exitCodes.ok;
  }
}

/**
 * Describes a command for the user: what it would run, with the position in the text, then what it touches and the
 * decision.
 */
function describeCommand(
  explained: ExplainedText,
  { workspace, terminal }: { readonly workspace: string; readonly terminal: Terminal },
): string {
  const { input, decision, error } = explained;
  const call = { name: "Bash", input: { command: input } };
  const known = "commands" in explained ? explained : undefined;
  const rest = describeExplanation(
    {
      tool: "Bash",
      repairs: [],
      effects: known?.effects ?? [],
      ...(decision === undefined ? {} : { decision }),
      ...(error === undefined ? {} : { error }),
    },
    call,
    { workspace, terminal },
  );
  if (known === undefined) return rest;
  const { commands } = known;
  const lines = underlined(input, commands).map((line) => `  ${line}`);
  const listed = commands.map(({ argv, via }, index) => {
    const words = argv.map((word) => (typeof word === "string" ? shellQuoted(word) : "…"));
    const through = via.length === 0 ? "" : `  (through ${via.join(", ")})`;
    return `  ${index + 1}  ${visibleText(words.join(" "))}${through}`;
  });
  const kind = `${known.class}${known.readOnly ? ", only reads" : ""}`;
  return [...lines, "", ...listed, "", `Class: ${kind}`, "", rest].join("\n");
}

/** Part of a text, by offset. */
interface Marked {
  readonly span: { readonly start: number; readonly end: number };
}

/**
 * Returns the text line by line with the marked parts underlined, each with its number in the order given. Parts that
 * overlap get rows of their own.
 */
export function underlined(text: string, parts: readonly Marked[]): readonly string[] {
  const out: string[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    out.push(visibleText(line).replaceAll("\t", " "));
    for (const row of rowsFor({ start, end }, parts)) out.push(row);
    start = end + 1;
  }
  return out;
}

function rowsFor(line: Marked["span"], parts: readonly Marked[]): readonly string[] {
  const rows: string[] = [];
  for (const [index, { span }] of parts.entries()) {
    const from = Math.max(span.start, line.start) - line.start;
    const to = Math.min(span.end, line.end) - line.start;
    if (to <= from) continue;
    const label = String(index + 1);
    // A part too short for its number still shows all of the number.
    const mark = label.padEnd(to - from, "-");
    const free = rows.findIndex((row) => row.length <= from);
    const row = (free === -1 ? "" : (rows[free] ?? "")).padEnd(from) + mark;
    if (free === -1) rows.push(row);
    else rows[free] = row;
  }
  return rows;
}
