import { cp, mkdtemp, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createToolkit } from "../index.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { kitOptions, parseWords } from "./options.ts";
import { openModel, runAgent } from "./run.ts";
import type { Terminal } from "./terminal.ts";

const help = `Usage: haft demo

Copies a small project with a failing test into a temporary folder and lets an agent mend it. The model is scripted:
it plays back a recorded plan, so that no key and no network is needed. The tools, rules, diff and test are real.
`;

const task = "The tests of this project fail. Find out why and fix it.";
const examples = fileURLToPath(new URL("../../examples/", import.meta.url));

/** `haft demo`: the main job, end to end, with a scripted model. */
export async function demo(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = parseWords(words, { help: kitOptions.help });
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const folder = await realpath(await mkdtemp(join(tmpdir(), "haft-demo-")));
  const workspace = join(folder, "project");
  const dataDirectory = join(folder, "data");
  await cp(join(examples, "fix-failing-test"), workspace, { recursive: true });
  terminal.err(`A scripted model works on a copy of examples/fix-failing-test in ${workspace}\n\n`);
  const script = join(examples, "fix-failing-test.script.json");
  await readFile(script);
  const model = await openModel(`script:${script}`, { terminal });
  const kit = await createToolkit({
    workspace,
    dataDirectory,
    mode: "acceptEdits",
    eventLog: "file",
    rules: { allow: ["Bash(node --test)", "Bash(npm test)"] },
  });
  try {
    const code = await runAgent({ kit, model, task, terminal, json: false });
    terminal.err(`\nThe project is in ${workspace}; take the change back with\n`);
    terminal.err(`  npx haft undo --workspace ${workspace} --data-dir ${dataDirectory}\n`);
    terminal.err(`Every event is in ${kit.logFile ?? "memory"}.\n`);
    terminal.err(
      'With a real model: npx haft run --model anthropic:claude-sonnet-4-5 "your task"\n',
    );
    return code;
  } finally {
    await kit.dispose();
  }
}
