import type { McpToolkit } from "../tools/mcp-toolkit.ts";
import type { Channel } from "../transport/transport.ts";
import { openConnection, type Connection } from "./connection.ts";
import type { ConnectionState, ProtocolMemory, ProtocolOptions } from "./server-context.ts";

/** The Model Context Protocol for a toolkit, in both eras, independent of the transport. */
export interface Protocol {
  /**
   * Opens a connection to one client. A transport that opens a connection for each message stores the state itself and
   * passes it again.
   */
  connect(channel: Channel, state?: ConnectionState): Connection;
  /** Ends the calls that run as tasks; called when no client is served any more. */
  close(): Promise<void>;
}

/** Serves a toolkit's tools to any number of clients; the transport provides the channel. */
export function createProtocol(toolkit: McpToolkit, options: ProtocolOptions): Protocol {
  const memory: ProtocolMemory = {};
  return {
    connect: (channel, state = {}) => openConnection({ toolkit, options, channel, state, memory }),
    close: async () => await memory.closeTasks?.(),
  };
}
