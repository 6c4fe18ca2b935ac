import { serveStdio, taskSupport, type StdioOptions } from "../../../entries/mcp.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { earlyToolkit, mayHide, servedServices } from "../../lazy-toolkit.ts";
import type { OwnModules } from "../serve/own-module.ts";
import { onInterrupt } from "../../interrupt.ts";
import { kitOptions, kitOptionsHelpWith } from "../../options.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import type { Terminal } from "../../terminal.ts";
import { UsageError } from "../../usage-error.ts";
import { haftVersion } from "../../version.ts";

/** Loads the help of options that only --http and --module need. */
async function help(): Promise<string> {
  const [{ portOptionsHelp }, { moduleOptionsHelp }] = await Promise.all([
    import("../serve/server-line.ts"),
    import("../serve/own-module.ts"),
  ]);
  return `Usage: haft mcp [options]                 serve the tools of haft to an MCP client
       haft mcp --http [--port N]         the same over HTTP, to programs on this machine
       haft mcp list                      list the MCP servers whose tools haft uses, and their state
       haft mcp add NAME COMMAND [ARG…]   add a server; haft mcp add --help shows how
       haft mcp remove NAME               remove a server from the settings
       haft mcp tools NAME                list the tools of a server
       haft mcp call NAME TOOL [key=text | key:=json]…
       haft mcp doctor [NAME]             start the servers, and report what works
       haft mcp login NAME, logout NAME   log in to a remote server, or remove the login
       haft mcp import FILE               add the servers of another program's file

Serves the tools to one MCP client over standard input and output. If no rule and no mode allows a call, the client
shows the user a form (elicitation). If the client cannot show forms, the call is refused, and the answer names the
rule that would allow it.

Example: haft mcp --mode acceptEdits --allow 'Bash(npm test)'

With --http the server listens on 127.0.0.1, prints its address and a new token, and ends when it is interrupted. Every
request must send Authorization: Bearer TOKEN. docs/mcp.md shows how to configure clients.

Give the client the absolute path of bin/haft.cjs, in the clone (here /opt/haft) or in node_modules/haft of a project:
{"mcpServers": {"haft": {"command": "/opt/haft/bin/haft.cjs", "args": ["mcp"]}}}
docs/clients shows how to switch off the client's own tools, which haft does not protect.

With --yes, every question of a client that cannot show forms is answered with yes: whatever its model calls runs,
unless a rule denies it.

      --tools NAMES     offer only these tools, as in Read,Grep,'mcp__*'; may be repeated
${moduleOptionsHelp}      --http            serve over HTTP instead of standard input and output
${portOptionsHelp}${kitOptionsHelpWith("with --http: print one line {url, token}")}`;
}

/** Runs an MCP server on the standard streams until the client disconnects. */
export async function serve(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, {
    ...kitOptions,
    http: { type: "boolean" },
    port: { type: "string" },
    token: { type: "string" },
    tools: { type: "string", multiple: true },
    module: { type: "string", multiple: true },
  });
  if (values.help === true) {
    terminal.out(await help());
    return exitCodes.ok;
  }
  refuseMore(rest, 0, "Verbs of haft mcp are list, add, remove, tools, call, doctor and import.");
  const tools = await toolsOf(values);
  // Standard input carries the protocol: only the client can ask the user, unless the user approved beforehand.
  const silent = { ...terminal, canAsk: false, isInteractive: false };
  const own = values.module === undefined ? undefined : await ownModules(values.module, terminal);
  const early = earlyToolkit(async () => {
    const { openKit } = await import("../../open-kit.ts");
    const kit = await openKit(values, silent, { services: servedServices });
    await own?.register(kit);
    return kit;
  });
  // If something may hide a tool or adds one, only the toolkit itself knows the list.
  if (own !== undefined || mayHide(values, terminal)) await early.open();
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
        const ofKit = kitLibrary(await early.open());
        if (own === undefined) return ofKit;
        const { joinLibraries } = await import("../serve/join-libraries.ts");
        return joinLibraries([ofKit, ...own.libraries]);
      },
      tasks: {
        support: ({ name }) => own?.taskSupport[name] ?? taskSupport(name),
        store: async () => {
          const { kitTasks } = await import("../../../entries/http.ts");
          return await kitTasks(async () => await early.open()).store();
        },
      },
    } satisfies Partial<StdioOptions>;
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

async function ownModules(files: readonly string[], terminal: Terminal): Promise<OwnModules> {
  const { loadModules } = await import("../serve/own-module.ts");
  return await loadModules(files, terminal);
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
