import type { Socket } from "node:net";

/** A connection to a listed host, undefined where none of its addresses answers, or why it may not be reached. */
export type Reached = { readonly socket: Socket | undefined } | { readonly refused: string };
export type Reach = (host: string, port: number) => Promise<Reached>;

/** The connection to the first address that answers. */
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

/** A connection once it is open; undefined, and closed, where it fails or takes too long. */
export async function connected(socket: Socket, timeoutMs: number): Promise<Socket | undefined> {
  const isOpen = await new Promise<boolean>((done) => {
    const timer = setTimeout(() => done(false), timeoutMs);
    const settle = (is: boolean): void => {
      clearTimeout(timer);
      done(is);
    };
    socket.once("connect", () => settle(true));
    // Stays: an error that nobody listens for would end this program.
    socket.on("error", () => settle(false));
    socket.once("close", () => settle(false));
  });
  if (isOpen && !socket.destroyed) return socket;
  socket.destroy();
  return undefined;
}
