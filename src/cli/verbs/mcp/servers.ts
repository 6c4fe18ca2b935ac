import type { Kit, McpServerCheck, McpServerInfo } from "../../../index.ts";
import { counted } from "../../print/describe-session.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { didYouMean } from "../../input/nearest.ts";
import { leadingWords } from "../../input/leading-words.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import { openQuietly } from "../../open-kit.ts";
import { kitOptions, kitOptionsHelp, type KitValues } from "../../options.ts";
import { visibleText } from "../../print/visible-text.ts";
import type { Terminal } from "../../terminal.ts";
import { UsageError } from "../../usage-error.ts";
import { foreignServers } from "./foreign-servers.ts";
import { serverOptions } from "./server-options.ts";

const help = `Usage: haft mcp list                      list the MCP servers whose tools haft uses, and their state
       haft mcp add NAME COMMAND [ARG…]   add a local server; options come before NAME
       haft mcp add NAME URL              add a remote server
       haft mcp remove NAME               remove a server from the settings
       haft mcp tools NAME                list the tools of a server, and changes you have not accepted
       haft mcp call NAME TOOL [key=text | key:=json]…   call a tool, by the same rules as an agent
       haft mcp doctor [NAME]             start the servers, and report what works
       haft mcp login NAME                log in to a remote server in a browser (OAuth)
       haft mcp logout NAME               remove the tokens of a login
       haft mcp import FILE               add the servers of another program's file

  haft mcp add files npx -y @modelcontextprotocol/server-filesystem .
  haft mcp add github https://api.example.com/mcp --header 'Authorization=Bearer \${TOKEN}' --scope user
  haft mcp add --env 'DATABASE_URL=\${DATABASE_URL}' db ./db-server --read-only

Servers are read from mcpServers in settings files and from .mcp.json (docs/mcp-client.md). haft mcp without arguments
runs haft itself as a server; see haft mcp --help.

      --scope SCOPE     file to change: local (this workspace, for you), project (for everyone) or user
                        (default: local)
      --env NAME=VALUE  environment variable of the server; may be repeated
      --header NAME=VALUE   header of a remote server; may be repeated
      --transport KIND  stdio, http or sse (default: by the address)
      --no-browser      login: only print the address, then read the address at which the browser ends
      --issuer URL      login: the authorization server, which may have a private address
${kitOptionsHelp}
Exit codes: 0 ok, 1 a server does not work or a call failed, 2 usage; haft mcp call also has those of haft call.
`;

type Values = ReturnType<typeof parseWords<typeof serverOptions>>["values"];

