import type { Outgoing } from "../protocol/json-rpc.ts";

/** Connection back to one client. */
export interface Channel {
  /** Sends messages in order. Never throws, and has no effect once the client is gone. */
  send(message: Outgoing): void;
  /** Whether the client reads more slowly than messages are sent; progress and live output are then dropped. */
  isCongested?(): boolean;
  /** Resolves when the client has read enough for further responses; undefined if it already has. */
  room?(): Promise<void> | undefined;
}
