import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";

/** A server on this machine that records every connection, as a private service that nothing may reach. */
export interface PrivateListener {
  readonly port: number;
  /** Connections and requests since the listener was opened. */
  readonly reached: string[];
  close(): Promise<void>;
}

export async function privateListener(): Promise<PrivateListener> {
  const reached: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.end("a private page");
  });
  server.on("connection", (socket) => {
    reached.push("connection");
    sockets.add(socket);
  });
  // Without an address it listens on every one, of both versions of the protocol.
  await new Promise<void>((done) => {
    server.listen(0, done);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The listener has no port.");
  return {
    port: address.port,
    reached,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}
