import { createProtocol } from "../../src/mcp/index.ts";
import type { Connection, Outgoing, ProtocolOptions } from "../../src/mcp/index.ts";
import { metaKeys } from "../../src/mcp/server/protocol/versions.ts";
import type { Toolkit } from "../../src/core/index.ts";

/** A server and everything it has said, without a transport. */
export interface Wire {
  readonly connection: Connection;
  readonly sent: readonly Outgoing[];
  /** Sends a request and returns what was answered under its id, or undefined. */
  ask(method: string, params?: object): Promise<unknown>;
  /** The same with what every request of 2026-07-28 carries. */
  askModern(method: string, params?: object): Promise<unknown>;
  tell(method: string, params?: object): Promise<void>;
  /** Resolves once something was sent under this method that often. */
  untilHeard(method: string, times?: number): Promise<void>;
  /** Everything sent under this method. */
  heard(method: string): readonly unknown[];
}

export const modernMeta = {
  [metaKeys.protocolVersion]: "2026-07-28",
  [metaKeys.clientCapabilities]: {},
};

export function wireTo(toolkit: Toolkit, options: Partial<ProtocolOptions> = {}): Wire {
  const sent: Outgoing[] = [];
  const protocol = createProtocol(toolkit, { name: "haft", version: "1.2.3", ...options });
  let waiting: (() => boolean)[] = [];
  const connection = protocol.connect({
    send: (message) => {
      sent.push(message);
      waiting = waiting.filter((isOver) => !isOver());
    },
  });
  const heard = (method: string): readonly unknown[] =>
    sent.filter((message) => "method" in message && message.method === method);
  let lastId = 0;
  const ask = async (method: string, params?: object): Promise<unknown> => {
    const id = (lastId += 1);
    await connection.handle({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    return sent.findLast((message) => "id" in message && message.id === id);
  };
  return {
    connection,
    sent,
    ask,
    askModern: (method, params = {}) =>
      ask(method, { ...params, _meta: { ...modernMeta, ...metaIn(params) } }),
    tell: (method, params = {}) => connection.handle({ jsonrpc: "2.0", method, params }),
    heard,
    untilHeard: (method, times = 1) =>
      new Promise((resolve) => {
        const isOver = (): boolean => {
          const isThere = heard(method).length >= times;
          if (isThere) resolve();
          return isThere;
        };
        if (!isOver()) waiting.push(isOver);
      }),
  };
}

/** A wire on which a client of the old era has said hello. */
export async function legacyWire(
  toolkit: Toolkit,
  protocolVersion = "2025-11-25",
  { capabilities = {}, ...options }: Partial<ProtocolOptions> & { capabilities?: object } = {},
): Promise<Wire> {
  const wire = wireTo(toolkit, options);
  await wire.ask("initialize", {
    protocolVersion,
    capabilities,
    clientInfo: { name: "test", version: "1.0.0" },
  });
  await wire.tell("notifications/initialized");
  return wire;
}

function metaIn(params: object): object {
  const meta: unknown = Reflect.get(params, "_meta");
  return typeof meta === "object" && meta !== null ? meta : {};
}
