import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { loadModel, type Model } from "../../agent/index.ts";
import { ToolError, type HaftEvent, type Kit } from "../../index.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { onInterrupt } from "../interrupt.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../options.ts";
import { parseWords } from "../input/parse-arguments.ts";
import { runPrinter } from "../print/print-run.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const help = `Usage: haft run --model MODEL "task" [options]

Runs an agent on a task until the model has nothing more to do. MODEL is provider:model (anthropic:…, openai:…,
google:…, or openai-compatible:… with --base-url) or script:FILE, a scripted model that needs no key. The model's
last words go to standard output, everything before to standard error.

      --model MODEL     or the environment variable HAFT_MODEL
      --base-url URL    where the provider is, for openai-compatible and for proxies
      --max-turns N     answers of the model (default 50)
      --max-calls N     calls that are run (default 200)
      --max-tokens N    tokens in and out, over all turns
      --deadline S      seconds for the whole run
      --system TEXT     instead of the default instructions
${kitOptionsHelp}
With --json every event is printed as one line of JSON, the result last.

Exits with 0 done, 1 failed or a limit was reached, 2 usage, 3 a call was denied, 4 an approval was needed and
nobody could give it, 124 the deadline passed, 130 interrupted.
`;

const runOptions = {
  ...kitOptions,
  model: { type: "string" },
  "base-url": { type: "string" },
  "max-turns": { type: "string" },
  "max-calls": { type: "string" },
  "max-tokens": { type: "string" },
  deadline: { type: "string" },
  system: { type: "string" },
} as const;

/** `haft run`: runs an agent with the tools on one task. */
export async function run(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, runOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const task = rest.join(" ").trim();
  if (task === "") {
    throw new UsageError(
      "What is the task?",
      'haft run --model provider:model "fix the failing test"',
    );
  }
  const name = values.model ?? terminal.env["HAFT_MODEL"] ?? "";
  if (name === "") {
    throw new UsageError(
      "Which model?",
      "Name one with --model provider:model, or try haft demo, which needs none.",
    );
  }
  const limits = {
    ...limit("max-turns", values["max-turns"], (maxTurns) => ({ maxTurns })),
    ...limit("max-calls", values["max-calls"], (maxCalls) => ({ maxCalls })),
    ...limit("max-tokens", values["max-tokens"], (maxTokens) => ({ maxTokens })),
    ...limit("deadline", values.deadline, (seconds) => ({ deadlineMs: seconds * 1000 })),
  };
  const model = await openModel(name, { baseUrl: values["base-url"], terminal });
  const kit = await openKit(values, terminal);
  const interrupt = onInterrupt(terminal);
  try {
    return await runAgent({
      kit,
      signal: interrupt.signal,
      model,
      task,
      terminal,
      json: values.json === true,
      ...(values.system === undefined ? {} : { system: values.system }),
      limits,
    });
  } finally {
    await kit.dispose();
    interrupt.dispose();
  }
}

/**
 * Opens the model that the user named. The file of a script is read here, because only the CLI reads files for the
 * user.
 */
export async function openModel(
  name: string,
  { baseUrl, terminal }: { readonly baseUrl?: string | undefined; readonly terminal: Terminal },
): Promise<Model> {
  try {
    return await loadModel(name, {
      env: terminal.env,
      readText: async (path) => await readScript(path, terminal),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    });
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    // Nothing has run yet: a model named on the command line or in the environment is unavailable.
    throw new UsageError(error.message, error.hint);
  }
}

async function readScript(path: string, terminal: Terminal): Promise<string> {
  try {
    return await readFile(resolve(terminal.cwd, path), "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(
      `The script ${path} cannot be read (${why}).`,
      "Name a file with a recorded plan, as in --model script:plan.json.",
    );
  }
}

export interface AgentGiven {
  readonly kit: Kit;
  readonly signal: AbortSignal;
  readonly model: Model;
  readonly task: string;
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly system?: string;
  readonly limits?: Parameters<Kit["run"]>[0]["limits"];
}

const optionOf = new Map([
  ["limits.maxTurns", "--max-turns"],
  ["limits.maxCalls", "--max-calls"],
  ["limits.maxTokens", "--max-tokens"],
  ["limits.deadlineMs", "--deadline"],
]);

/** Rewrites a hint for a program as one for the command line. */
function inOptions(hint: string): string {
  return hint.replace(/limits\.\w+/u, (named) => optionOf.get(named) ?? named);
}

/** Runs the agent and prints what happens as it happens. */
export async function runAgent(given: AgentGiven): Promise<ExitCode> {
  const { kit, signal, model, task, terminal, json, system, limits } = given;
  const agentRun = kit.run({
    task,
    model,
    signal,
    ...(limits === undefined ? {} : { limits }),
    ...(system === undefined ? {} : { system }),
  });
  const printer = runPrinter(terminal);
  const print = json
    ? (event: HaftEvent) => terminal.out(`${JSON.stringify(event)}\n`)
    : (event: HaftEvent) => printer.print(event);
  for await (const event of agentRun.events) print(event);
  const result = await agentRun.result;
  if (json) terminal.out(`${JSON.stringify({ type: "result", ...result })}\n`);
  else {
    // The last text was streamed; a user who sees both streams need not read it twice.
    const isSaid = terminal.isOutputRead && printer.lastText().trim() === result.text.trim();
    if (!isSaid) terminal.out(`${result.text}\n`);
    for (const { tool, message } of result.denials) terminal.err(`refused: ${tool}: ${message}\n`);
    if (result.error !== undefined) {
      const { code, message, hint } = result.error;
      terminal.err(`${code}: ${message}\n${hint === undefined ? "" : `${inOptions(hint)}\n`}`);
    }
  }
  switch (result.status) {
    case "aborted":
      return exitCodes.interrupted;
    case "deadline":
      return exitCodes.timedOut;
    case "done": {
      if (result.denials.length === 0) return exitCodes.ok;
      const isNobodyThere = result.denials.some(({ code }) => code === "APPROVAL_REQUIRED");
      return isNobodyThere ? exitCodes.approvalNeeded : exitCodes.denied;
    }
    case "failed":
    case "looping":
    case "max-turns":
    case "max-calls":
    case "max-tokens":
    case "max-cost":
    case "max-agents":
      return exitCodes.failed;
  }
}

type Limits = NonNullable<AgentGiven["limits"]>;

function limit(option: string, text: string | undefined, make: (value: number) => Limits): Limits {
  if (text === undefined) return {};
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new UsageError(
      `--${option} ${JSON.stringify(text)} is not a whole number above 0.`,
      `Write it as in --${option} 20.`,
    );
  }
  return make(value);
}
