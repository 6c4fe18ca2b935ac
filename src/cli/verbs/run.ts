import { ToolError, type ExpandedCommand, type Kit, type ToolkitOptions } from "../../index.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { onInterrupt } from "../interrupt.ts";
import { didYouMean } from "../input/nearest.ts";
import { parseWords } from "../input/parse-arguments.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, kitOptionsHelpWith } from "../options.ts";
import { openModel } from "../run/open-model.ts";
import { outputFormats, type OutputFormat } from "../run/report-run.ts";
import { checkSessionChoice, chosenSession, continuedId } from "../run/resolve-session.ts";
import { printPrompt } from "../run/print-prompt.ts";
import { runAgent, type AgentGiven } from "../run/run-agent.ts";
import { runSlashCommand, slashCommandIn, type SlashGiven } from "../run/slash-commands.ts";
import { compactCommand, streamInput, type StreamInput } from "../run/stream-input.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const help = `Usage: haft run [--model MODEL] "task" [options]

  haft run --model anthropic:claude-sonnet-4-5 "fix the failing test"
  haft run --continue "now the docs"

Runs an agent on a task until the model has nothing more to do. MODEL is provider:model (anthropic:…, openai:…,
google:…, or openai-compatible:… with --base-url) or script:FILE, a scripted model that needs no key. The final
answer goes to standard output, everything else to standard error. haft sessions lists the stored conversations.

      --model MODEL     provider:model or an alias of the settings; otherwise HAFT_MODEL, the model of the session
                        that continues, or models.default of the settings
      --base-url URL    address of the provider, for openai-compatible and for proxies
      --continue        continue the latest session of this workspace, even if it was interrupted
      --resume ID       continue this session, by its id or latest
      --fork ID         continue a copy of this session
  -p, --print           print only the answer, refusals and errors
      --output-format F text, json (one document at the end) or stream-json (a line for each event, the result last)
      --input-format F  text, or stream-json: lines of standard input with messages, answers and interruptions
      --max-turns N     turns of the model (default 50)
      --max-calls N     calls (default 200)
      --max-tokens N    tokens in and out, over all turns
      --max-cost USD    cost, over all turns, for a model with known prices
      --deadline S      seconds for the whole run
      --no-wait         end with the model's last answer, without waiting for background work
      --system TEXT     replace the default instructions
      --print-prompt    print the instructions and the task or command, each part with its origin and tokens; run
                        nothing
${kitOptionsHelpWith("the same as --output-format stream-json")}
A task that starts with a slash is a command of the project, or one of haft: haft run /help lists them.
Input lines are {"type":"user","text"}, {"type":"answer","id","answer"} with the id of a question, and
{"type":"interrupt"}; the text /compact shortens the conversation. Ctrl-C interrupts the run; a second one ends haft at
once. A run ends when the model has finished and no command or agent of the run is active.

