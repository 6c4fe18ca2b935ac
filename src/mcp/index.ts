export type { Channel } from "./server/channel.ts";
export type { Outgoing, RequestId, RpcAnswer } from "./server/json-rpc.ts";
export type { Connection } from "./server/connection.ts";
export type { ConnectionState } from "./server/methods.ts";
export { createProtocol, type Protocol, type ProtocolOptions } from "./server/protocol.ts";
export { serveStdio, type StdioOptions } from "./server/stdio.ts";
export { outcomeMetaKey } from "./server/tool-result.ts";
export { isLegacyVersion, metaKeys, type LegacyVersion } from "./server/versions.ts";
