import { createRequire } from "node:module";
import { createToolkit } from "../index.ts";
import { serveStdio } from "../mcp/index.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { onInterrupt } from "./interrupt.ts";
import { kitOptions, kitOptionsHelp, parseWords, toolkitOptions } from "./options.ts";
import type { Terminal } from "./terminal.ts";

const help = `Usage: haft mcp [options]

Serves the tools to one MCP client over standard input and output. Nobody can be asked over this connection, so
what a rule or the mode does not allow is refused, and the answer names the rule that would allow it.

  --mode acceptEdits   lets the client change files inside the workspace
  --mode plan          lets it only look
  --allow RULE         allows more, one rule at a time, as in --allow 'Bash(npm test)'

${kitOptionsHelp}`;

/** `haft mcp`: an MCP server on the standard streams, until the client is gone. */
export async function mcp(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = parseWords(words, kitOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const { onAsk, ...options } = toolkitOptions(values, terminal);
  // Standard input carries the protocol: a person can have said yes beforehand, but cannot be asked.
  const kit = await createToolkit(
    values.yes === true && onAsk !== undefined ? { ...options, onAsk } : options,
  );
  const interrupt = onInterrupt();
  try {
    await serveStdio(kit, { name: "haft", version: version(), signal: interrupt.signal });
  } finally {
    interrupt.dispose();
    await kit.dispose();
  }
  return exitCodes.ok;
}

function version(): string {
  const manifest: unknown = createRequire(import.meta.url)("../../package.json");
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "0";
}
