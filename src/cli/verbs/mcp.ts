import { serveStdio } from "../../mcp/index.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { earlyToolkit, mayHide } from "../lazy-toolkit.ts";
import { onInterrupt } from "../interrupt.ts";
import { kitOptions, kitOptionsHelp } from "../options.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import type { Terminal } from "../terminal.ts";
import { haftVersion } from "../version.ts";

const help = `Usage: haft mcp [options]

Serves the tools to one MCP client over standard input and output. What neither a rule nor the mode answers is put to
the person at the client, where it can show a form (elicitation); with any other client it is refused, and the answer
names the rule that would allow it.

  --mode acceptEdits          lets the client change files inside the workspace
  --mode plan                 lets it only look
  --mode dontAsk              refuses instead of asking
  --allow 'Bash(npm test)'    allows one thing more; may be repeated

A client starts it with: {"mcpServers": {"haft": {"command": "npx", "args": ["-y", "haft", "mcp"]}}}

${kitOptionsHelp}`;

/** `haft mcp`: runs an MCP server on the standard streams until the client disconnects. */
export async function mcp(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, kitOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  refuseMore(rest, 0, "haft mcp takes only options, as in haft mcp --mode acceptEdits.");
  // Standard input carries the protocol: only the client can ask the user, unless the user approved beforehand.
  const silent = { ...terminal, canAsk: false, isInteractive: false };
  const early = earlyToolkit(async () => {
    const { openKit } = await import("../open-kit.ts");
    return await openKit(values, silent);
  });
  // If something may hide a tool, only the toolkit itself knows the list.
  if (mayHide(values, terminal)) await early.open();
  const interrupt = onInterrupt(silent);
  const broken = new AbortController();
  let failure: unknown;
  const warm = setTimeout(() => {
    early.open().catch((error: unknown) => {
      failure = error;
      broken.abort();
    });
  }, warmUpMs);
  try {
    await serveStdio(early.toolkit, {
      name: "haft",
      version: haftVersion(),
      approvals: "client",
      signal: AbortSignal.any([interrupt.signal, broken.signal]),
    });
  } finally {
    clearTimeout(warm);
    await (await early.opened()?.catch(() => undefined))?.dispose();
    interrupt.dispose();
  }
  if (failure !== undefined) throw failure;
  return exitCodes.ok;
}

/** Milliseconds after which the toolkit is opened even without a call, so that the first call need not wait for it. */
const warmUpMs = 500;
