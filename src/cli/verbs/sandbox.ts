import type { SandboxOption } from "../../index.ts";
import { exitCodes } from "../exit-codes.ts";
import { onInterrupt } from "../interrupt.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, kitOptionsHelpWith } from "../options.ts";
import { parseWords } from "../input/parse-arguments.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const help = `Usage: haft sandbox [options] -- COMMAND [ARG ...]

Runs a command in the same sandbox as the commands of tools, and exits with its exit code. Standard error reports what
the sandbox enforced and what it did not. The command gets no input. If no sandbox works here, the command does not run.

      --driver NAME     use only this driver; haft doctor lists them
      --network WHAT    open, none, or hosts separated by commas (default: open)
${kitOptionsHelpWith("print nothing but the report, as one JSON document")}`;

/** `haft sandbox`: runs a command of the user's, confined like those of tools. */
export async function sandbox(words: readonly string[], terminal: Terminal): Promise<number> {
  const { values, words: argv } = parseWords(
    words,
    { ...kitOptions, driver: { type: "string" }, network: { type: "string" } },
    { ifUnknown: "Put options of the command after --, as in haft sandbox -- ls -l." },
  );
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  if (argv.length === 0) {
    throw new UsageError("There is no command.", "As in: haft sandbox -- npm test");
  }
  const option = sandboxOption(values.driver, values.network);
  const kit = await openKit(values, terminal, { sandbox: option });
  const interrupt = onInterrupt(terminal);
  const isQuiet = values.json === true;
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  try {
    const ran = await kit.runConfined(argv, {
      signal: interrupt.signal,
      onOutput: (bytes, stream) => {
        if (isQuiet) return;
        const text = decoders[stream].decode(bytes, { stream: true });
        terminal.raw(text, stream === "stdout" ? "out" : "err");
      },
    });
    const { code, signal, report, notes } = ran;
    if (isQuiet) terminal.out(`${JSON.stringify({ code, signal, report, notes }, null, 2)}\n`);
    else terminal.err(reportLines(ran, terminal));
    if (interrupt.signal.aborted) return exitCodes.interrupted;
    return code ?? exitCodes.failed;
  } finally {
    await kit.dispose();
    interrupt.dispose();
  }
}

type Ran = Awaited<ReturnType<Awaited<ReturnType<typeof openKit>>["runConfined"]>>;

function reportLines({ report, notes }: Ran, terminal: Terminal): string {
  const { provider, version, filesystem, network, ipc, process: processes, gaps } = report;
  const named = version === undefined ? provider : `${provider} ${version}`;
  const lines = [
    `sandbox: ${named}, files ${filesystem}, network ${network}, ipc ${ipc}, processes ${processes}`,
    ...gaps.map(({ text }) => `  not enforced: ${text}`),
    ...notes.map((note) => `  ${note}`),
  ];
  return `${lines.map((line) => terminal.style("dim", line)).join("\n")}\n`;
}

function sandboxOption(driver: string | undefined, network: string | undefined): SandboxOption {
  return {
    ...(driver === undefined ? {} : { driver }),
    ...(network === undefined ? {} : { network: networkOf(network) }),
  };
}

function networkOf(text: string): NonNullable<SandboxOption["network"]> {
  if (text === "open" || text === "none") return text;
  return { hosts: text.split(",").map((host) => host.trim()) };
}
