import { createToolkit } from "../index.ts";
import { callInput } from "./call-arguments.ts";
import { exitCodeOf, exitCodes, type ExitCode } from "./exit-codes.ts";
import { explainCall } from "./explain.ts";
import { onInterrupt } from "./interrupt.ts";
import { kitOptions, kitOptionsHelp, parseWords, toolkitOptions } from "./options.ts";
import { progressLine } from "./progress-line.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const help = `Usage: haft call TOOL [key=text | key:=json | JSON | -]... [options]

Runs one tool, by the same rules as an agent's call. The answer goes to standard output.

  haft call Read file_path=README.md limit:=5
  haft call Grep '{"pattern": "export", "glob": "*.ts"}'
  echo '{"command": "npm test"}' | haft call Bash - --yes

      --dry-run         say what it would do and which rule decides it; run nothing
${kitOptionsHelp}`;

/** `haft call`: one call, its answer on standard output, its fate in the exit code. */
export async function call(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const parsed = parseWords(words, { ...kitOptions, "dry-run": { type: "boolean" } });
  const { values } = parsed;
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [name, ...rest] = parsed.words;
  if (name === undefined) {
    throw new UsageError(
      "Which tool?",
      "haft tools list shows them; haft call --help shows how to call one.",
    );
  }
  const input = await callInput(rest, () => terminal.readStdin());
  const kit = await createToolkit(toolkitOptions(values, terminal));
  try {
    if (values["dry-run"] === true) {
      return await explainCall({
        kit,
        call: { name, input },
        json: values.json === true,
        terminal,
      });
    }
    const interrupt = onInterrupt();
    const progress = progressLine(name, terminal);
    const outcome = await kit.call(
      { name, input },
      {
        signal: interrupt.signal,
        onProgress: ({ message }) => progress.update(message ?? ""),
        onOutput: (text) => progress.update(text.trimEnd().split("\n").at(-1) ?? ""),
      },
    );
    progress.stop();
    interrupt.dispose();
    if (values.json === true) terminal.out(`${JSON.stringify(outcome, null, 2)}\n`);
    else if (outcome.error === undefined) terminal.out(`${outcome.text}\n`);
    else terminal.err(`${outcome.text}\n`);
    return exitCodeOf(outcome);
  } finally {
    await kit.dispose();
  }
}
