import { serveStdio } from "../mcp/index.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { onInterrupt } from "./interrupt.ts";
import { openKit } from "./open-kit.ts";
import { kitOptions, kitOptionsHelp } from "./options.ts";
import { parseWords } from "./parse-words.ts";
import type { Terminal } from "./terminal.ts";
import { haftVersion } from "./version.ts";

const help = `Usage: haft mcp [options]

Serves the tools to one MCP client over standard input and output. Nobody can be asked over this connection, so
what a rule or the mode does not allow is refused, and the answer names the rule that would allow it.

  --mode acceptEdits          lets the client change files inside the workspace
  --mode plan                 lets it only look
  --allow 'Bash(npm test)'    allows one thing more; may be repeated

A client starts it with: {"mcpServers": {"haft": {"command": "npx", "args": ["-y", "haft", "mcp"]}}}

${kitOptionsHelp}`;

/** `haft mcp`: an MCP server on the standard streams, until the client is gone. */
export async function mcp(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = parseWords(words, kitOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  // Standard input carries the protocol: a person can have said yes beforehand, but cannot be asked.
  const kit = await openKit(values, { ...terminal, canAsk: false });
  const interrupt = onInterrupt({ ...terminal, isInteractive: false });
  try {
    await serveStdio(kit, { name: "haft", version: haftVersion(), signal: interrupt.signal });
  } finally {
    interrupt.dispose();
    await kit.dispose();
  }
  return exitCodes.ok;
}
