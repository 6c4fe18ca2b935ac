import { createServer, request as httpRequest, type Server } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ToolError } from "../core/index.ts";
import { busy } from "./read-body.ts";
import { HttpProblem, sendProblem } from "./reply.ts";

/** Address on which every server listens: only programs of this machine reach it. */
const host = "127.0.0.1";
/** Time in which a client must send a whole request. */
const requestTimeoutMs = 60_000;
const probeMs = 1000;

/** Limits of a server, over all its clients. */
export interface ListenLimits {
  readonly maxConnections: number;
  /** Bytes of answers that clients have not read, above which no request is accepted. */
  readonly maxUnreadBytes: number;
}

const defaultLimits: ListenLimits = { maxConnections: 256, maxUnreadBytes: 8 * 1024 * 1024 };

/** A listening server. */
export interface Listener {
  readonly port: number;
  readonly url: string;
  /** Resolves when clients have read enough for further answers; undefined if they have. */
  room(): Promise<void> | undefined;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

export type HandleRequest = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Listens on a port of this machine. Rejects with UNAVAILABLE if another program has the port, and says whether it is
 * another haft.
 */
export async function listen(
  port: number,
  handle: HandleRequest,
  { maxConnections, maxUnreadBytes }: ListenLimits = defaultLimits,
): Promise<Listener> {
  const open = new Set<ServerResponse>();
  let waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  const isFull = (): boolean => {
    let bytes = 0;
    for (const response of open) bytes += response.writableLength;
    return bytes > maxUnreadBytes;
  };
  const read = (): void => {
    if (waiting === undefined || isFull()) return;
    waiting.resolve();
    waiting = undefined;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    open.add(response);
    // A client may break its connection at any time; `close` reports that too.
    response.on("error", () => undefined);
    response.on("drain", read);
    response.on("close", () => {
      open.delete(response);
      read();
    });
    response.setHeader("server", "haft");
    try {
      if (isFull()) throw busy();
      await handle(request, response);
    } catch (error) {
      sendProblem(response, error);
    }
  };
  const server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
    void answer(request, response);
  });
  server.maxConnections = maxConnections;
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
    else socket.destroy();
  });
  const bound = await bind(server, port);
  return {
    port: bound,
    url: `http://${host}:${bound}`,
    room() {
      if (!isFull()) return undefined;
      waiting ??= Promise.withResolvers<void>();
      return waiting.promise;
    },
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function bind(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host, exclusive: true }, resolve);
    });
  } catch (cause) {
    throw await bindProblem(cause, port);
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function bindProblem(cause: unknown, port: number): Promise<ToolError> {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const why =
    code === "EADDRINUSE"
      ? `${(await isHaft(port)) ? "Another haft process" : "Another program"} uses port ${port} of ${host}.`
      : code === "EACCES"
        ? `Port ${port} of ${host} is not open to this user.`
        : `Port ${port} of ${host} cannot be used.`;
  return new ToolError("UNAVAILABLE", why, {
    hint: "Name another port with --port, or 0 for any that is free.",
    cause,
  });
}

/** Whether the program on a port answers as haft does. */
function isHaft(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = httpRequest({ host, port, method: "HEAD", timeout: probeMs }, (response) => {
      resolve(response.headers["server"] === "haft");
      response.destroy();
    });
    probe.on("timeout", () => probe.destroy());
    probe.on("error", () => resolve(false));
    probe.end();
  });
}

/** Path and query of a request. */
export function targetOf(request: IncomingMessage): URL {
  const target = URL.parse(request.url ?? "/", `http://${host}`);
  if (target !== null) return target;
  throw new HttpProblem(400, "INVALID_INPUT", {
    message: "The path of the request cannot be read.",
    hint: "Use one of the paths in docs/http.md.",
  });
}
