import type { Transport } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/index.ts";
import type { ServerConfig } from "../servers/server-config.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { ServerPrograms } from "./stdio.ts";

/** A transport that has not started, and the reason for which it ended. */
export interface OpenTransport {
  readonly transport: Transport;
  /** How the connection ended, in words; undefined while it is open or if that is not known. */
  readonly ending: () => string | undefined;
}

export interface TransportParts {
  readonly programs: ServerPrograms;
  /** Creates what sends requests to the origin of this address, which the user has written into settings. */
  readonly fetchFor: (address: string) => typeof fetch;
  readonly onLog: (text: string) => void;
}

/** Opens the transport of a server. */
export async function openTransport(
  { name, address }: Pick<ServerConfig, "name" | "address">,
  { programs, fetchFor, onLog }: TransportParts,
): Promise<OpenTransport> {
  switch (address.kind) {
    case "stdio": {
      const { parseJSONRPCMessage } = await import("@modelcontextprotocol/client");
      const { stdioTransport } = await import("./stdio.ts");
      const transport = stdioTransport({ programs, address, onLog, parse: parseJSONRPCMessage });
      return { transport, ending: transport.ending };
    }
    case "http": {
      const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
      const url = new URL(address.url);
      const transport = new StreamableHTTPClientTransport(url, remoteOptions(address, fetchFor));
      return { transport, ending: () => undefined };
    }
    case "sse": {
      const { SSEClientTransport } = await import("@modelcontextprotocol/client");
      const url = new URL(address.url);
      const transport = new SSEClientTransport(url, remoteOptions(address, fetchFor));
      return { transport, ending: () => undefined };
    }
    case "custom":
      throw new ToolError(
        "UNAVAILABLE",
        `The MCP server ${name} needs a transport that is missing.`,
      );
  }
}

function remoteOptions(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  fetchFor: TransportParts["fetchFor"],
) {
  return {
    requestInit: { headers: { ...headers } },
    fetch: boundedFetch(fetchFor(url), new Set([new URL(url).origin])),
  };
}
