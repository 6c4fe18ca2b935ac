export type { Channel } from "./server/channel.ts";
export type { Connection } from "./server/connection.ts";
export type { Outgoing } from "./server/json-rpc.ts";
export { createProtocol, type Protocol } from "./server/protocol.ts";
export type { ConnectionState, ProtocolOptions } from "./server/server-side.ts";
export { serveStdio, type StdioOptions } from "./server/stdio.ts";
export type { McpToolkit } from "./server/mcp-toolkit.ts";
