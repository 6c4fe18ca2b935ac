import type { Duplex } from "node:stream";
import type { Reach } from "./reach.ts";

/** Handles CONNECT: copies bytes in both directions, to a host that was checked. */
export async function tunnel(
  {
    authority,
    client,
    head,
  }: { readonly authority: string; readonly client: Duplex; readonly head: Buffer },
  reach: Reach,
): Promise<void> {
  const [, host, port] = /^\[?(.+?)\]?:(\d{1,5})$/u.exec(authority) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    answer(client, "400 Bad Request", "That is not a host and port.");
    return;
  }
  const reached = await reach(host, Number(port));
  if ("refused" in reached) {
    answer(client, "403 Forbidden", reached.refused);
    return;
  }
  const { socket: server } = reached;
  if (server === undefined) {
    answer(client, "502 Bad Gateway", `${host} does not answer.`);
    return;
  }
  if (client.destroyed) {
    server.destroy();
    return;
  }
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (head.length > 0) server.write(head);
  server.on("error", () => client.destroy());
  server.on("close", () => client.destroy());
  client.on("close", () => server.destroy());
  server.pipe(client);
  client.pipe(server);
}

function answer(client: Duplex, status: string, text: string): void {
  const body = `haft: ${text}\n`;
  client.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
