import { serveMcpHttp, type HttpServerOptions } from "../../../entries/http.ts";
import type { McpToolkit } from "../../../entries/mcp.ts";
import type { Terminal } from "../../terminal.ts";
import { portOf, printServer } from "../serve/server-line.ts";

export interface ServeMcpOptions extends Pick<
  HttpServerOptions,
  "name" | "version" | "approvals" | "library" | "signal" | "tasks" | "tools"
> {
  readonly values: {
    readonly port?: string | undefined;
    readonly token?: string | undefined;
    readonly json?: boolean | undefined;
  };
}

/** Serves the tools to MCP clients over HTTP until the signal is aborted. */
export async function serveHttp(
  toolkit: McpToolkit,
  { values, ...options }: ServeMcpOptions,
  terminal: Terminal,
): Promise<void> {
  const listening = portOf(values, terminal);
  const server = await serveMcpHttp(toolkit, { ...options, ...listening });
  const url = `${server.url}/mcp`;
  printServer({ url, token: server.token }, terminal, {
    isJson: values.json === true,
    isGiven: listening.token !== undefined,
  });
  await server.closed;
}
