import { cp, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit } from "../../index.ts";
import { shellQuoted } from "../print/describe-effect.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { packageDirectory } from "../package-directory.ts";
import { parseWords } from "../input/parse-arguments.ts";
import { onInterrupt } from "../interrupt.ts";
import { openModel } from "../run/open-model.ts";
import { runAgent } from "../run/run-agent.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const help = `Usage: haft demo

Copies a small project with a failing test into a temporary directory and lets an agent fix it. The model is scripted:
it plays back a recorded plan, so it needs no key and no network. The tools, rules, diff and test are real.

  -h, --help            this text
`;

const task = "The tests of this project fail. Find out why and fix it.";
const examples = `${packageDirectory}examples/`;

/** `haft demo`: shows the main use, end to end, with a scripted model. */
export async function demo(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, { help: { type: "boolean", short: "h" } });
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  if (rest.length > 0) {
    throw new UsageError(
      "The demo takes no task: its model is scripted.",
      'With a real model: haft run --model provider:model "task".',
    );
  }
  const folder = await realpath(await mkdtemp(join(tmpdir(), "haft-demo-")));
  const workspace = join(folder, "project");
  const dataDirectory = join(folder, "data");
  await cp(join(examples, "fix-failing-test"), workspace, { recursive: true });
  terminal.err(
    `The model of this demo is scripted: it plays back a recorded plan. Tools, rules, diff and test are real.\nIt works on a copy of examples/fix-failing-test in ${workspace}\n\n`,
  );
  const script = join(examples, "fix-failing-test.script.json");
  const model = await openModel(`script:${script}`, { terminal });
  const kit = await createToolkit({
    workspace,
    dataDirectory,
    mode: "acceptEdits",
    eventLog: "file",
    rules: { allow: ["Bash(node --test)", "Bash(npm test)"] },
  });
  const interrupt = onInterrupt(terminal);
  const { signal } = interrupt;
  try {
    const code = await runAgent({ kit, signal, model, task, terminal, format: "text" });
    const places = `-C ${shellQuoted(workspace)} --data-dir ${shellQuoted(dataDirectory)}`;
    terminal.err(`
What it changed:    npx haft history ${places}
Undo it:            npx haft undo ${places}
Every event is in:  ${kit.events.file ?? "memory"}
With a real model:  npx haft run --model anthropic:claude-sonnet-4-5 "your task"
`);
    return code;
  } finally {
    await kit.dispose();
    interrupt.dispose();
  }
}
