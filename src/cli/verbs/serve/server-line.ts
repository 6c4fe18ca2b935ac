import type { HttpServer } from "../../../entries/http.ts";
import type { Terminal } from "../../terminal.ts";
import { UsageError } from "../../usage-error.ts";

/** Options of the verbs that listen on a port. */
export const portOptions = {
  port: { type: "string" },
  token: { type: "string" },
} as const;

export const portOptionsHelp = `      --port N          port of 127.0.0.1 to listen on (default 0: any free one)
      --token TOKEN     token that clients send; with HAFT_TOKEN instead, the process list does not show it
                        (default: a new one, which is printed)
`;

interface PortValues {
  readonly port?: string | undefined;
  readonly token?: string | undefined;
}

/** Port and token of a command line. */
export function portOf(
  { port = "0", token }: PortValues,
  terminal: Terminal,
): { readonly port: number; readonly token?: string } {
  if (!/^\d{1,5}$/u.test(port) || Number(port) > 65_535) {
    throw new UsageError(
      `--port takes a number up to 65535, not ${JSON.stringify(port)}.`,
      "0 is any port that is free.",
    );
  }
  const given = token ?? terminal.env["HAFT_TOKEN"] ?? "";
  if (token === "") throw new UsageError("--token is empty.", "Leave it out for a new one.");
  return { port: Number(port), ...(given === "" ? {} : { token: given }) };
}

/** Prints where a server listens, and its token if haft made it. */
export function printServer(
  { url, token }: Pick<HttpServer, "url" | "token">,
  terminal: Terminal,
  { isJson, isGiven }: { readonly isJson: boolean; readonly isGiven: boolean },
): void {
  if (isJson) {
    terminal.out(`${JSON.stringify({ url, token })}\n`);
    return;
  }
  terminal.out(`Listening on ${url}\n`);
  if (!isGiven) terminal.err(`Token: ${token}\n`);
}
