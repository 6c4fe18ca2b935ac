export type { Channel } from "./server/channel.ts";
export type { Connection } from "./server/connection.ts";
export type { Outgoing } from "./server/json-rpc.ts";
export type { ConnectionState } from "./server/methods.ts";
export { createProtocol, type Protocol, type ProtocolOptions } from "./server/protocol.ts";
export { serveStdio, type StdioOptions } from "./server/stdio.ts";
export type { McpToolkit } from "./server/mcp-toolkit.ts";
