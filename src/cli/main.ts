import { tellReaderGone } from "./closed-output.ts";
import { exitCodes, signalCodes, type ExitCode } from "./exit-codes.ts";
import { guardedTerminal, processTerminal, type Terminal } from "./terminal.ts";
import { didYouMean } from "./input/nearest.ts";
import { UsageError } from "./usage-error.ts";
import { verbs } from "./verbs.ts";

/** Runs the command and sets the exit code of the process. */
export async function main(words: readonly string[]): Promise<void> {
  let isUnread = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!isReaderGone(error)) {
        process.stderr.write(`haft: The output could not be written: ${error.message}\n`);
        process.exit(exitCodes.failed);
      }
      // A reader that closes early (`haft tools list | head`) is not an error; what runs for it ends in order.
      isUnread = true;
      // Without a listener there is nothing to end in order.
      if (!tellReaderGone()) process.exit(exitCodes.ok);
    });
  }
  if (!hasFolder()) {
    process.stderr.write(
      "haft: The current directory no longer exists.\nChange to one that does, for example with cd.\n",
    );
    process.exit(exitCodes.usage);
  }
  const terminal = processTerminal();
  // Ends by exit, which ends child processes as well; a verb that must complete its work adds a listener.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // Without a terminal none can close, and a user of nohup wants the process to continue.
    if (name === "SIGHUP" && !terminal.isAttached) continue;
    process.on(name, () => {
      if (process.listenerCount(name) === 1) process.exit(signalCodes[name]);
    });
  }
  const code = await dispatch(words, terminal);
  process.exitCode = isUnread ? exitCodes.ok : code;
}

/** Whether the current directory exists: a shell may be in one that was removed. */
function hasFolder(): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    return false;
  }
}

/** Whether an error means that a pipe or terminal was closed. */
function isReaderGone({ code }: NodeJS.ErrnoException): boolean {
  return code === "EPIPE" || code === "EIO" || code === "ERR_STREAM_DESTROYED";
}

/** Runs a command line on a terminal; for the process and for tests. */
export async function dispatch(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = words;
  const isHelp = name === "help" || name === "--help" || name === "-h";
  if (name === undefined || (isHelp && rest.length === 0)) {
    terminal.out(help());
    return exitCodes.ok;
  }
  if (isHelp) return await dispatch([...rest.slice(0, 1), "--help"], terminal);
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb === undefined) return unknownVerb(name, terminal);
  const guarded = guardedTerminal(terminal);
  try {
    const run = await verb.load();
    return await run(rest, guarded);
  } catch (error) {
    return await reportFailure(error, guarded);
  }
}

function help(): string {
  const width = Math.max(...verbs.map(({ name }) => name.length));
  const lines = verbs.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `haft: the tool system for LLM agents

Usage: haft <verb> [options]

${lines.join("\n")}

  haft <verb> --help   the options of a verb
  haft --version       the version

Documentation: README.md and docs in the directory of haft. docs/cli.md explains every verb,
docs/permissions.md the modes and rules.

Exit codes: 0 ok, 1 the call or run failed, 2 usage, 3 denied, 4 approval was needed, but no user
could be asked, 124 timed out, 130 interrupted.
`;
}

function unknownVerb(name: string, terminal: Terminal): ExitCode {
  const what = name.startsWith("-") ? "option" : "verb";
  const guess = didYouMean(
    name,
    what === "verb" ? verbs.map((verb) => verb.name) : ["--help", "--version"],
  );
  const hint =
    what === "option" && guess === ""
      ? "Put the options of a verb after it, as in haft call Read file_path=a.txt -C folder."
      : "haft --help lists the verbs.";
  terminal.err(`haft: There is no ${what} ${JSON.stringify(name)}.${guess}\n${hint}\n`);
  return exitCodes.usage;
}

async function reportFailure(error: unknown, terminal: Terminal): Promise<ExitCode> {
  if (error instanceof UsageError) {
    terminal.err(`haft: ${error.message}\n${error.hint === undefined ? "" : `${error.hint}\n`}`);
    return exitCodes.usage;
  }
  const { ToolError } = await import("../index.ts");
  if (ToolError.is(error)) {
    terminal.err(`haft: ${error.message}\n${error.hint === undefined ? "" : `${error.hint}\n`}`);
    return error.code === "ABORTED" ? exitCodes.interrupted : exitCodes.failed;
  }
  if (isArgumentError(error)) {
    terminal.err(`haft: ${error.message}\nAdd --help to see the options of the verb.\n`);
    return exitCodes.usage;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(`haft: this is a fault in haft, please report it:\n${detail}\n`);
  return exitCodes.failed;
}

/** Whether an error of the library is about an argument, which here came from the command line. */
function isArgumentError(error: unknown): error is TypeError {
  return error instanceof TypeError && "code" in error && error.code === "INVALID_INPUT";
}
