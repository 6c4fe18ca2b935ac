import type { Socket } from "node:net";

/** Connection to a listed host, undefined if none of its addresses answers; or the reason why it was refused. */
export type Reached = { readonly socket: Socket | undefined } | { readonly refused: string };
export type Reach = (host: string, port: number) => Promise<Reached>;

/** Returns the connection to the first address that answers. */
export async function firstOf(
  addresses: readonly string[],
  open: (address: string) => Promise<Socket | undefined>,
): Promise<Socket | undefined> {
  for (const address of addresses) {
    const socket = await open(address);
    if (socket !== undefined) return socket;
  }
  return undefined;
}

/** Returns a connection once it is open; closes it and returns undefined if it fails or takes too long. */
export async function connected(socket: Socket, timeoutMs: number): Promise<Socket | undefined> {
  const isOpen = await new Promise<boolean>((done) => {
    const timer = setTimeout(() => done(false), timeoutMs);
    const settle = (is: boolean): void => {
      clearTimeout(timer);
      done(is);
    };
    socket.once("connect", () => settle(true));
    // This listener stays: an unhandled error event would end the process.
    socket.on("error", () => settle(false));
    socket.once("close", () => settle(false));
  });
  if (isOpen && !socket.destroyed) return socket;
  socket.destroy();
  return undefined;
}
