import { kitLibrary, openKitEvents, serveHttp } from "../../../entries/http.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { onInterrupt } from "../../interrupt.ts";
import { servedServices } from "../../lazy-toolkit.ts";
import { openKit } from "../../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../../options.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import type { Terminal } from "../../terminal.ts";
import { haftVersion } from "../../version.ts";
import { portOf, portOptions, portOptionsHelp, printServer } from "./server-line.ts";

const help = `Usage: haft serve [options]     serve tools, events and questions to programs of this machine, over HTTP

Listens on 127.0.0.1 until it is interrupted. Every request sends Authorization: Bearer TOKEN.

  POST /call {toolId, arguments, sessionId?, messageId?}   run a tool: {success, result, error}
  GET /events?after=POSITION&session=ID                    what happens, as server-sent events
  POST /answer {id, answer}                                answer a question that an event shows
  POST /runs {task, model?, sessionId?}                    start an agent: {runId, sessionId}
  POST /sessions {sessionId?}                              a token for one session, for an agent of another program
  /mcp                                                     the tools for MCP clients, in every revision

A call that no rule and no mode allows is a question: an event with an id. It is refused unless a reader of the events
that has the user's token answers it. The token of a session cannot answer. docs/http.md has examples.

      --model NAME      the model of runs that name none, as in anthropic:claude-sonnet-4-5
${portOptionsHelp}${kitOptionsHelp}`;

/** `haft serve`: a server on a port of this machine, until it is interrupted. */
export async function serve(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, {
    ...kitOptions,
    ...portOptions,
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
  const kit = await openKit(values, silent, {
    services: servedServices,
    eventLog: "none",
    ...(values.model === undefined ? {} : { model: values.model }),
  });
  try {
    const events = await openKitEvents(kit.dataDirectory);
    const unsubscribe = kit.subscribe((event) => events.append(event));
    try {
      const server = await serveHttp(kit, {
        ...listening,
        name: "haft",
        version: haftVersion(),
        approvals: "client",
        signal: interrupt.signal,
        library: async (sessionId) => kitLibrary(kit, sessionId),
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
