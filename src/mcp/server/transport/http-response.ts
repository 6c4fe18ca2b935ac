import type { ServerResponse } from "node:http";
import { rpcCodes, type Outgoing } from "../protocol/json-rpc.ts";
import { encodeMessage } from "../protocol/message-text.ts";
import type { Channel } from "./transport.ts";

/**
 * Channel over the response to one message: an answer alone is JSON; anything before it opens a stream of events, which
 * the answer ends. What is sent after the end goes to `later`.
 */
export function responseChannel(
  response: ServerResponse,
  { isModern, later }: { readonly isModern: boolean; readonly later?: (message: Outgoing) => void },
): Channel {
  return {
    send: (message) => {
      if (response.writableEnded || response.destroyed) {
        if ("method" in message) later?.(message);
        return;
      }
      if (!("method" in message) && !response.headersSent) {
        response.writeHead(isModern ? statusOf(message) : 200, {
          "content-type": "application/json",
        });
        response.end(encodeMessage(message));
        return;
      }
      openEvents(response);
      response.write(eventOf(message));
      if (!("method" in message)) response.end();
    },
    isCongested: () => response.writableNeedDrain,
  };
}

/** Opens the response as a stream of events; does nothing if it is open. */
export function openEvents(response: ServerResponse): void {
  if (response.headersSent) return;
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
  });
}

/** Message as an event. */
export function eventOf(message: Outgoing): string {
  return `event: message\ndata: ${encodeMessage(message)}\n\n`;
}

function statusOf(message: Outgoing): number {
  if (!("error" in message) || message.error === undefined) return 200;
  const { code } = message.error;
  if (code === rpcCodes.internalError) return 500;
  return code === rpcCodes.methodNotFound ? 404 : 400;
}