interface Asked {
  readonly kit: Kit;
  readonly values: Values & KitValues;
  /** Arguments after the verb. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
}

type Verb = (asked: Asked) => Promise<ExitCode>;

const verbs: Readonly<Record<string, Verb>> = {
  list,
  add,
  remove,
  tools,
  doctor,
  import: importServers,
  login: async (asked) => await (await import("./login.ts")).login(asked),
  logout: async (asked) => await (await import("./login.ts")).logout(asked),
};

/** `haft mcp list` and the other verbs for the servers whose tools haft uses. */
export async function servers(
  name: string,
  line: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { values, words } = name === "add" ? addedWords(line) : parseWords(line, serverOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  if (name === "call") return await call(line, terminal);
  const verb = verbs[name];
  if (verb === undefined) throw new UsageError("Which verb?", "haft mcp --help lists them.");
  const kit = await openQuietly(values, terminal);
  try {
    return await verb({ kit, values, words: words.slice(1), terminal });
  } finally {
    await kit.dispose();
  }
}

/** The words of `haft mcp add`: after the command of a local server come its own options. */
function addedWords(line: readonly string[]): ReturnType<typeof parseWords<typeof serverOptions>> {
  const leading = leadingWords(line, 3, serverOptions);
  const isLocal = leading !== undefined && !/^https?:\/\//u.test(leading.words[2] ?? "");
  if (!isLocal) return parseWords(line, serverOptions);
  const { values } = parseWords(line.slice(0, leading.end), serverOptions);
  return { values, words: [...leading.words, ...line.slice(leading.end)] };
}

/** Calls a tool by its name on the server; everything else is that of `haft call`. */
async function call(line: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const leading = leadingWords(line, 3, serverOptions);
  const [, server = "", tool = ""] = leading?.words ?? [];
  if (leading === undefined) {
    throw new UsageError(
      "Which server and which tool?",
      "Name them, as in haft mcp call github get_issue number:=7.",
    );
  }
  const { values } = parseWords(line, kitOptions);
  const kit = await openQuietly(values, terminal);
  let offeredAs: string | undefined;
  try {
    const known = await kit.mcp.tools(server);
    const found = known.find((each) => each.name === tool || each.offeredAs === tool);
    if (found === undefined) {
      const names = known.map(({ name }) => name);
      throw new UsageError(
        `${visibleText(server)} has no tool ${JSON.stringify(tool)}.${didYouMean(tool, names)}`,
        `haft mcp tools ${server} lists them.`,
      );
    }
    ({ offeredAs } = found);
  } finally {
    await kit.dispose();
  }
  const { call: callTool } = await import("../call.ts");
  const skipped = new Set(leading.words);
  const before = line.slice(0, leading.end).filter((word) => !skipped.has(word));
  return await callTool([offeredAs, ...before, ...line.slice(leading.end)], terminal);
}

async function list({ kit, values, words, terminal }: Asked): Promise<ExitCode> {
  refuseMore(words, 0, "haft mcp list takes no more arguments.");
  const all = kit.mcp.list();
  if (values.json === true) terminal.out(`${JSON.stringify(all, null, 2)}\n`);
  else if (all.length === 0) terminal.err("There are no MCP servers. haft mcp add adds one.\n");
  else {
    const width = Math.max(...all.map(({ name }) => name.length));
    for (const each of all) {
      const count = each.tools === undefined ? "" : ` ${counted(each.tools, "tool")}`;
      const why = each.reason === undefined ? "" : `  ${each.reason} ${each.hint ?? ""}`;
      const place = terminal.style("dim", `(${each.file ?? each.scope})`);
      terminal.out(
        `${each.name.padEnd(width)}  ${`${each.status}${count}`.padEnd(16)}  ${each.address} ${place}${why.trimEnd()}\n`,
      );
    }
  }
  return exitCodes.ok;
}

async function tools({ kit, values, words, terminal }: Asked): Promise<ExitCode> {
  const [name, ...more] = words;
  if (name === undefined) throw new UsageError("Which server?", "haft mcp list shows them.");
  refuseMore(more, 0, "haft mcp tools takes one server.");
  const all = await kit.mcp.tools(name);
  if (values.json === true) terminal.out(`${JSON.stringify(all, null, 2)}\n`);
  else {
    const width = Math.max(0, ...all.map(({ offeredAs }) => offeredAs.length));
    for (const { offeredAs, description, change } of all) {
      const [first = ""] = description.split("\n");
      terminal.out(`${offeredAs.padEnd(width)}  ${terminal.style("dim", first)}\n`);
      if (change !== undefined) {
        terminal.out(`  ${terminal.style("yellow", "changed")}: ${change}\n`);
      }
    }
  }
  return exitCodes.ok;
}

async function doctor({ kit, values, words, terminal }: Asked): Promise<ExitCode> {
  refuseMore(words, 1, "haft mcp doctor takes one server, or none for all.");
  const all = kit.mcp.list().filter(({ status }) => status !== "off" && status !== "excluded");
  const names = words.length > 0 ? words : all.map(({ name }) => name);
  const checks = await Promise.all(names.map(async (name) => await kit.mcp.check(name)));
  if (values.json === true) terminal.out(`${JSON.stringify(checks, null, 2)}\n`);
  else if (checks.length === 0) terminal.err("There are no MCP servers. haft mcp add adds one.\n");
  else for (const check of checks) printCheck(check, terminal);
  return checks.every(({ server }) => isWorking(server)) ? exitCodes.ok : exitCodes.failed;
}

function isWorking({ status }: McpServerInfo): boolean {
  return status === "running" || status === "stopped";
}

function printCheck(check: McpServerCheck, terminal: Terminal): void {
  const { server, durationMs, protocol, implementation, problems, log } = check;
  const works = isWorking(server);
  const mark = works ? terminal.style("green", "✓") : terminal.style("red", "✗");
  if (works) {
    const facts = [
      implementation,
      protocol,
      counted(server.tools ?? 0, "tool"),
      `${durationMs} ms`,
    ];
    const text = facts.filter((each) => each !== undefined).join(", ");
    terminal.out(`${mark} ${server.name}: ${text}\n`);
  } else {
    // The hint of a server that could not be started leads here.
    const hint = server.status === "failed" ? "" : (server.hint ?? "");
    terminal.out(`${mark} ${server.name}: ${server.reason ?? server.status} ${hint}`.trimEnd());
    terminal.out("\n");
  }
  for (const problem of problems) terminal.out(`    ! ${problem}\n`);
  // The output of a working server is of interest only to its author.
  if (!works) for (const line of log) terminal.out(`    ${terminal.style("dim", line)}\n`);
}

async function add({ kit, values, words, terminal }: Asked): Promise<ExitCode> {
  const [name, command, ...args] = words;
  if (name === undefined || command === undefined) {
    throw new UsageError(
      "Which server?",
      "Write a name and a command or an address, as in haft mcp add files npx -y SERVER.",
    );
  }
  if (!/^[\w.@/:-]{1,64}$/u.test(name)) {
    throw new UsageError(
      `${JSON.stringify(visibleText(name))} cannot be the name of a server.`,
      "Use letters, digits, and . _ - @ / : in a name of at most 64 characters.",
    );
  }
  return await save([[name, entryOf([command, ...args], values)]], { kit, values, terminal });
}

function entryOf(
  [command = "", ...args]: readonly string[],
  { env, header, transport }: Values,
): Readonly<Record<string, unknown>> {
  const kinds = ["stdio", "http", "sse"];
  if (transport !== undefined && !kinds.includes(transport)) {
    const message = `There is no transport ${JSON.stringify(transport)}.`;
    throw new UsageError(message, `Use one of ${kinds.join(", ")}.`);
  }
  const isRemote = transport === undefined ? /^https?:\/\//u.test(command) : transport !== "stdio";
  if (!isRemote) {
    if (/^[a-z][\w+.-]*:\/\//iu.test(command)) {
      const message = `${visibleText(command)} is not an http or https address.`;
      throw new UsageError(message, "A remote server has one; a local server has a command.");
    }
    if (header !== undefined) throw new UsageError("A local server has no headers.", "Use --env.");
    return { command, args, ...(env === undefined ? {} : { env: pairs(env, "--env") }) };
  }
  refuseMore(args, 0, "A remote server has an address and no arguments.");
  if (env !== undefined) throw new UsageError("A remote server has no --env.", "Use --header.");
  return {
    type: transport ?? "http",
    url: command,
    ...(header === undefined ? {} : { headers: pairs(header, "--header") }),
  };
}

function pairs(given: readonly string[], option: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf("=");
      if (at < 1)
        throw new UsageError(`${option} needs NAME=VALUE.`, `As in ${option} NAME=VALUE.`);
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
}

async function remove({ kit, values, words, terminal }: Asked): Promise<ExitCode> {
  const [name, ...more] = words;
  if (name === undefined) throw new UsageError("Which server?", "haft mcp list shows them.");
  refuseMore(more, 0, "haft mcp remove takes one server.");
  const { changed, file } = await kit.settings.set({
    key: keyOf(name),
    value: undefined,
    scope: scopeOf(values),
  });
  if (changed) terminal.out(`Removed ${visibleText(name)} from ${visibleText(file)}.\n`);
  else {
    terminal.err(
      `${visibleText(file)} has no MCP server ${visibleText(name)}; --scope names another file.\n`,
    );
  }
  return changed ? exitCodes.ok : exitCodes.failed;
}

async function importServers({ kit, values, words, terminal }: Asked): Promise<ExitCode> {
  const [file, ...more] = words;
  if (file === undefined) {
    throw new UsageError("Which file?", "Name one, as in haft mcp import ~/.cursor/mcp.json.");
  }
  refuseMore(more, 0, "haft mcp import takes one file.");
  const found = Object.entries(await foreignServers(file, kit.workspace.path));
  if (found.length === 0) {
    terminal.err(`${visibleText(file)} has no MCP servers.\n`);
    return exitCodes.failed;
  }
  return await save(found, { kit, values, terminal });
}

async function save(
  entries: readonly (readonly [string, unknown])[],
  { kit, values, terminal }: Pick<Asked, "kit" | "values" | "terminal">,
): Promise<ExitCode> {
  const scope = scopeOf(values);
  const before = kit.mcp.list();
  for (const [name, value] of entries) {
    const { file } = await kit.settings.set({ key: keyOf(name), value, scope });
    const isReplaced = before.some((each) => each.name === name && each.file === file);
    const done = isReplaced ? "Replaced" : "Added";
    terminal.out(
      `${done} ${visibleText(name)} ${isReplaced ? "in" : "to"} ${visibleText(file)}.\n`,
    );
  }
  const isStarted = scope === "user" || (await kit.workspace.trust()).trusted;
  terminal.err(
    isStarted
      ? "A server starts when one of its tools is needed; haft mcp doctor tries it now.\n"
      : "This workspace is not trusted, so no server of it starts. If it is yours, run haft trust add.\n",
  );
  return exitCodes.ok;
}

function keyOf(name: string): string {
  return `mcpServers[${JSON.stringify(name)}]`;
}

function scopeOf({ scope = "local" }: Values): "local" | "project" | "user" {
  if (scope === "local" || scope === "project" || scope === "user") return scope;
  throw new UsageError(
    `There is no scope ${JSON.stringify(scope)}.`,
    "Use one of local, project, user.",
  );
}
