import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ToolError, type Kit } from "../../index.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, recordOptionsHelp } from "../options.ts";
import { didYouMean } from "../input/nearest.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import { describeSession, describeSessions, logLines } from "../print/describe-session.ts";
import { namedSession } from "../run/resolve-session.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const help = `Usage: haft sessions [list]                list the stored sessions of this workspace, the latest first
       haft sessions show ID             print a session with its numbered messages
       haft sessions rename ID TITLE     give a session a title
       haft sessions fork ID             copy a session, up to a message with --message N
       haft sessions delete ID           delete a session and what only it contains
       haft sessions export ID           print a session as JSON Lines, or as a page with --format html
       haft sessions import FILE         store an exported session; - reads standard input

ID is the id of a session, or latest. Secrets are replaced in what is shown and exported, but not in what is stored:
the model must see the conversation as it was. Continue a session with haft run --continue or haft run --resume ID.

      --limit N         list at most N sessions
      --message N       the last message that a fork keeps
      --format FORMAT   jsonl (the default) or html
      --output FILE     write the export to a file instead of standard output
      --secrets         export secrets unredacted
${recordOptionsHelp()}`;

const options = {
  ...kitOptions,
  limit: { type: "string" },
  message: { type: "string" },
  format: { type: "string" },
  output: { type: "string" },
  secrets: { type: "boolean" },
} as const;

type Values = ReturnType<typeof parseWords<typeof options>>["values"];

interface Request {
  readonly kit: Kit;
  readonly words: readonly string[];
  readonly values: Values;
  readonly terminal: Terminal;
}

interface Action {
  /** Options of this verb, besides those of every verb. */
  readonly options: readonly (keyof Values)[];
  /** Names of the arguments, all of which are needed. */
  readonly words: readonly string[];
  /** Whether the last argument may be several words. Default: false. */
  readonly isOpen?: boolean;
  run(request: Request): Promise<void>;
}

const actions = {
  list: { options: ["limit"], words: [], run: list },
  show: { options: [], words: ["ID"], run: show },
  rename: { options: [], words: ["ID", "TITLE"], isOpen: true, run: rename },
  fork: { options: ["message"], words: ["ID"], run: fork },
  delete: { options: [], words: ["ID"], run: remove },
  export: { options: ["format", "output", "secrets"], words: ["ID"], run: exportSession },
  import: { options: [], words: ["FILE"], run: importSession },
} as const satisfies Record<string, Action>;

type Verb = keyof typeof actions;

/** `haft sessions`: lists, shows and changes stored sessions. */
export async function sessions(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, options);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const verb = verbOf(rest[0] ?? "list");
  const action: Action = actions[verb];
  const given = rest.slice(1);
  const usage = ["haft sessions", verb, ...action.words].join(" ");
  const missing = action.words[given.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`, `Write ${usage}.`);
  if (action.isOpen !== true) refuseMore(given, action.words.length, `Write ${usage}.`);
  for (const name of ["limit", "message", "format", "output", "secrets"] as const) {
    if (values[name] === undefined || action.options.includes(name)) continue;
    throw new UsageError(`--${name} is not an option of haft sessions ${verb}.`);
  }
  const kit = await openKit(values, terminal);
  try {
    await action.run({ kit, words: given, values, terminal });
    return exitCodes.ok;
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    if (error.code === "NOT_FOUND" || error.code === "INVALID_INPUT") {
      throw new UsageError(error.message, error.hint);
    }
    terminal.err(
      `${error.code}: ${error.message}\n${error.hint === undefined ? "" : `${error.hint}\n`}`,
    );
    return exitCodes.failed;
  } finally {
    await kit.dispose();
  }
}

function verbOf(name: string): Verb {
  const names = Object.keys(actions);
  if (isVerb(name)) return name;
  throw new UsageError(
    `There is no haft sessions ${JSON.stringify(name)}.${didYouMean(name, names)}`,
    `Use one of ${names.join(", ")}.`,
  );
}

