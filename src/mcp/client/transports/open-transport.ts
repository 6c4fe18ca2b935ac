import type { FetchLike, Transport } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/index.ts";
import type { ServerConfig } from "../servers/server-config.ts";
import type { ServerLogin } from "../auth/server-login.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { ServerPrograms } from "./stdio.ts";

/** A transport that has not started, and the reason for which it ended. */
export interface OpenTransport {
  readonly transport: Transport;
  /** How the connection ended, in words; undefined while it is open or if that is not known. */
  readonly ending: () => string | undefined;
  /** Why the user must log in first; undefined while nothing says so. */
  readonly required: () => ToolError | undefined;
}

export interface TransportParts {
  readonly programs: ServerPrograms;
  /** Creates what sends requests; the origins of these addresses, which the user named, may be private. */
  readonly fetchFor: (addresses: readonly string[]) => typeof fetch;
  /** Undefined for a server without a login. */
  readonly login: ServerLogin | undefined;
  readonly onLog: (text: string) => void;
}

/** Opens the transport of a server. */
export async function openTransport(
  { name, address }: Pick<ServerConfig, "name" | "address">,
  parts: TransportParts,
): Promise<OpenTransport> {
  const { programs, onLog, login } = parts;
  switch (address.kind) {
    case "stdio": {
      const { parseJSONRPCMessage } = await import("@modelcontextprotocol/client");
      const { stdioTransport } = await import("./stdio.ts");
      const transport = stdioTransport({ programs, address, onLog, parse: parseJSONRPCMessage });
      return { transport, ending: transport.ending, required: () => undefined };
    }
    case "http":
    case "sse": {
      const sdk = await import("@modelcontextprotocol/client");
      let ending: string | undefined;
      const onViolation = (why: string): void => {
        ending ??= why;
        // A stream that breaks is opened again by the transport, but not after a violation.
        transport.close().catch(() => undefined);
      };
      const Kind =
        address.kind === "http" ? sdk.StreamableHTTPClientTransport : sdk.SSEClientTransport;
      const transport = new Kind(new URL(address.url), remoteOptions(address, parts, onViolation));
      return { transport, ending: () => ending, required: () => login?.required };
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
  { fetchFor, login }: TransportParts,
  onViolation: (why: string) => void,
) {
  const send = boundedFetch(fetchFor([url]), new Set([new URL(url).origin]), onViolation);
  const options = { requestInit: { headers: { ...headers } } };
  if (login === undefined) return { ...options, fetch: send };
  const fetch: FetchLike = async (address, init) => {
    const response = await send(address, init);
    await login.answered(response, new Headers(init?.headers));
    return response;
  };
  return { ...options, fetch, authProvider: login };
}
