import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { HostNet, HostNetOptions, HostRequest, HostResponse } from "../../core/index.ts";
import { connectionHeaders } from "../../text/index.ts";
import { abortError, throwIfAborted } from "../aborted.ts";
import { checkedAddresses, pinned, systemResolve, type Resolve } from "./checked-addresses.ts";
import { decoded, decodableCodings } from "./decode-body.ts";
import { isPrivateAllowed, requestUrl, unreachable } from "./request-url.ts";

/** Network of this machine, with connections that stay open for later requests. */
export interface LocalNet extends HostNet {
  close(): void;
}

interface Pool {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** Headers that the host determines. */
const ownHeaders: ReadonlySet<string> = new Set([...connectionHeaders, "content-length"]);

/** Open connections that wait for another request to the same host. */
const maxIdle = 16;

/** Milliseconds that such a connection waits. */
const idleMs = 5000;

/**
 * The machine's network. Each request resolves the name, checks every address, and connects to those only; connections
 * to private addresses are kept apart, so that no other request uses them. Proxies of the environment are not used.
 */
export function localNet(resolve: Resolve = systemResolve): LocalNet {
  const pools = new Map<boolean, Pool>();
  const poolOf = (allowsPrivate: boolean): Pool => {
    const found = pools.get(allowsPrivate);
    if (found !== undefined) return found;
    const options = { keepAlive: true, maxFreeSockets: maxIdle, timeout: idleMs } as const;
    const pool = { http: new HttpAgent(options), https: new HttpsAgent(options) };
    pools.set(allowsPrivate, pool);
    return pool;
  };
  return {
    async fetch(request: HostRequest, options: HostNetOptions = {}): Promise<HostResponse> {
      const { signal } = options;
      throwIfAborted(signal);
      const url = requestUrl(request.url);
      const allowsPrivate = isPrivateAllowed(url, options);
      const addresses = await checkedAddresses({ url, allowsPrivate, resolve, signal });
      throwIfAborted(signal);
      const sending = { url, request, addresses, pool: poolOf(allowsPrivate), signal };
      const message = await answerTo(sending).catch(async (error: unknown) => {
        if (!(error instanceof StaleConnection)) throw error;
        return await answerTo(sending);
      });
      const { headers, body } = decoded(message);
      return {
        url: url.href,
        status: message.statusCode ?? 0,
        headers,
        body: bodyOf(body, { host: url.host, signal }),
      };
    },
    close() {
      for (const { http, https } of pools.values()) {
        http.destroy();
        https.destroy();
      }
      pools.clear();
    },
  };
}

interface Sending {
  readonly url: URL;
  readonly request: HostRequest;
  readonly addresses: readonly string[];
  readonly pool: Pool;
  readonly signal: AbortSignal | undefined;
}

/** The server closed a kept connection while the request was sent; nothing was answered. */
class StaleConnection extends Error {}

async function answerTo(sending: Sending): Promise<IncomingMessage> {
  const { url, request, addresses, pool, signal } = sending;
  const { method = "GET", body } = request;
  const isSecure = url.protocol === "https:";
  const send = isSecure ? httpsRequest : httpRequest;
  return await new Promise((done, fail) => {
    const outgoing = send(
      url,
      {
        method,
        agent: isSecure ? pool.https : pool.http,
        headers: headersOf(request),
        lookup: pinned(addresses),
        ...(signal === undefined ? {} : { signal }),
      },
      (message) => {
        // Without a listener, an error after the answer has begun would end the process.
        message.on("error", () => undefined);
        done(message);
      },
    );
    outgoing.on("socket", ignoreErrors);
    // No upgrade was requested.
    outgoing.on("upgrade", (_message, socket) => socket.destroy());
    outgoing.on("error", (error) => {
      if (signal?.aborted === true) fail(abortError(signal));
      else if (outgoing.reusedSocket && (method === "GET" || method === "HEAD")) {
        fail(new StaleConnection());
      } else fail(unreachable(url.host, error));
    });
    outgoing.end(body);
  });
}

const watched = new WeakSet<Socket>();

/**
 * An error of a connection reaches its request while that has one. Between an answer that was not read to its end and the
 * next request nothing listens, and an abort in that time would end the process.
 */
function ignoreErrors(socket: Socket): void {
  if (watched.has(socket)) return;
  watched.add(socket);
  socket.on("error", () => undefined);
}

function headersOf({ headers = {}, body }: HostRequest): Readonly<Record<string, string>> {
  const named = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !ownHeaders.has(name));
  return {
    accept: "*/*",
    "user-agent": "haft",
    "accept-encoding": decodableCodings,
    ...Object.fromEntries(named),
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
}

async function* bodyOf(
  body: AsyncIterable<Uint8Array>,
  { host, signal }: { readonly host: string; readonly signal: AbortSignal | undefined },
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw signal?.aborted === true ? abortError(signal) : unreachable(host, error);
  }
}
