import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage } from "node:http";
import { connect, createServer as createSocketServer, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { joinPath } from "../../text/index.ts";
import { failed, forward } from "./forward.ts";
import { hostList } from "./host-list.ts";
import { connected, firstOf, type Reached } from "./reach.ts";
import { sharedChannel } from "./shared-channel.ts";
import { tunnel } from "./tunnel.ts";

/** Connection that was refused. */
export interface Refusal {
  /** Name or address. */
  readonly host: string;
  /** Port that the program asked for. */
  readonly port: number;
  /** Why, as a sentence. */
  readonly reason: string;
}

export interface HostProxyOptions {
  readonly hosts: readonly string[];
  /** Directory of the proxy's socket; confined programs may reach it only through the descriptor they are given. */
  readonly directory: string;
  /** Returns every address of a name. Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Timeout of the resolver, and of each address of a host, in milliseconds. Default 10,000. */
  readonly connectMs?: number;
  /** Opens a connection to an address. */
  readonly connect?: (address: string, port: number) => Socket;
}

type Resolve = (host: string) => Promise<readonly string[]>;

export interface HostProxy {
  readonly socketPath: string;
  /** Returns the connections refused since the last call, oldest first. */
  takeRefusals(): readonly Refusal[];
  close(): Promise<void>;
}

/** Maximum number of refusals recorded: of a program that tries a thousand hosts, the first ones are enough. */
const keptRefusals = 100;
const defaultConnectMs = 10_000;

/**
 * Opens a proxy for a command that may reach listed hosts only. It resolves a name once, and connects to an address it
 * has checked, so that a second answer of the resolver changes nothing.
 */
export async function hostProxy(options: HostProxyOptions): Promise<HostProxy> {
  const { hosts, directory, resolve = resolveAll, connectMs = defaultConnectMs } = options;
  const open = options.connect ?? ((host: string, port: number) => connect({ host, port }));
  const list = hostList(hosts);
  const refusals: Refusal[] = [];
  const wires = new Set<Duplex>();

  const target = async (host: string, port: number): Promise<Target> => {
    const refuse = (reason: string): Target => {
      if (refusals.length < keptRefusals) refusals.push({ host, port, reason });
      return { refused: reason };
    };
    if (!list.allows(host, port)) return refuse(`${host}:${port} is not a listed host.`);
    const addresses = isIP(host) === 0 ? await addressesOf(host, { resolve, connectMs }) : [host];
    if (addresses.length === 0) return refuse(`${host} has no address.`);
    const judged = addresses.filter((address) => list.allowsAddress(host, address));
    // All addresses or none: a name that also resolves to a private address was made to.
    if (judged.length < addresses.length) return refuse(`${host} leads to a private address.`);
    return { addresses: judged };
  };

  const reach = async (host: string, port: number): Promise<Reached> => {
    const found = await target(host, port);
    if ("refused" in found) return found;
    const socket = await firstOf(found.addresses, async (address) =>
      connected(open(address, port), connectMs),
    );
    return { socket };
  };

  const proxy = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, reach).catch(() => failed(outgoing));
  });
  proxy.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy());
    tunnel({ authority: incoming.url ?? "", client, head }, reach).catch(() => client.destroy());
  });
  proxy.on("clientError", (_error, client: Duplex) => {
    client.destroy();
  });

  const socketPath = joinPath(directory, "proxy");
  const door = createSocketServer((wire) => {
    wires.add(wire);
    wire.on("close", () => wires.delete(wire));
    sharedChannel(wire, (stream) => proxy.emit("connection", stream));
  });
  await new Promise<void>((done, fail) => {
    door.once("error", fail);
    door.listen(socketPath, done);
  });
  // If descriptors run out, a connection is not accepted; the proxy keeps running.
  door.on("error", () => undefined);
  // The proxy alone does not keep the process alive.
  door.unref();

  return {
    socketPath,
    takeRefusals: () => refusals.splice(0),
    close: async () => {
      for (const wire of wires) wire.destroy();
      await new Promise<void>((done) => {
        door.close(() => done());
      });
    },
  };
}

type Target = { readonly addresses: readonly string[] } | { readonly refused: string };

async function resolveAll(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** Resolves a name; returns no address if the resolver fails or does not answer in time. */
async function addressesOf(
  host: string,
  { resolve, connectMs }: { readonly resolve: Resolve; readonly connectMs: number },
): Promise<readonly string[]> {
  return await new Promise((done) => {
    const timer = setTimeout(() => done([]), connectMs);
    const settle = (addresses: readonly string[]): void => {
      clearTimeout(timer);
      done(addresses);
    };
    resolve(host).then(settle, () => settle([]));
  });
}
