import type { Outgoing } from "./json-rpc.ts";

/** The way back to one client. */
export interface Channel {
  /** Sends in the order given; never throws, and does nothing once the client is gone. */
  send(message: Outgoing): void;
  /** Whether the client reads slower than it is sent to: progress and live output are then left out. */
  isCongested?(): boolean;
  /** Resolves when the client has read enough for further answers; undefined where it has. */
  room?(): Promise<void> | undefined;
}
