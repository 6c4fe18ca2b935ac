import type { Channel } from "../transport/transport.ts";
import { RpcError } from "./json-rpc.ts";

/** Least severe first, as in the protocol. */
const levels = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

export type LogLevel = (typeof levels)[number];

export function readLogLevel(level: unknown): LogLevel {
  const known = levels.find((each) => each === level);
  if (known === undefined) {
    throw new RpcError("invalidParams", `level must be one of ${levels.join(", ")}.`);
  }
  return known;
}

/**
 * Sends the output of a running call as log messages of level info. Undefined unless the client asked for messages of
 * that level.
 */
export function outputReporter(
  tool: string,
  level: LogLevel | undefined,
  channel: Channel,
): ((text: string, stream: "stdout" | "stderr") => void) | undefined {
  if (level === undefined || levels.indexOf(level) > levels.indexOf("info")) return undefined;
  return (text, stream) => {
    if (channel.isCongested?.() === true) return;
    channel.send({
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", logger: tool, data: { stream, text } },
    });
  };
}
