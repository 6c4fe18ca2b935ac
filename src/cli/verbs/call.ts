import { builtInTools } from "../../entries/tools.ts";
import type { Kit, Outcome } from "../../index.ts";
import { toolInput } from "../input/tool-input.ts";
import { shellQuoted } from "../print/describe-effect.ts";
import { exitCodeOf, exitCodes, type ExitCode } from "../exit-codes.ts";
import { onInterrupt, type Interrupt } from "../interrupt.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../options.ts";
import { parseWords } from "../input/parse-arguments.ts";
import { progressLine } from "../print/progress-line.ts";
import { everyFileRead } from "../input/mark-files-read.ts";
import { printDiff } from "../print/print-diff.ts";
import type { Terminal } from "../terminal.ts";
import { unsavedLine } from "../print/rule-not-saved.ts";
import { UsageError } from "../usage-error.ts";

const help = `Usage: haft call TOOL [key=text | key:=json | JSON | -]... [options]

Runs one tool, by the same rules as an agent's call. The answer goes to standard output. haft tools list names the
tools, haft tools show TOOL says what one takes.

  haft call Read file_path=README.md limit:=5
  haft call Grep '{"pattern": "export", "glob": "*.ts"}'
  echo '{"command": "npm test"}' | haft call Bash - --yes

      --dry-run         say which rule decides it and show what it would change; change nothing. A program that
                        needs a yes is tried only with --yes, and only where its changes can be kept apart
${kitOptionsHelp}
Exits with 0 ok, 1 failed, 2 usage, 3 denied, 4 an approval was needed and nobody could give it, 124 timed out,
130 interrupted.
`;

/** `haft call`: runs one call; the result goes to standard output, the status to the exit code. */
export async function call(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const parsed = parseWords(
    words,
    { ...kitOptions, "dry-run": { type: "boolean" } },
    { ifUnknown: "What a tool takes is written key=text or key:=json, as in limit:=5." },
  );
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
  const json = values.json === true;
  const kit = await openKit(values, terminal, {
    services: everyFileRead(),
    skills: mayOfferSkills(name) ? "offer" : "none",
    // A background command would end with this process, which ends with the call.
    background: "none",
  });
  let interrupt: Interrupt | undefined;
  try {
    const input = await toolInput(kit, { name, words: rest, terminal });
    interrupt = onInterrupt(terminal);
    const { signal } = interrupt;
    if (values["dry-run"] === true) {
      const { dryRun } = await import("./dry-run.ts");
      const approved = values.yes === true;
      return await dryRun({ kit, call: { name, input }, json, approved, terminal, signal });
    }
    const outcome = await runOne({ kit, terminal, signal }, { name, input });
    if (json) terminal.out(`${JSON.stringify(outcome, null, 2)}\n`);
    else print(outcome, { input, terminal });
    return exitCodeOf(outcome);
  } finally {
    await kit.dispose();
    interrupt?.dispose();
  }
}

/** Services of tools that look at other tools, or lead to skills and slash commands. */
const leadingOn = new Set(["agents", "delegation", "slash-commands", "toolSearch"]);

/** Whether a call can depend on the skills of the project: it takes time to read them. */
function mayOfferSkills(name: string): boolean {
  const tool = builtInTools.find((each) => each.name === name);
  return tool === undefined || (tool.needs ?? []).some(({ id }) => leadingOn.has(id));
}

async function runOne(
  {
    kit,
    terminal,
    signal,
  }: { readonly kit: Kit; readonly terminal: Terminal; readonly signal: AbortSignal },
  request: { readonly name: string; readonly input: unknown },
): Promise<Outcome> {
  const progress = progressLine(request.name, terminal);
  const stop = kit.subscribe(({ type }) => {
    // The progress line would overwrite a question.
    if (type === "permission-ask") progress.pause();
    if (type === "permission-answer") progress.resume();
  });
  try {
    return await kit.call(request, {
      signal,
      onProgress: ({ title, message = title }) => {
        if (message !== undefined) progress.update(message);
      },
      onOutput: (text) => progress.update(text.trimEnd().split("\n").at(-1) ?? ""),
    });
  } finally {
    stop();
    progress.stop();
  }
}

function print(
  outcome: Outcome,
  { input, terminal }: { readonly input: unknown; readonly terminal: Terminal },
): void {
  // The user who typed `limit=5` knows that it is a number; a repair of JSON is worth reporting.
  const repairs = typeof input === "string" ? outcome.repairs : [];
  for (const { message } of repairs) terminal.err(`repaired: ${message}\n`);
  terminal.err(unsavedLine(outcome, terminal));
  if (outcome.error === undefined) {
    terminal.out(outcome.text.endsWith("\n") ? outcome.text : `${outcome.text}\n`);
    const { diff } = outcome.metadata;
    // A model wrote the change itself; the user has not seen it.
    if (typeof diff === "string" && terminal.isInteractive) {
      terminal.err(printDiff(diff, terminal));
    }
    if (outcome.undo !== undefined && terminal.isInteractive) {
      terminal.err(terminal.style("dim", `${undoWords[outcome.undo.level]}\n`));
    }
    return;
  }
  if (outcome.error.data?.["service"] === "jobs") {
    terminal.err(
      `haft: ${outcome.tool} looks after background tasks, and haft call, which ends with its call, has none.\nhaft tasks lists those of other programs, shows what one printed, and stops one.\n`,
    );
    return;
  }
  if (outcome.error.data?.["service"] === "agents") {
    terminal.err(
      `haft: ${outcome.tool} works with agents, and haft call has none: they belong to a run.\nhaft run starts one, and haft agents lists the agents that it started.\n`,
    );
    return;
  }
  terminal.err(`${outcome.text}\n`);
  if (outcome.error.code === "APPROVAL_REQUIRED") terminal.err(`${approvalHint(outcome)}\n`);
}

const undoWords = {
  full: "haft undo undoes it.",
  partial: "haft undo undoes only part of it; haft history says which.",
  none: "It cannot be undone.",
} as const;

/** Returns the options with which the same call runs. */
function approvalHint({ error, decision }: Outcome): string {
  const suggestion = error?.data?.["suggestion"];
  if (typeof suggestion !== "string" || decision?.rule?.list === "ask") {
    return "To answer yes beforehand, add --yes.";
  }
  const rules = suggestion.split("\n").map((rule) => `--allow ${shellQuoted(rule)}`);
  return `To answer yes beforehand, add --yes; to allow just this, add ${rules.join(" ")}.`;
}
