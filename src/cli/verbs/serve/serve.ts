import { kitLibrary, kitTasks, openKitEvents, serveHttp } from "../../../entries/http.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { onInterrupt } from "../../interrupt.ts";
import { servedServices } from "../../lazy-toolkit.ts";
import { openKit } from "../../open-kit.ts";
import { kitOptions, kitOptionsHelpWith } from "../../options.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import type { Terminal } from "../../terminal.ts";
import { haftVersion } from "../../version.ts";
import { joinLibraries } from "./join-libraries.ts";
import { loadModules, moduleOptions, moduleOptionsHelp } from "./own-module.ts";
import { portOf, portOptions, portOptionsHelp, printServer } from "./server-line.ts";

const help = `Usage: haft serve [options]     serve tools, events and questions over HTTP to programs on this machine

Listens on 127.0.0.1 until it is interrupted. Every request must send Authorization: Bearer TOKEN.

  POST /call {toolId, arguments, sessionId?, messageId?}   run a tool: {success, result, error}
  GET /events?after=POSITION&session=ID                    read the events, as server-sent events
  POST /answer {id, answer}                                answer a question that an event shows
  POST /runs {task, model?, sessionId?}                    start an agent: {runId, sessionId}
  POST /sessions {sessionId?}                              make a token for one session, for an agent of another program
  DELETE /sessions?session=ID                              revoke that token
  /mcp                                                     the tools for MCP clients, in every protocol revision

If no rule and no mode allows a call, haft asks: it sends an event with an id, and refuses the call unless a reader of
the events with the user's token answers. The token of a session cannot answer. docs/http.md has examples.

      --model NAME      model of runs that name none, as in anthropic:claude-sonnet-4-5
${moduleOptionsHelp}${portOptionsHelp}${kitOptionsHelpWith("print one line {url, token}")}`;

/** `haft serve`: a server on a port of this machine, until it is interrupted. */
export async function serve(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, {
    ...kitOptions,
    ...portOptions,
    ...moduleOptions,
    model: { type: "string" },
  });
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  refuseMore(rest, 0, "haft serve takes options only.");
  const listening = portOf(values, terminal);
  // Questions go to the readers of the events, not to this terminal.
  const silent = { ...terminal, canAsk: false, isInteractive: false };
  const interrupt = onInterrupt(silent);
  const own = await loadModules(values.module, terminal);
  const kit = await openKit(values, silent, {
    services: servedServices,
    eventLog: "none",
    ...(values.model === undefined ? {} : { model: values.model }),
  });
  try {
    await own.register(kit);
    const events = await openKitEvents(kit.storage.directory, { workspace: kit.workspace.path });
    const unsubscribe = kit.events.subscribe((event) => events.append(event));
    try {
      const server = await serveHttp(kit, {
        ...listening,
        name: "haft",
        version: haftVersion(),
        approvals: "client",
        signal: interrupt.signal,
        library: async (sessionId) => joinLibraries([kitLibrary(kit, sessionId), ...own.libraries]),
        tasks: kitTasks(async () => kit, { support: own.taskSupport }),
        events,
      });
      printServer(server, terminal, {
        isJson: values.json === true,
        isGiven: listening.token !== undefined,
      });
      await server.closed;
    } finally {
      // Events of calls that the end of the kit aborts are stored too.
      await kit.dispose();
      unsubscribe();
      await events.close();
    }
  } finally {
    await kit.dispose();
    interrupt.dispose();
  }
  return exitCodes.ok;
}
