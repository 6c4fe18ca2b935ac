import type { McpToolkit } from "./mcp-toolkit.ts";
import type { Channel } from "./channel.ts";
import { openConnection, type Connection } from "./connection.ts";
import type { ConnectionState } from "./methods.ts";

/** How the server introduces itself, and what its calls belong to. */
export interface ProtocolOptions {
  readonly name: string;
  readonly version: string;
  /** What a model should know before it uses the tools, beyond their descriptions. */
  readonly instructions?: string;
  /** The session its calls belong to. */
  readonly sessionId?: string;
  /** How long a client may keep the list of tools without asking again. Default one minute. */
  readonly listTtlMs?: number;
  /**
   * Who answers where the rules say ask: the person at the client, where it can ask one, or whoever the toolkit
   * itself asks. Only a client that a person started for themselves may speak for that person. Default "toolkit".
   */
  readonly approvals?: "client" | "toolkit";
  /** How long a client may take to answer a question of ours. Default ten minutes. */
  readonly askTimeoutMs?: number;
}

/** The Model Context Protocol over a toolkit, in both eras, without a transport. */
export interface Protocol {
  /**
   * Opens the way to one client. A transport that opens a connection for each message keeps the state
   * itself and gives it again.
   */
  connect(channel: Channel, state?: ConnectionState): Connection;
}

/** Serves a toolkit's tools to any number of clients; the transport brings the channel. */
export function createProtocol(toolkit: McpToolkit, options: ProtocolOptions): Protocol {
  const memory = {};
  return {
    connect: (channel, state = {}) => openConnection({ toolkit, options, channel, state, memory }),
  };
}
