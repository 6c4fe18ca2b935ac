import type { FetchLike, JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/index.ts";
import type { ServerConfig } from "../servers/server-config.ts";
import type { ServerLogin } from "../auth/server-login.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { McpTransport } from "../../server/transport/in-process.ts";
import { messageLimits, readMessage } from "./json-lines.ts";
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
  /** Transports that the program registered, by kind. */
  readonly transports: ReadonlyMap<string, OpenMcpTransport>;
}

/**
 * Opens the transport to a server whose entry in the settings has this kind as its `type`; it gets the entry, with
 * environment variables replaced. Transports of the official SDKs fit.
 */
export type OpenMcpTransport = (
  entry: Readonly<Record<string, unknown>>,
) => McpTransport | Promise<McpTransport>;

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
    case "custom": {
      const open = parts.transports.get(address.transport);
      if (open === undefined) {
        throw new ToolError(
          "UNAVAILABLE",
          `The MCP server ${name} needs a transport that is missing.`,
        );
      }
      return checkedTransport(await open(address.entry));
    }
    case "in-process": {
      const { InMemoryTransport } = await import("@modelcontextprotocol/client");
      const [transport, serverEnd] = InMemoryTransport.createLinkedPair();
      await address.connect(serverEnd);
      return { transport, ending: () => undefined, required: () => undefined };
    }
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

/** A transport of the program whose messages are bounded like those of other servers. */
function checkedTransport(inner: McpTransport): OpenTransport {
  let ending: string | undefined;
  const transport: Transport = {
    async start() {
      const onMessage = (message: JSONRPCMessage): void => {
        if (ending !== undefined) return;
        ending = violationOf(message);
        if (ending === undefined) transport.onmessage?.(message);
        else inner.close().catch(() => undefined);
      };
      // Members of a transport, which is not an event target.
      Object.assign(inner, { onmessage: onMessage, onclose: () => transport.onclose?.() });
      await inner.start();
    },
    send: async (message) => await inner.send(message),
    close: async () => await inner.close(),
  };
  return { transport, ending: () => ending, required: () => undefined };
}

/** Why a message ends its connection; undefined if it does not. */
function violationOf(message: JSONRPCMessage): string | undefined {
  const text = JSON.stringify(message);
  if (text.length > messageLimits.bytes) {
    return `sent a message of more than ${messageLimits.bytes / 1024 / 1024} MB`;
  }
  const read = readMessage(text);
  return read.kind === "violation" ? read.why : undefined;
}
