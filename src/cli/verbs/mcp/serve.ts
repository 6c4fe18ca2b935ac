import { serveStdio } from "../../../entries/mcp.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { earlyToolkit, mayHide, servedServices } from "../../lazy-toolkit.ts";
import { onInterrupt } from "../../interrupt.ts";
import { kitOptions, kitOptionsHelp } from "../../options.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import type { Terminal } from "../../terminal.ts";
import { UsageError } from "../../usage-error.ts";
import { haftVersion } from "../../version.ts";

const help = `Usage: haft mcp [options]                 serve the tools of haft to an MCP client
       haft mcp --http [--port N]         the same over HTTP, to programs of this machine
       haft mcp list                      the MCP servers whose tools haft uses, and their state
       haft mcp add NAME COMMAND [ARG…]   add a server; haft mcp add --help shows how
       haft mcp remove NAME               remove a server from the settings
       haft mcp tools NAME                the tools of a server
       haft mcp call NAME TOOL [key=text | key:=json]…
       haft mcp doctor [NAME]             start the servers, and say what works
       haft mcp import FILE               add the servers of another program's file

Serves the tools to one MCP client over standard input and output. A call that no rule and no mode allows is shown to
the user in a form of the client (elicitation). With a client that cannot show forms it is refused, and the answer names
the rule that would allow it.

  --mode acceptEdits          allows changes to files in the workspace
  --mode plan                 allows reading only
  --mode dontAsk              refuses instead of asking
  --allow 'Bash(npm test)'    allows one more thing; may be repeated

  --tools Read,Grep,'mcp__*'  offers only these tools; may be repeated

With --http the server listens on 127.0.0.1, prints its address and a new token, and ends when it is interrupted. Every
request must send Authorization: Bearer TOKEN. HAFT_TOKEN sets a token of your own, --port a port. docs/mcp.md shows how
clients are configured.

Give the client the absolute path of the command:
{"mcpServers": {"haft": {"command": "/path/to/haft", "args": ["mcp"]}}}
docs/clients shows how to switch off the client's own tools, which haft does not protect.

${kitOptionsHelp}`;

/** Runs an MCP server on the standard streams until the client disconnects. */
export async function serve(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, {
    ...kitOptions,
    http: { type: "boolean" },
    port: { type: "string" },
    token: { type: "string" },
    tools: { type: "string", multiple: true },
  });
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  refuseMore(rest, 0, "Verbs of haft mcp are list, add, remove, tools, call, doctor and import.");
  const tools = await toolsOf(values);
  // Standard input carries the protocol: only the client can ask the user, unless the user approved beforehand.
  const silent = { ...terminal, canAsk: false, isInteractive: false };
  const early = earlyToolkit(async () => {
    const { openKit } = await import("../../open-kit.ts");
    return await openKit(values, silent, { services: servedServices });
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
    const options = {
      name: "haft",
      version: haftVersion(),
      approvals: "client",
      signal: AbortSignal.any([interrupt.signal, broken.signal]),
      ...(tools === undefined ? {} : { tools }),
      library: async () => {
        const { kitLibrary } = await import("../../../entries/http.ts");
        return kitLibrary(await early.open());
      },
    } as const;
    if (values.http === true) {
      const { serveHttp } = await import("./serve-http.ts");
      await serveHttp(early.toolkit, { ...options, values }, terminal);
    } else {
      refusePort(values);
      await serveStdio(early.toolkit, options);
    }
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

/** Names of the selected tools. A name that no tool can have is a mistake. */
async function toolsOf({
  tools: given,
}: {
  readonly tools?: readonly string[] | undefined;
}): Promise<readonly string[] | undefined> {
  if (given === undefined) return undefined;
  const { checkToolNames } = await import("./check-tool-names.ts");
  return checkToolNames(given.flatMap((names) => names.split(",")));
}

function refusePort(values: { readonly port?: string; readonly token?: string }): void {
  if (values.port === undefined && values.token === undefined) return;
  throw new UsageError("--port and --token go with --http.", "Add --http, or leave them out.");
}
