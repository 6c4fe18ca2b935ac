import type { Channel } from "../transport/transport.ts";
import type { ClientAnswer, RequestId, RpcRequest } from "./json-rpc.ts";
import type { LogLevel } from "./log-messages.ts";
import type { McpToolkit } from "../tools/mcp-toolkit.ts";
import type { StateSeals } from "../approval/sealed-state.ts";
import type { McpLibrary } from "../library/library.ts";
import type { McpTasks } from "../tasks/task-store.ts";
import type { Era, LegacyVersion } from "./versions.ts";

/** Server information, and the session of its calls. */
export interface ProtocolOptions {
  /** Name of the server, for clients. */
  readonly name: string;
  /** Version of the server, for clients. */
  readonly version: string;
  /** Instructions for the model on how to use the tools, beyond their descriptions. */
  readonly instructions?: string;
  /** Session of its calls. */
  readonly sessionId?: string;
  /** Names of the tools to offer; `*` stands for any characters. Default: all tools of the toolkit. */
  readonly tools?: readonly string[];
  /**
   * Loads the resources and prompts that the server offers, for the session of its calls; called with the first request
   * for them. Default: none.
   */
  readonly library?: (sessionId: string | undefined) => Promise<McpLibrary>;
  /** Calls that clients may run as tasks, which they read later, also after a restart. Default: none. */
  readonly tasks?: McpTasks;
  /** Time, in milliseconds, for which a client may cache the list of tools. Default one minute. */
  readonly listTtlMs?: number;
  /**
   * Source of answers to permission questions: the user at the client, if the client can ask one, or the toolkit's own
   * `onAsk`. Only a client that the user started for themselves may answer on the user's behalf. Default "toolkit".
   */
  readonly approvals?: "client" | "toolkit";
  /** Time, in milliseconds, in which a client must answer a question. Default ten minutes. */
  readonly askTimeoutMs?: number;
}

export type Result = Readonly<Record<string, unknown>>;

/** Context of a request, apart from the request itself. */
export interface ServerSide {
  readonly toolkit: McpToolkit;
  readonly options: ProtocolOptions;
  readonly channel: Channel;
  readonly state: ConnectionState;
  readonly memory: ProtocolMemory;
  /** Channel for messages that belong to no request; `channel` if it is absent. */
  readonly session?: Channel;
}

/** State beyond a connection: a client of the modern era may continue a call on another connection. */
export interface ProtocolMemory {
  seals?: StateSeals;
  library?: Promise<McpLibrary> | undefined;
  /** Ends the calls that run as tasks. */
  closeTasks?: () => Promise<void>;
}

/** State of a client of the legacy era; a modern client sends it with each request. */
export interface ConnectionState {
  /** Revision agreed on in `initialize`. */
  agreed?: LegacyVersion;
  /** If set, output of running calls is sent as log messages. */
  logLevel?: LogLevel;
  /** Capabilities that the client declared in `initialize`. */
  capabilities?: Readonly<Record<string, unknown>>;
  /** Open questions to the client. */
  asked?: Asked;
  /** Resources that the client watches, with the functions that end it. */
  watched?: Map<string, () => void>;
}

export interface Running {
  readonly server: ServerSide;
  readonly request: RpcRequest;
  readonly era: Era;
  readonly signal: AbortSignal;
  /** Channel to the client that stays open when nothing more may be sent about this request. */
  readonly direct: Channel;
}

/** Open questions to one client. */
export interface Asked {
  readonly waiting: Map<RequestId, (answer: ClientAnswer) => void>;
  count: number;
}