function isVerb(name: string): name is Verb {
  return Object.hasOwn(actions, name);
}

/** Id of the session that the user named; `latest` names the one used last. */
async function sessionIdOf(kit: Kit, name: string): Promise<string> {
  return (await namedSession(kit, name)).sessionId;
}

async function list({ kit, values, terminal }: Request): Promise<void> {
  const limit = countIn("--limit", values.limit);
  const found = await kit.sessions.list(limit === undefined ? {} : { limit });
  if (values.json === true) terminal.out(`${JSON.stringify(found, null, 2)}\n`);
  else if (found.length === 0) terminal.err("No session is stored for this workspace.\n");
  else for (const line of describeSessions(found, kit.now())) terminal.out(`${line}\n`);
}

async function show({ kit, words, values, terminal }: Request): Promise<void> {
  const info = await namedSession(kit, words[0] ?? "");
  const { sessionId } = info;
  // An export has its secrets replaced, which the log itself has not.
  const lines = await kit.sessions.export(sessionId);
  if (values.json === true) {
    const log = lines
      .split("\n")
      .flatMap((line): unknown[] => (line === "" ? [] : [JSON.parse(line)]));
    terminal.out(`${JSON.stringify({ ...info, log: log.slice(1) }, null, 2)}\n`);
    return;
  }
  for (const line of describeSession(info)) terminal.out(`${line}\n`);
  for (const line of logLines(lines)) terminal.out(`${line}\n`);
}

async function rename({ kit, words, values, terminal }: Request): Promise<void> {
  const [id = "", ...title] = words;
  const info = await kit.sessions.rename(await sessionIdOf(kit, id), title.join(" "));
  report(info, `Renamed ${info.sessionId} to ${JSON.stringify(info.title)}.`, { values, terminal });
}

async function fork({ kit, words, values, terminal }: Request): Promise<void> {
  const message = countIn("--message", values.message);
  const id = await sessionIdOf(kit, words[0] ?? "");
  const info = await kit.sessions.fork(id, message === undefined ? {} : { message });
  report(info, info.sessionId, { values, terminal });
}

async function remove({ kit, words, values, terminal }: Request): Promise<void> {
  const sessionId = await sessionIdOf(kit, words[0] ?? "");
  await kit.sessions.delete(sessionId);
  report({ sessionId }, `Deleted ${sessionId}.`, { values, terminal });
}

async function exportSession({ kit, words, values, terminal }: Request): Promise<void> {
  const { format = "jsonl", output } = values;
  if (format !== "jsonl" && format !== "html") {
    throw new UsageError(`--format ${JSON.stringify(format)} is neither jsonl nor html.`);
  }
  const sessionId = await sessionIdOf(kit, words[0] ?? "");
  const text = await kit.sessions.export(sessionId, { format, secrets: values.secrets === true });
  if (output === undefined) terminal.out(text);
  else {
    await writeFile(resolve(terminal.cwd, output), text, { mode: 0o600 }).catch(
      (error: unknown) => {
        throw unusable(output, error);
      },
    );
    terminal.err(`Wrote ${output}.\n`);
  }
}

async function importSession({ kit, words, values, terminal }: Request): Promise<void> {
  const file = words[0] ?? "";
  const text = file === "-" ? await terminal.readStdin() : await readText(file, terminal);
  const info = await kit.sessions.import(text);
  report(info, info.sessionId, { values, terminal });
}

async function readText(file: string, { cwd }: Terminal): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), "utf8");
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(file: string, error: unknown): UsageError {
  const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return new UsageError(`The file ${file} cannot be used (${why}).`, "Name another file.");
}

function report(
  facts: object,
  sentence: string,
  { values, terminal }: Pick<Request, "values" | "terminal">,
): void {
  terminal.out(values.json === true ? `${JSON.stringify(facts, null, 2)}\n` : `${sentence}\n`);
}

function countIn(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new UsageError(
    `${option} takes a number above 0, not ${JSON.stringify(text)}.`,
    `Write ${option} 5.`,
  );
}
