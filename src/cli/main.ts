import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { verbs } from "./verbs.ts";

/** Runs the command and sets the exit code of the process. */
export async function main(words: readonly string[]): Promise<void> {
  const { stdout } = process;
  // A reader that closes early (`haft tools list | head`) is no error.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(exitCodes.ok);
    throw error;
  });
  process.exitCode = await dispatch(words, processTerminal());
}

/** Runs a command line against a terminal; for the process and for tests. */
export async function dispatch(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = words;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    terminal.out(help());
    return exitCodes.ok;
  }
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb === undefined) return await unknownVerb(name, terminal);
  try {
    return await (
      await verb.load()
    )(rest, terminal);
  } catch (error) {
    return await reportFailure(error, terminal);
  }
}

function help(): string {
  const width = Math.max(...verbs.map(({ name }) => name.length));
  const lines = verbs.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `haft: the tool system for LLM agents

Usage: haft <verb> [options]

${lines.join("\n")}

  haft <verb> --help   what the verb takes
  haft --version       the version

Exit codes: 0 ok, 1 the call or run failed, 2 usage, 3 denied, 4 an approval was needed and nobody
could give it, 124 timed out, 130 interrupted.
`;
}

async function unknownVerb(name: string, terminal: Terminal): Promise<ExitCode> {
  const { nearestWords } = await import("./nearest.ts");
  const nearest = nearestWords(
    name,
    verbs.map((verb) => verb.name),
  );
  const guess = nearest.length > 0 ? ` Did you mean ${nearest.join(" or ")}?` : "";
  terminal.err(
    `haft: there is no verb ${JSON.stringify(name)}.${guess}\nRun haft --help for all of them.\n`,
  );
  return exitCodes.usage;
}

async function reportFailure(error: unknown, terminal: Terminal): Promise<ExitCode> {
  const { UsageError } = await import("./usage-error.ts");
  if (error instanceof UsageError) {
    terminal.err(`haft: ${error.message}\n${error.hint === undefined ? "" : `${error.hint}\n`}`);
    return exitCodes.usage;
  }
  const { ToolError } = await import("../index.ts");
  if (ToolError.is(error)) {
    terminal.err(`haft: ${error.message}\n${error.hint === undefined ? "" : `${error.hint}\n`}`);
    return error.code === "ABORTED" ? exitCodes.interrupted : exitCodes.failed;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(`haft: this is a fault in haft, please report it:\n${detail}\n`);
  return exitCodes.failed;
}