Exit codes: 0 done, 1 failed or a limit was reached, 2 usage, 3 a call was denied, 4 approval was needed, but no
user could be asked, 124 the deadline passed, 130 interrupted.
`;

const runOptions = {
  ...kitOptions,
  model: { type: "string" },
  "base-url": { type: "string" },
  continue: { type: "boolean" },
  resume: { type: "string" },
  fork: { type: "string" },
  print: { type: "boolean", short: "p" },
  "output-format": { type: "string" },
  "input-format": { type: "string" },
  "max-turns": { type: "string" },
  "max-calls": { type: "string" },
  "max-tokens": { type: "string" },
  "max-cost": { type: "string" },
  deadline: { type: "string" },
  "no-wait": { type: "boolean" },
  system: { type: "string" },
  "print-prompt": { type: "boolean" },
} as const;

type Values = ReturnType<typeof parseWords<typeof runOptions>>["values"];

/** `haft run`: runs an agent with the tools on one task, or continues a session. */
export async function run(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, runOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  if (values["print-prompt"] === true) {
    const kit = await openKit(values, terminal);
    try {
      await printPrompt({ kit, system: values.system, task: rest.join(" ").trim(), terminal });
    } finally {
      await kit.dispose();
    }
    return exitCodes.ok;
  }
  checkSessionChoice(values);
  const task = rest.join(" ").trim();
  if (task === compactCommand) throw compactNeedsRun();
  const format = outputFormatOf(values);
  const limits = limitsOf(values);
  const isStreaming = inputFormatOf(values) === "stream-json";
  const isNew =
    values.continue !== true && values.resume === undefined && values.fork === undefined;
  if (task === "" && isNew && !isStreaming) throw noTask();
  const input = isStreaming ? streamInput(terminal) : undefined;
  const kit = await openKit(values, terminal, {
    ...askingBy(input, values),
    ...(values.model === undefined ? {} : { model: values.model }),
  });
  const interrupt = onInterrupt(terminal);
  try {
    const session = await chosenSession(kit, values);
    const slash = slashCommandIn(task);
    let chosenId: Promise<string> | undefined;
    const sessionId = async (): Promise<string> => {
      chosenId ??= continuedId(kit, session).then((id) => id ?? kit.newId("session"));
      return await chosenId;
    };
    const slashGiven: SlashGiven = {
      kit,
      terminal,
      places: placesOf(kit, values),
      signal: interrupt.signal,
      sessionId,
    };
    const expanded = slash === undefined ? undefined : await runSlashCommand(slash, slashGiven);
    if (expanded?.kind === "done") return expanded.code;
    const command = expanded?.command;
    const given = values.model ?? commandModel(command, kit) ?? terminal.env["HAFT_MODEL"] ?? "";
    const named = given === "" ? (session?.model ?? kit.models.default) : given;
    if (named === undefined) throw noModel();
    const { models } = kit;
    const opening = { baseUrl: values["base-url"], terminal, models };
    const model = await openModel(named, opening);
    const { background } = models;
    const backgroundModel =
      background === undefined
        ? undefined
        : await openModel(background, { ...opening, setting: "models.background" });
    if (task === "" && session?.isOpen === false && input === undefined) {
      throw new UsageError(
        `${session.info.sessionId} ended with an answer. What is the next task?`,
        'haft run --continue "now the docs"',
      );
    }
    const agent: AgentGiven = {
      kit,
      signal: interrupt.signal,
      model,
      backgroundModel,
      task: task === "" ? undefined : (command?.prompt ?? task),
      command,
      sessionId: await sessionId(),
      terminal,
      format,
      isQuiet: values.print === true,
      system: values.system,
      limits,
      isWaiting: values["no-wait"] !== true,
    };
    if (input === undefined) return await runAgent(agent);
    const modelFor = async (result: ExpandedCommand | undefined) => {
      const ofCommand = values.model === undefined ? commandModel(result, kit) : undefined;
      return ofCommand === undefined ? model : await openModel(ofCommand, opening);
    };
    return await runLines(agent, input, { isOpen: session?.isOpen === true, slashGiven, modelFor });
  } finally {
    input?.close();
    await kit.dispose();
    interrupt.dispose();
  }
}

interface LineOptions {
  readonly isOpen: boolean;
  readonly slashGiven: SlashGiven;
  /** Model for a command, as its file says; otherwise that of the session. */
  readonly modelFor: (command: ExpandedCommand | undefined) => Promise<AgentGiven["model"]>;
}

/** Runs an agent for each message of the input, in one session, until the input ends. */
async function runLines(
  agent: AgentGiven,
  input: StreamInput,
  { isOpen, slashGiven, modelFor }: LineOptions,
): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  let { task, command, model } = agent;
  let mayContinue = isOpen;
  while (!agent.signal.aborted) {
    if (!mayContinue && task === undefined) {
      task = await input.nextMessage();
      const slash = task === undefined ? undefined : slashCommandIn(task);
      if (slash !== undefined) {
        const result = await lineCommand(slash, slashGiven);
        task = result?.prompt;
        command = result;
        model = await modelFor(result);
        if (task === undefined) continue;
      }
    }
    if (task === undefined && !mayContinue) return code;
    code = await runAgent({
      ...agent,
      task,
      command,
      model,
      onRun: (active) =>
        input.attach({
          send: (text) => active.send(text),
          abort: () => active.abort(),
          compact: async () => await active.compact(),
        }),
    });
    input.detach();
    task = undefined;
    command = undefined;
    ({ model } = agent);
    mayContinue = false;
  }
  return code;
}

/** Runs a command that came as a line. One that is unknown or refused is reported, and the session continues. */
async function lineCommand(
  slash: { readonly name: string; readonly text: string },
  given: SlashGiven,
): Promise<ExpandedCommand | undefined> {
  try {
    const result = await runSlashCommand(slash, given);
    return result.kind === "task" ? result.command : undefined;
  } catch (error) {
    if (!ToolError.is(error) && !(error instanceof UsageError)) throw error;
    given.terminal.err(
      `haft: ${error.message}${error.hint === undefined ? "" : ` ${error.hint}`}\n`,
    );
    return undefined;
  }
}

/** Options with which a verb works on the same data as the run. */
function placesOf(kit: Kit, values: Values): readonly string[] {
  const none = values["no-settings"] === true ? ["--no-settings"] : [];
  return ["-C", kit.workspace.path, "--data-dir", kit.storage.directory, ...none];
}

/** Model of a command, if its name can be one here: other programs name models that only they know. */
function commandModel(command: ExpandedCommand | undefined, { models }: Kit): string | undefined {
  const model = command?.model;
  if (model === undefined) return undefined;
  return model.includes(":") || Object.hasOwn(models.aliases ?? {}, model) ? model : undefined;
}

function askingBy(input: StreamInput | undefined, values: Values): Pick<ToolkitOptions, "onAsk"> {
  return input === undefined || values.yes === true ? {} : { onAsk: input.onAsk };
}

function noTask(): UsageError {
  return new UsageError(
    "What is the task?",
    'haft run --model provider:model "fix the failing test"',
  );
}

function compactNeedsRun(): UsageError {
  return new UsageError(
    `${compactCommand} shortens the conversation of an active run; it is not a task.`,
    `Send it as {"type":"user","text":"${compactCommand}"} with --input-format stream-json.`,
  );
}

function noModel(): UsageError {
  return new UsageError(
    "Which model?",
    "Name one with --model provider:model, HAFT_MODEL or models.default of the settings, or try haft demo, which needs none.",
  );
}

function outputFormatOf(values: Values): OutputFormat {
  const given = values["output-format"];
  if (given === undefined) return values.json === true ? "stream-json" : "text";
  return oneOf("--output-format", given, outputFormats);
}

const inputFormats = ["text", "stream-json"] as const;

function inputFormatOf(values: Values): (typeof inputFormats)[number] {
  return oneOf("--input-format", values["input-format"] ?? "text", inputFormats);
}

function oneOf<T extends string>(option: string, given: string, names: readonly T[]): T {
  const found = names.find((name) => name === given);
  if (found !== undefined) return found;
  throw new UsageError(
    `${option} ${JSON.stringify(given)} is not one of ${names.join(", ")}.${didYouMean(given, names)}`,
  );
}

type Limits = NonNullable<Parameters<Kit["run"]>[0]["limits"]>;

function limitsOf(values: Values): Limits {
  return {
    ...limit("max-turns", values["max-turns"], (maxTurns) => ({ maxTurns })),
    ...limit("max-calls", values["max-calls"], (maxCalls) => ({ maxCalls })),
    ...limit("max-tokens", values["max-tokens"], (maxTokens) => ({ maxTokens })),
    ...limit("deadline", values.deadline, (seconds) => ({ deadlineMs: seconds * 1000 })),
    ...costLimit(values["max-cost"]),
  };
}

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

function costLimit(text: string | undefined): Limits {
  if (text === undefined) return {};
  const maxCost = Number(text);
  if (Number.isFinite(maxCost) && maxCost > 0) return { maxCost };
  throw new UsageError(
    `--max-cost ${JSON.stringify(text)} is not an amount above 0.`,
    "Write it in US dollars, as in --max-cost 0.50.",
  );
}
