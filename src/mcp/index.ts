export type { Channel } from "./server/transport/transport.ts";
export type { Connection } from "./server/protocol/connection.ts";
export type { Outgoing } from "./server/protocol/json-rpc.ts";
export { createProtocol, type Protocol } from "./server/protocol/protocol.ts";
export type { ConnectionState, ProtocolOptions } from "./server/protocol/server-context.ts";
export { serveStdio, type StdioOptions } from "./server/transport/stdio.ts";
export type { HttpEndpoint, HttpEndpointOptions } from "./server/transport/http.ts";
export type {
  McpLibrary,
  McpPrompt,
  McpPromptRequest,
  McpPromptText,
  McpResource,
  McpResourceContent,
  McpResourceTemplate,
  McpSkill,
} from "./server/library/library.ts";
export {
  taskSupport,
  type McpTaskRecord,
  type McpTasks,
  type McpTaskStatus,
  type McpTaskStore,
  type McpTaskWork,
} from "./server/tasks/task-store.ts";
export type { McpToolkit } from "./server/tools/mcp-toolkit.ts";
export { toMcpServer, type McpServer, type McpTransport } from "./server/transport/in-process.ts";
export type { ServerPool } from "./client/client.ts";
export type {
  AskModel,
  SamplingCaller,
  SamplingRequest,
} from "./client/servers/answer-sampling.ts";
export type { ManagedServer } from "./client/servers/managed-server.ts";
export type { FollowedRequest, RequestNotice } from "./client/servers/follow-request.ts";
export type { OpenMcpTransport } from "./client/transports/open-transport.ts";
export type { ServerConfig } from "./client/servers/server-config.ts";

/** Loads the client of the protocol with the first server. */
export const mcpClient = async () => await import("./client/client.ts");

/** Loads the transport over HTTP, which a server over standard streams does not need. */
export const mcpOverHttp = async () => await import("./server/transport/http.ts");
