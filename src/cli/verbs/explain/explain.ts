import type { Call, Explanation, Kit } from "../../../index.ts";
import { describeCommand } from "../../print/describe-command.ts";
import { describeExplanation } from "../../print/describe-explanation.ts";
import { explainCommandText } from "./explain-command-text.ts";
import { explainLines } from "./explain-lines.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { openKit } from "../../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../../options.ts";
import { parseWords } from "../../input/parse-arguments.ts";
import type { Terminal } from "../../terminal.ts";
import { toolInput } from "../../input/tool-input.ts";
import { UsageError } from "../../usage-error.ts";

const help = `Usage: haft explain '<shell command>' [options]
       haft explain --call TOOL [key=text | key:=json | JSON | -]... [options]
       haft explain --jsonl < lines

Says what a call would touch, what the rules make of it, and why. Nothing runs. One word that names no tool is
taken as a shell command. Exits with 0 for allow, 3 for deny, 4 for ask, 1 for a call that cannot be made.

  haft explain 'npm test && git push'
  haft explain --call Write '{"file_path": "notes.txt", "content": "hello"}'

      --call            the first word is a tool, even where no tool has that name
      --jsonl           one command, {"command": "…"} or {"tool": "…", "input": {…}} per line on
                        standard input; one JSON document per line comes back, in the same order
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
      throw new UsageError("With --jsonl what to explain comes from standard input.");
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
          : describeCommand(explained, { workspace: kit.workspace, terminal }),
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
    `haft: no tool is named ${name}; taken as a shell command. Did you mean ${nearest.join(" or ")}?\n`,
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
      : describeExplanation(explanation, call, { workspace: kit.workspace, terminal }),
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
