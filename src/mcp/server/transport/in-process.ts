import { createProtocol } from "../protocol/protocol.ts";
import type { Connection } from "../protocol/connection.ts";
import type { ProtocolOptions } from "../protocol/server-context.ts";
import type { McpToolkit } from "../tools/mcp-toolkit.ts";

/** One end of a connection inside a process; transports of the official SDKs fit it. */
export interface McpTransport {
  /** Starts to deliver messages. */
  start(): Promise<void>;
  /** Sends one message of the protocol. */
  send(message: object): Promise<void>;
  /** Closes the connection. */
  close(): Promise<void>;
  /** Called with each message; the server sets it. */
  onmessage?: ((message: never) => void) | undefined;
  /** Called when the connection is closed; the server sets it. */
  onclose?: (() => void) | undefined;
}

/** A kit as a Model Context Protocol server inside this process. */
export interface McpServer {
  /** Serves one client over a transport; resolves once the transport has started. */
  connect(transport: McpTransport): Promise<void>;
  /** Ends the connections and the calls that they started. */
  close(): Promise<void>;
}

/**
 * Offers the tools of a kit to clients inside this process, in every revision of the protocol that `serveStdio` speaks.
 *
 * @example
 * const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
 * await toMcpServer(kit, { name: "haft", version: "1.0.0" }).connect(serverEnd);
 * await client.connect(clientEnd);
 */
export function toMcpServer(kit: McpToolkit, options: ProtocolOptions): McpServer {
  const protocol = createProtocol(kit, options);
  const open = new Map<McpTransport, Connection>();
  const end = async (transport: McpTransport): Promise<void> => {
    const connection = open.get(transport);
    open.delete(transport);
    await connection?.close();
  };
  return {
    async connect(transport) {
      const send = (message: object): void => {
        // A client that is gone gets no answers.
        transport.send(message).catch(() => undefined);
      };
      const connection = protocol.connect({ send });
      open.set(transport, connection);
      const closed = transport.onclose;
      // Members of the SDK's transports, which are not event targets.
      Object.assign(transport, {
        onclose: () => {
          void end(transport);
          closed?.();
        },
        onmessage: (message: unknown) => void connection.handle(message),
      });
      await transport.start();
    },
    async close() {
      const transports = [...open.keys()];
      await Promise.all([...transports.map(end), protocol.close()]);
      await Promise.all(transports.map(async (transport) => await transport.close()));
    },
  };
}
