import type { Kit } from "../../../index.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { refuseMore } from "../../input/parse-arguments.ts";
import { visibleText } from "../../print/visible-text.ts";
import type { Terminal } from "../../terminal.ts";
import { UsageError } from "../../usage-error.ts";

export interface LoginRequest {
  readonly kit: Kit;
  readonly values: {
    readonly json?: boolean | undefined;
    readonly issuer?: string | undefined;
    readonly "no-browser"?: boolean | undefined;
  };
  readonly words: readonly string[];
  readonly terminal: Terminal;
}

/** `haft mcp login`: opens the page of the login, or prints its address, and waits until the user has logged in. */
export async function login({ kit, values, words, terminal }: LoginRequest): Promise<ExitCode> {
  const name = serverIn(words, "login");
  const { issuer } = values;
  if (issuer !== undefined && !/^https?:\/\//u.test(issuer)) {
    throw new UsageError(
      `${visibleText(issuer)} is not an http or https address.`,
      "As in --issuer https://login.example.com.",
    );
  }
  const opensBrowser = values["no-browser"] !== true;
  const done = new AbortController();
  const accepts = Promise.withResolvers<(address: string) => boolean>();
  try {
    const result = await kit.mcp.login(name, {
      opensBrowser,
      ...(issuer === undefined ? {} : { issuer }),
      onListening: accepts.resolve,
      onAddress(address) {
        terminal.err(`Log in here:\n  ${visibleText(address)}\n`);
        if (opensBrowser || !terminal.canAsk) return;
        terminal.err("If the browser is on another machine, paste the address that it ends at:\n");
        void acceptLines(terminal, accepts.promise, done.signal);
      },
    });
    const shown = { server: name, ...result };
    if (values.json === true) terminal.out(`${JSON.stringify(shown, null, 2)}\n`);
    else {
      const rights =
        result.scope === undefined ? "" : ` with the rights ${visibleText(result.scope)}`;
      terminal.out(
        `Logged in to ${visibleText(name)} at ${visibleText(result.issuer)}${rights}.\n`,
      );
    }
    return exitCodes.ok;
  } finally {
    done.abort();
  }
}

/** Reads addresses until one belongs to the login. */
async function acceptLines(
  terminal: Terminal,
  accepting: Promise<(address: string) => boolean>,
  signal: AbortSignal,
): Promise<void> {
  const accept = await accepting;
  try {
    for await (const line of terminal.readLines(signal)) {
      if (line.trim() === "") continue;
      if (accept(line.trim())) return;
      terminal.err("This is not the address that this login ends at; copy the whole address.\n");
    }
  } catch {
    // The login ended, or the terminal closed; the browser may still answer.
  }
}

/** `haft mcp logout`: removes the tokens of a server. */
export async function logout({ kit, values, words, terminal }: LoginRequest): Promise<ExitCode> {
  const name = serverIn(words, "logout");
  const removed = await kit.mcp.logout(name);
  if (values.json === true) terminal.out(`${JSON.stringify({ server: name, removed })}\n`);
  else if (removed) terminal.out(`Logged out of ${visibleText(name)}.\n`);
  else terminal.err(`There was no login to ${visibleText(name)}.\n`);
  return exitCodes.ok;
}

function serverIn([name, ...more]: readonly string[], verb: string): string {
  if (name === undefined) throw new UsageError("Which server?", "haft mcp list shows them.");
  refuseMore(more, 0, `haft mcp ${verb} takes one server.`);
  return name;
}
