import { builtInTools } from "../../entries/tools.ts";
import {
  type Kit,
  type Outcome,
  seenFiles,
  type SeenFiles,
  type Services,
  type ServiceToken,
} from "../../index.ts";
import { toolInput } from "../input/tool-input.ts";
import { shellQuoted } from "../print/describe-effect.ts";
import { exitCodeOf, exitCodes, type ExitCode } from "../exit-codes.ts";
import { onInterrupt, type Interrupt } from "../interrupt.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../options.ts";
import { parseWords } from "../input/parse-arguments.ts";
import { progressLine } from "../print/progress-line.ts";
import { printDiff } from "../print/print-diff.ts";
import type { Terminal } from "../terminal.ts";
import { unsavedLine } from "../print/rule-not-saved.ts";
import { UsageError } from "../usage-error.ts";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Maximum bytes; larger files must be read first, as by an agent. */
const maxBytes = 10_000_000;

/**
 * Returns services in which every file counts as read. Edit and Write refuse a file that an agent has not read; a user
 * who types one call has no session to read it in first, and knows the file.
 */
function everyFileRead(): Services {
  const state: SeenFiles = {
    saw: () => undefined,
    view(path) {
      try {
        const bytes = readFileSync(path);
        return bytes.length > maxBytes
          ? undefined
          : { hash: `sha256:${hash("sha256", bytes, "hex")}` };
      } catch {
        // The tool reports a problem with the file in more detail.
        return undefined;
      }
    },
    forget: () => undefined,
  };
  return {
    get<T>(token: ServiceToken<T>): T | undefined {
      const service: unknown = state;
      return isNamed(token, service) ? service : undefined;
    },
  };
}

/** Narrows the type: two tokens with one id are the same service. */
function isNamed<T>(token: ServiceToken<T>, service: unknown): service is T {
  return token.id === seenFiles.id && service !== undefined;
}

const help = `Usage: haft call TOOL [key=text | key:=json | JSON | -]... [options]

Runs one tool, by the same rules as an agent's call. The answer goes to standard output. haft tools list lists the
tools; haft tools show TOOL shows the input of one.

  haft call Read file_path=README.md limit:=5
  haft call Grep '{"pattern": "export", "glob": "*.ts"}'
  echo '{"command": "npm test"}' | haft call Bash - --yes

      --dry-run         show which rule decides it and what it would change; change nothing. A program that needs
                        approval runs only with --yes, and only if its changes can be isolated
${kitOptionsHelp}
Exit codes: 0 ok, 1 failed, 2 usage, 3 denied, 4 approval was needed, but no user could be asked,
124 timed out, 130 interrupted.
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
  const stop = kit.events.subscribe(({ type }) => {
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
      `haft: ${outcome.tool} manages background tasks, but haft call has none, because it ends with its call.\nhaft tasks lists the tasks of other programs, shows their output, and stops them.\n`,
    );
    return;
  }
  if (outcome.error.data?.["service"] === "agents") {
    terminal.err(
      `haft: ${outcome.tool} works with agents, but haft call has none: agents belong to a run.\nhaft run starts a run, and haft agents lists its agents.\n`,
    );
    return;
  }
  terminal.err(`${outcome.text}\n`);
  if (outcome.error.code === "APPROVAL_REQUIRED") terminal.err(`${approvalHint(outcome)}\n`);
}

const undoWords = {
  full: "haft undo undoes it.",
  partial: "haft undo undoes only part of it; haft history shows which part.",
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
