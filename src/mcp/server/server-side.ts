import type { Channel } from "./channel.ts";
import type { ClientAnswer, RequestId, RpcRequest } from "./json-rpc.ts";
import type { LogLevel } from "./live-output.ts";
import type { McpToolkit } from "./mcp-toolkit.ts";
import type { StateSeals } from "./state-seals.ts";
import type { Era, LegacyVersion } from "./versions.ts";

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

export type Result = Readonly<Record<string, unknown>>;

/** Everything an answer may need, beside the request itself. */
export interface ServerSide {
  readonly toolkit: McpToolkit;
  readonly options: ProtocolOptions;
  readonly channel: Channel;
  readonly state: ConnectionState;
  readonly memory: ProtocolMemory;
}

/** What lasts beyond a connection: a client of the new era comes back for the rest of a call on any. */
export interface ProtocolMemory {
  seals?: StateSeals;
}

/** What a client of the old era told the server to remember; the new one tells it with each request. */
export interface ConnectionState {
  /** The revision `initialize` agreed on. */
  agreed?: LegacyVersion;
  /** Where set, what running calls print is sent as log messages. */
  logLevel?: LogLevel;
  /** What the client can do, as it said in `initialize`. */
  capabilities?: Readonly<Record<string, unknown>>;
  /** What the client was asked and has not answered. */
  asked?: Asked;
}

export interface Running {
  readonly server: ServerSide;
  readonly request: RpcRequest;
  readonly era: Era;
  readonly signal: AbortSignal;
  /** The way to the client that stays open when nothing more may be said about this request. */
  readonly direct: Channel;
}

/** The open questions to one client. */
export interface Asked {
  readonly waiting: Map<RequestId, (answer: ClientAnswer) => void>;
  count: number;
}
