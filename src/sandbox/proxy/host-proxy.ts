import { lookup } from "node:dns/promises";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, createServer as createSocketServer, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { joinPath } from "../../core/index.ts";
import { hostList } from "./host-list.ts";
import { sharedChannel } from "./shared-channel.ts";

/** A connection that was not made. */
export interface Refusal {
  readonly host: string;
  readonly port: number;
  readonly reason: string;
}

export interface HostProxyOptions {
  readonly hosts: readonly string[];
  /** Where its socket is made; nothing confined may reach it but through the descriptor it is given. */
  readonly directory: string;
  /** Every address of a name. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

export interface HostProxy {
  readonly socketPath: string;
  /** What was refused since the last time, oldest first. */
  takeRefusals(): readonly Refusal[];
  close(): Promise<void>;
}

/** More are not worth keeping: a program that tries a thousand hosts is told by the first ones. */
const keptRefusals = 100;

/**
 * The way out for a command that may reach listed hosts only. A name is looked up here, once, and the connection
 * goes to an address that was judged, so that a second answer of the resolver changes nothing.
 */
export async function hostProxy(options: HostProxyOptions): Promise<HostProxy> {
  const { hosts, directory, resolve = resolveAll } = options;
  const list = hostList(hosts);
  const refusals: Refusal[] = [];
  const open = new Set<Duplex>();

  const target = async (host: string, port: number): Promise<Target> => {
    const refuse = (reason: string): Target => {
      if (refusals.length < keptRefusals) refusals.push({ host, port, reason });
      return { refused: reason };
    };
    if (!list.allows(host, port)) return refuse(`${host}:${port} is not a listed host.`);
    const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
    if (addresses.length === 0) return refuse(`${host} has no address.`);
    const judged = addresses.filter((address) => list.allowsAddress(host, address));
    // All of them or none: a name that also leads inside was made to.
    if (judged.length < addresses.length) return refuse(`${host} leads to a private address.`);
    return { addresses: judged };
  };

  const proxy = createServer((incoming, outgoing) => {
    void forward(incoming, outgoing, target);
  });
  proxy.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    void tunnel({ authority: incoming.url ?? "", client, head }, target);
  });
  proxy.on("clientError", (_error, client: Duplex) => {
    client.destroy();
  });

  const socketPath = joinPath(directory, "proxy");
  const door = createSocketServer((wire) => {
    open.add(wire);
    wire.on("close", () => open.delete(wire));
    sharedChannel(wire, (stream) => proxy.emit("connection", stream));
  });
  await new Promise<void>((done, fail) => {
    door.once("error", fail);
    door.listen(socketPath, done);
  });
  // A proxy alone keeps no program running.
  door.unref();

  return {
    socketPath,
    takeRefusals: () => refusals.splice(0),
    close: async () => {
      for (const wire of open) wire.destroy();
      await new Promise<void>((done) => {
        door.close(() => done());
      });
    },
  };
}

type Target = { readonly addresses: readonly string[] } | { readonly refused: string };
type Judge = (host: string, port: number) => Promise<Target>;

async function tunnel(
  { authority, client, head }: { authority: string; client: Duplex; head: Buffer },
  judge: Judge,
): Promise<void> {
  client.on("error", () => client.destroy());
  const [, host, port] = /^\[?(.+?)\]?:(\d+)$/u.exec(authority) ?? [];
  if (host === undefined) return answer(client, "400 Bad Request", "That is no host and port.");
  const target = await judge(host, Number(port));
  if ("refused" in target) return answer(client, "403 Forbidden", target.refused);
  const server = await firstOf(target.addresses, Number(port));
  if (server === undefined) return answer(client, "502 Bad Gateway", `${host} does not answer.`);
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

async function firstOf(addresses: readonly string[], port: number): Promise<Socket | undefined> {
  for (const host of addresses) {
    const socket = connect({ host, port });
    const isOpen = await new Promise<boolean>((done) => {
      socket.once("connect", () => done(true));
      socket.once("error", () => done(false));
    });
    if (isOpen) return socket;
    socket.destroy();
  }
  return undefined;
}

/** A request in absolute form: plain HTTP, one request a connection. */
async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  judge: Judge,
): Promise<void> {
  const url = URL.canParse(incoming.url ?? "") ? new URL(incoming.url ?? "") : undefined;
  if (url?.protocol !== "http:") {
    outgoing.writeHead(400).end("haft: only http: addresses and CONNECT are understood.\n");
    return;
  }
  const port = url.port === "" ? 80 : Number(url.port);
  const target = await judge(url.hostname.replace(/^\[(.*)\]$/u, "$1"), port);
  const [address] = "refused" in target ? [] : target.addresses;
  if ("refused" in target || address === undefined) {
    outgoing.writeHead(403).end(`haft: ${"refused" in target ? target.refused : "no address."}\n`);
    return;
  }
  const { "proxy-connection": _hop, "proxy-authorization": _secret, ...headers } = incoming.headers;
  const outer = request(
    {
      host: address,
      port,
      method: incoming.method ?? "GET",
      path: `${url.pathname}${url.search}`,
      // The name that was judged, whatever the request said.
      headers: { ...headers, host: url.host, connection: "close" },
    },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    },
  );
  outer.on("error", () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end("haft: the host does not answer.\n");
  });
  outgoing.on("close", () => outer.destroy());
  incoming.pipe(outer);
}

async function resolveAll(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}
